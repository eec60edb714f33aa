/** The claims of the course's sources that its pages put right, each with the evidence of its own cell. */
import type { CodeCell, Notebook, Output } from "../../course/notebook/notebook.js";

export interface Erratum {
  readonly page: string;
  /** The heading under which it stands. */
  readonly section: string;
  /** Markdown, without the quote's marks and its first words. */
  readonly text: string;
  /** The outputs of the cell before it, as Markdown; empty where no cell comes before it. */
  readonly evidence: string;
}

const MARK = "**Put right.**";

function fenced(text: string): string {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
}

/** Tables as Markdown, printed lines as they are; a picture by the text that says the same. */
function outputMarkdown(output: Output): string {
  if (output.output_type === "stream") return output.name === "stdout" ? fenced(output.text) : "";
  if (output.output_type === "error") return fenced(`${output.ename}: ${output.evalue}`);
  const { "text/markdown": marked, "text/plain": plain } = output.data;
  if (typeof marked === "string") return marked.trimEnd();
  return typeof plain === "string" ? fenced(plain) : "";
}

function evidenceOf(cell: CodeCell | undefined): string {
  return (cell?.outputs ?? [])
    .map(outputMarkdown)
    .filter((text) => text !== "")
    .join("\n\n");
}

/** All "Put right" quotes of a page, in their order. */
export function errataOf(page: string, notebook: Notebook): readonly Erratum[] {
  const errata: Erratum[] = [];
  let section = "";
  let before: CodeCell | undefined;
  for (const cell of notebook.cells) {
    if (cell.cell_type === "code") {
      if (cell.source.trim() !== "") before = cell;
      continue;
    }
    for (const block of cell.source.split(/\n\s*\n/)) {
      const [, heading] = /^#+\s+(.+)$/m.exec(block) ?? [];
      if (heading !== undefined) section = heading;
      if (!block.startsWith(`> ${MARK}`)) continue;
      const text = block.replace(/^> ?/gm, "").slice(MARK.length).trim();
      errata.push({ page, section, text, evidence: evidenceOf(before) });
    }
  }
  return errata;
}
