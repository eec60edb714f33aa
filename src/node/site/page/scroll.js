/**
 * What a narrow page does with wide elements. A table of sentences, or one that does not fit, has its rows as blocks, in which each
 * value stands behind its column's head (style.css). Other elements scroll: each fades out on the side where there is more, and the
 * keyboard reaches it. Tab does not stop at the others.
 */
(() => {
  const WIDE = "pre, .scroll, figure.plot";
  /** As in style.css. */
  const narrow = matchMedia("screen and (max-width: 40rem)");
  /** Of characters: beyond it a cell is read, not compared with the one above. */
  const SENTENCE = 45;
  const ROLES = { table: "table", "thead, tbody, tfoot": "rowgroup", tr: "row", td: "cell" };

  const cellsOf = (row) => [...(row?.cells ?? [])];
  /** Text that was wrapped for a wide page flows in a block: where the next word would have fitted, its author ended the line. */
  const soften = (cell) => {
    const most = Math.max(0, ...[...cell.childNodes].map(({ textContent }) => textContent.length));
    for (const end of cell.querySelectorAll("br")) {
      const [line, next] = [end.previousSibling, end.nextSibling].map((text) => text?.textContent ?? "");
      if (line.length + 1 + next.split(" ", 1)[0].length <= most) continue;
      end.before(" ");
      end.className = "soft";
    }
  };
  /** A table whose cells each belong to one column: the first of its rows has the heads. */
  const prepare = (table) => {
    const heads = cellsOf(table.tHead?.rows[0]).map(({ textContent }) => textContent.trim());
    const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
    const isPlain = table.tHead?.rows.length === 1 && rows.every(({ cells }) => cells.length === heads.length);
    if (!isPlain) return false;
    // Blocks are no table to some browsers, so their roles are written down.
    for (const [tags, role] of Object.entries(ROLES)) {
      for (const element of [table, ...table.querySelectorAll("*")])
        if (element.matches(tags)) element.setAttribute("role", role);
    }
    for (const head of table.querySelectorAll("th")) {
      head.setAttribute("role", head.closest("thead") ? "columnheader" : "rowheader");
    }
    for (const row of rows) for (const [at, cell] of cellsOf(row).entries()) cell.dataset.head = heads[at];
    for (const row of rows) for (const cell of row.cells) soften(cell);
    const texts = rows.flatMap((row) => cellsOf(row).map(({ textContent }) => textContent));
    table.dataset.blocks = String(texts.some(({ length }) => length > SENTENCE));
    return true;
  };
  const widths = new WeakMap();
  const fold = (place) => {
    if (!place.matches(".scroll") || widths.get(place) === place.clientWidth) return;
    widths.set(place, place.clientWidth);
    for (const table of place.querySelectorAll("table")) {
      table.classList.remove("blocks");
      if (!narrow.matches || (table.dataset.blocks === undefined && !prepare(table))) continue;
      const fits = place.scrollWidth <= place.clientWidth;
      table.classList.toggle("blocks", !fits || table.dataset.blocks === "true");
    }
  };

  const update = (element) => {
    fold(element);
    const hidden = element.scrollWidth - element.clientWidth;
    if (hidden > 0) element.tabIndex = 0;
    else element.removeAttribute("tabindex");
    element.classList.toggle("more-left", hidden > 0 && element.scrollLeft > 1);
    element.classList.toggle("more-right", hidden - element.scrollLeft > 1);
  };
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) update(target.closest(WIDE));
  });
  const follow = (place) => {
    for (const element of place.querySelectorAll(WIDE)) {
      observer.observe(element);
      // A plot grows within its frame once it is drawn.
      for (const child of element.children) observer.observe(child);
      element.addEventListener("scroll", () => update(element), { passive: true });
    }
  };
  follow(document);
  // What a cell puts out when it runs.
  const outputs = new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) if (node instanceof Element) follow(node);
  });
  for (const place of document.querySelectorAll(".outputs")) outputs.observe(place, { childList: true });
})();
