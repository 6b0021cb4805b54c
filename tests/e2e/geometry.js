// What overflows the window or its place, is cut off, is covered by something else, or is too small to tap; each as a line.
() => {
  const found = new Set(), wide = innerWidth + 1;
  const styles = new Map(), style = (node) => styles.get(node) ?? styles.set(node, getComputedStyle(node)).get(node);
  const name = (node) => {
    const key = node.closest("[class*=st-key-]")?.className.toString().match(/st-key-[\w-]+/)?.[0] ?? "";
    const own = node.getAttribute("data-testid") || node.getAttribute("class") || "";
    return `${key} ${node.tagName.toLowerCase()} ${own.slice(0, 40)} '${node.textContent.trim().slice(0, 30)}'`;
  };
  const within = (node, test) => {
    for (let at = node.parentElement; at && at !== document.body; at = at.parentElement) if (test(at)) return at;
    return null;
  };
  // Plotly measures text outside the window; Streamlit's slider has an input that nobody sees.
  const unseen = "[aria-hidden=true], script, style, defs, .katex-mathml, #js-plotly-tester, [data-testid=stSlider] input";
  const closed = "[data-testid=stSidebar][data-collapsed=true]";
  // Streamlit's own: the sign of a help text, and the marks that empty a list. A node of a graph is as small as it is.
  const small = "[data-testid=stTooltipIcon] button, [data-testid=stMultiSelect] button, svg *";
  const main = document.querySelector("[data-testid=stMain]");
  for (const node of [document.documentElement, main])
    if (node.scrollWidth > node.clientWidth + 1) found.add(`scrolls sideways: ${node.scrollWidth} of ${node.clientWidth} px`);
  const scrolls = (node) => node !== main && /auto|scroll/.test(style(node).overflowX);
  const hides = (node) => /hidden|clip/.test(style(node).overflowX);
  for (const node of document.querySelectorAll("body *")) {
    if (!node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (node.closest(unseen) || node.closest(closed)) continue;
    const box = node.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) continue;
    const words = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
    if (words && style(node).textOverflow === "ellipsis" && node.scrollWidth > node.clientWidth + 1) found.add(`text ends in dots: ${name(node)}`);
    if (within(node, scrolls)) continue;
    if ((box.right > wide || box.left < -1) && (words || node.matches("button, input, canvas, svg, img")))
      found.add(`outside the window: ${name(node)} from ${Math.round(box.left)} to ${Math.round(box.right)}`);
    if (words && !node.closest("svg")) {
      const range = document.createRange();
      range.selectNodeContents(node);
      const text = range.getBoundingClientRect(), frame = hides(node) ? node : within(node, hides);
      const edge = frame?.getBoundingClientRect();
      if (edge && edge.width > 2 && (text.right > edge.right + 1.5 || text.left < edge.left - 1.5))
        found.add(`text is cut off: ${name(node)} by ${Math.round(Math.max(text.right - edge.right, edge.left - text.left))} px`);
    }
    if (words && /hidden|clip/.test(style(node).overflowY) && node.scrollHeight > node.clientHeight + 2)
      found.add(`text is cut off below: ${name(node)} by ${node.scrollHeight - node.clientHeight} px`);
    if (words && node.matches("svg text, svg text *")) {
      const svg = node.farthestViewportElement ?? node.ownerSVGElement, edge = svg?.getBoundingClientRect();
      if (edge && style(svg).overflow !== "visible" && (box.right > edge.right + 2 || box.left < edge.left - 2))
        found.add(`a label is cut off: ${name(node)}`);
    }
    const tapped = node.matches("button, [role=button], [role=tab], select, summary") && !node.matches(small);
    if (tapped && Math.min(box.width, box.height) < 23.5)
      found.add(`too small to tap: ${name(node)} ${Math.round(box.width)} x ${Math.round(box.height)}`);
    if (node.matches("a[href], button") && box.left >= 0 && box.right < wide && box.top >= 0 && box.bottom <= innerHeight) {
      const above = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
      if (above && !node.contains(above) && !above.contains(node)) found.add(`covered: ${name(node)} by ${name(above)}`);
    }
  }
  for (const plot of document.querySelectorAll(".js-plotly-plot")) {
    const drawn = plot.querySelector(".main-svg")?.getBoundingClientRect().width ?? 0;
    if (plot.clientWidth && Math.abs(drawn - plot.clientWidth) > 2) found.add(`not as wide as its place: ${name(plot)} ${Math.round(drawn)} of ${plot.clientWidth} px`);
  }
  for (const plot of document.querySelectorAll(".js-plotly-plot:has(.legend .bg)")) {
    if (!plot.clientWidth || !(plot.layout.legend?.y > 1)) continue;
    const under = plot.querySelector(".legend .bg").getBoundingClientRect().bottom - plot.getBoundingClientRect().top - plot._fullLayout._size.t;
    if (under > 2) found.add(`a legend lies over its chart: ${name(plot)} by ${Math.round(under)} px`);
  }
  return [...found];
}
