/** A file that a reader opens again: a page's notebook as it was downloaded, or an answer as `npm run grade` takes it. */
import { type Notebook, parseNotebook } from "../../course/notebook/notebook.js";

/** Beyond it no notebook of the course is. */
const MOST_BYTES = 20_000_000;

/** What the page has of a cell. */
export interface OpenableCell {
  readonly id: string;
  readonly own: string;
}

export interface OpenedTexts {
  /** By the cell's index among the page's. */
  readonly texts: ReadonlyMap<number, string>;
  /** Code cells of the file that the page has no place for. */
  readonly left: number;
}

const plain = (text: string): string => text.replace(/[`*_]/g, "").replace(/\s+/g, " ").trim();

/** The notebook's first heading; empty where it has none. */
function headingOf({ cells }: Notebook): string {
  for (const { cell_type, source } of cells) {
    const heading = cell_type === "markdown" ? /^#\s+(.+)$/m.exec(source)?.[1] : undefined;
    if (heading !== undefined) return plain(heading);
  }
  return "";
}

function ofNotebook(notebook: Notebook, cells: readonly OpenableCell[], title: string): OpenedTexts {
  const heading = headingOf(notebook);
  if (heading !== plain(title)) {
    throw new Error(`The file is the notebook of "${heading}", and this page is "${plain(title)}". Open it there.`);
  }
  const code = notebook.cells.filter(({ cell_type, source }) => cell_type === "code" && source.trim() !== "");
  // An editor may have written the notebook without the cells' ids.
  const byId = code.some(({ id }) => cells.some((cell) => cell.id === id));
  const texts = new Map<number, string>();
  for (const [index, { id, source }] of code.entries()) {
    const at = byId ? cells.findIndex((cell) => cell.id === id) : index;
    if (at >= 0 && at < cells.length) texts.set(at, source);
  }
  return { texts, left: code.length - texts.size };
}

function ofAnswer(text: string, cells: readonly OpenableCell[]): OpenedTexts {
  const at = cells.findIndex(({ own }) => /^(?:export )?const answer\b/m.test(own));
  if (at < 0)
    throw new Error("This page has no exercise whose answer the file could be. Open it on the exercise's page.");
  if (!/\banswer\b/.test(text))
    throw new Error("The file declares no answer: it begins with export const answer = ...");
  return { texts: new Map([[at, text.trimEnd()]]), left: 0 };
}

/**
 * @param title the page's own
 * @throws Error that says why the file cannot be opened here
 */
export async function openedTexts(file: File, cells: readonly OpenableCell[], title: string): Promise<OpenedTexts> {
  const { name, size } = file;
  if (!/\.(ipynb|ts)$/.test(name)) {
    throw new Error(`A page opens a notebook (.ipynb) or an answer in TypeScript (.ts); ${name} is neither.`);
  }
  if (size > MOST_BYTES)
    throw new Error(`${name} has ${Math.round(size / 1e6)} MB; a page's notebook has less than 20.`);
  const text = await file.text();
  if (name.endsWith(".ts")) return ofAnswer(text, cells);
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw new Error(`${name} is broken: a notebook is JSON, and this is none. Download it again.`);
  }
  return ofNotebook(parseNotebook(name, data), cells, title);
}
