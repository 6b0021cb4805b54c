// Formulae in running text, typeset: r_b is an italic r with a subscript, <= is one sign. Text stays text: none of it
// is read as HTML.

import { element } from "./dom.js";

const SYMBOLS = /\b(r_b|r_l|E_k|E)\b|<=|>=|(?<=^|\s)-(?=\d)/g;
const SIGNS = { "<=": "≤", ">=": "≥", "-": "−" };

export function typeset(node, text) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(SYMBOLS)) {
    parts.push(text.slice(end, match.index), SIGNS[match[0]] ?? formulaSymbol(...match[0].split("_")));
    end = match.index + match[0].length;
  }
  node.replaceChildren(...parts, text.slice(end));
  return node;
}

function formulaSymbol(letter, index) {
  return element("span", { class: "symbol" }, element("i", {}, letter), ...(index ? [element("sub", {}, index)] : []));
}
