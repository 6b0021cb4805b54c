// Elements of HTML and SVG, and whether the reader prefers reduced motion.

const SVG = "http://www.w3.org/2000/svg";

export const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

export function svgElement(name, attributes = {}, parent = null, text = null) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== null) node.textContent = text;
  parent?.append(node);
  return node;
}
