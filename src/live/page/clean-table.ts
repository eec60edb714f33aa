/** A table that a cell displays, as elements: a cell's code could send any HTML, and only a table's parts are taken. */
const TAGS = new Set(["TABLE", "CAPTION", "THEAD", "TBODY", "TFOOT", "TR", "TH", "TD", "BR"]);
const ATTRIBUTES = ["scope", "align", "colspan", "rowspan"];

function copy(from: Node, into: Node): void {
  for (const child of from.childNodes) {
    if (child instanceof Text) {
      into.appendChild(document.createTextNode(child.data));
      continue;
    }
    if (!(child instanceof Element)) continue;
    if (!TAGS.has(child.tagName)) {
      copy(child, into);
      continue;
    }
    const element = document.createElement(child.tagName);
    for (const name of ATTRIBUTES) {
      const value = child.getAttribute(name);
      if (value !== null) element.setAttribute(name, value);
    }
    if (child.getAttribute("align") === "right") element.className = "number";
    copy(child, element);
    into.appendChild(element);
  }
}

export function cleanTable(html: string): HTMLElement {
  const scroll = document.createElement("div");
  scroll.className = "scroll";
  copy(new DOMParser().parseFromString(html, "text/html").body, scroll);
  return scroll;
}
