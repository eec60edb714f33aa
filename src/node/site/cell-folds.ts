/** Parts of a code cell that are closed at first, by the metadata that Jupyter and Jupyter Book share. */
import { escapeHtml } from "../../core/show/output/html.js";

export interface CellFolds {
  /** The whole cell: the tag "hide-cell". */
  readonly cell: boolean;
  /** The code: `jupyter.source_hidden` or the tag "hide-input". */
  readonly source: boolean;
  /** The outputs: `jupyter.outputs_hidden` or the tag "hide-output". */
  readonly outputs: boolean;
}

export function cellFolds(metadata: Readonly<Record<string, unknown>>): CellFolds {
  const { tags, jupyter } = metadata as { tags?: unknown; jupyter?: Readonly<Record<string, unknown>> };
  const tagged = (tag: string): boolean => Array.isArray(tags) && tags.includes(tag);
  const hidden = (part: string): boolean => jupyter?.[part] === true;
  const cell = tagged("hide-cell");
  return {
    cell,
    source: !cell && (hidden("source_hidden") || tagged("hide-input")),
    outputs: !cell && (hidden("outputs_hidden") || tagged("hide-output")),
  };
}

/** A part of a page that opens at its summary. */
export function foldedHtml(summary: string, html: string): string {
  return `<details><summary>${escapeHtml(summary)}</summary>\n${html}\n</details>`;
}
