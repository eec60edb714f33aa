/** The page's notebook with the reader's own cells and their outputs. */
import { type Notebook, notebookText, type Output, parseNotebook } from "../../course/notebook/notebook.js";
import type { CellView } from "./cell-view.js";

/** Cells that the reader has not run keep their outputs, if their text is the page's. */
export function withCells(notebook: Notebook, cells: readonly CellView[]): Notebook {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  return {
    ...notebook,
    cells: notebook.cells.map((cell) => {
      const view = byId.get(cell.id ?? "");
      if (cell.cell_type !== "code" || view === undefined) return cell;
      const { text: source, count, outputs } = view;
      if (count !== null) return { ...cell, source, execution_count: count, outputs };
      return source === cell.source ? cell : { ...cell, source, execution_count: null, outputs: [] };
    }),
  };
}

async function base64(address: string): Promise<string> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} is not there (${response.status}).`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** The pictures that a site keeps as files of their own (node/live/pictures.ts). */
async function withPicture(output: Output): Promise<Output> {
  if (!("data" in output) || typeof output.metadata.picture !== "string") return output;
  const { picture, ...metadata } = output.metadata;
  return { ...output, metadata, data: { ...output.data, "image/png": await base64(picture as string) } };
}

async function withPictures(notebook: Notebook): Promise<Notebook> {
  const cells = notebook.cells.map(async (cell) =>
    cell.cell_type === "code" ? { ...cell, outputs: await Promise.all(cell.outputs.map(withPicture)) } : cell,
  );
  return { ...notebook, cells: await Promise.all(cells) };
}

/** @param cells the page's; none for the notebook as it is kept */
export async function downloadNotebook(name: string, cells: readonly CellView[]): Promise<void> {
  const file = `${name}.ipynb`;
  const response = await fetch(encodeURIComponent(file));
  if (!response.ok) throw new Error(`${file} is not there (${response.status}).`);
  const notebook = await withPictures(withCells(parseNotebook(file, await response.json()), cells));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([notebookText(notebook)], { type: "application/x-ipynb+json" }));
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
