// The drawing of the network as a file, with its styles inlined, so that it looks the same elsewhere.

import { element, svgElement } from "../shared/dom.js";

const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-family", "text-anchor", "dominant-baseline"];

export async function saveDrawing(svg, paper, kind) {
  const copy = svg.cloneNode(true);
  const from = [svg, ...svg.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((node, i) => {
    const style = getComputedStyle(node);
    for (const name of STYLES) to[i].style.setProperty(name, style.getPropertyValue(name));
  });
  const { width, height } = svg.getBoundingClientRect();
  for (const [name, value] of Object.entries({ xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}` }))
    copy.setAttribute(name, value);
  copy.prepend(svgElement("rect", { width, height, fill: paper }));
  let file = new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
  if (kind === "png") file = await rasterized(file, width, height);
  const link = element("a", { href: URL.createObjectURL(file), download: `pgcn-network.${kind}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

async function rasterized(file, width, height) {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  await image.decode();
  const sheet = element("canvas", { width: 2 * width, height: 2 * height });
  sheet.getContext("2d").drawImage(image, 0, 0, 2 * width, 2 * height);
  URL.revokeObjectURL(image.src);
  return new Promise((done) => { sheet.toBlob(done, "image/png"); });
}
