/** A table as GitHub-flavoured Markdown; cell texts are escaped so that they read as they were given. */
import { checkArgument } from "../../base/shape.js";
import { cellTexts, columnHeader, type Table, tableShape } from "../table.js";

/** Characters that Markdown, HTML or a notebook's MathJax takes for markup inside a line. */
const MARKUP = /[\\`*_[\]<>&|~$]/g;
const ENTITIES: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", "&": "&amp;", $: "&#36;" };

function escapeText(text: string): string {
  return text
    .trim()
    .replace(MARKUP, (mark) => ENTITIES[mark] ?? `\\${mark}`)
    .replace(/\s*(?:\r\n|\r|\n)\s*/g, "<br>");
}

/** A paragraph whose first mark would else begin a heading, a list or a rule. */
function paragraph(text: string): string {
  return escapeText(text).replace(/^(\d*)([#+\-=.):])/, "$1\\$2");
}

/** Title in bold, the table with aligned columns, and the note below, each apart by an empty line. */
export function toMarkdown(table: Table): string {
  checkArgument("toMarkdown", "table", table, tableShape);
  const head = table.columns.map((column) => escapeText(columnHeader(column)));
  const rule = table.columns.map((column) => (column.align === "right" ? "---:" : ":---"));
  const body = cellTexts(table).map((cells) => cells.map(escapeText));
  const lines = [head, rule, ...body].map((cells) => `| ${cells.join(" | ")} |`);
  const title = table.title === "" ? [] : [`**${escapeText(table.title)}**`, ""];
  const note = table.note === "" ? [] : ["", paragraph(table.note)];
  return `${[...title, ...lines, ...note].join("\n")}\n`;
}
