/** A table as an HTML fragment that stands without any style sheet and survives the sanitizers of notebooks. */
import { checkArgument } from "../../base/shape.js";
import { cellTexts, columnHeader, type Table, tableShape } from "../table.js";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text for an HTML element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? mark);
}

/** `<table class="warplab-table">` with a caption, header cells with scope, and the note as a last row's text. */
export function toHtml(table: Table): string {
  checkArgument("toHtml", "table", table, tableShape);
  // GitHub's sanitizer drops style attributes and keeps align; JupyterLab's own style sheet outweighs align alone.
  const aligned = table.columns.map(({ align }) => `align="${align}" style="text-align:${align}"`);
  const head = table.columns.map(
    (column, index) => `<th scope="col" ${aligned[index]}>${escapeHtml(columnHeader(column))}</th>`,
  );
  const body = cellTexts(table).map((cells) => {
    const tags = cells.map((text, index) => `<td ${aligned[index]}>${escapeHtml(text).replace(/\r?\n/g, "<br>")}</td>`);
    return `<tr>${tags.join("")}</tr>`;
  });
  const note = `<tfoot><tr><td colspan="${table.columns.length}" align="left" style="text-align:left">${escapeHtml(table.note)}</td></tr></tfoot>`;
  return [
    '<table class="warplab-table">',
    ...(table.title === "" ? [] : [`<caption>${escapeHtml(table.title)}</caption>`]),
    `<thead><tr>${head.join("")}</tr></thead>`,
    "<tbody>",
    ...body,
    "</tbody>",
    ...(table.note === "" ? [] : [note]),
    "</table>",
    "",
  ].join("\n");
}
