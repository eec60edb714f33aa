/** A page's "Open": a file that the reader chooses, or drops anywhere, gives the cells their texts. */
import type { CellView } from "./cell-view.js";
import type { LivePage } from "./live-page.js";
import { openedTexts } from "./open-file.js";

export function chooseFile(open: (file: File) => void): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = ".ipynb,.ts";
  input.addEventListener("change", () => {
    const [file] = input.files ?? [];
    if (file !== undefined) open(file);
  });
  input.click();
}

/** A file that is dropped anywhere on the page is opened; an editor would take it as text. */
export function takeDropped(open: (file: File) => void): void {
  for (const kind of ["dragover", "drop"] as const) {
    addEventListener(
      kind,
      (event) => {
        if (event.dataTransfer?.types.includes("Files") !== true) return;
        event.preventDefault();
        event.stopPropagation();
        const [file] = event.dataTransfer.files;
        if (kind === "drop" && file !== undefined) open(file);
      },
      true,
    );
  }
}

export async function openFile(
  page: LivePage,
  file: File,
  edited: (cell: CellView) => void,
  say: LivePage["say"],
): Promise<void> {
  const { texts, left } = await openedTexts(file, page.cells, document.querySelector("h1")?.textContent ?? "");
  const others = [...texts].flatMap(([at, text]) => {
    const cell = page.cells[at];
    return cell === undefined || cell.text === text ? [] : [{ cell, text }];
  });
  for (const { cell, text } of others) {
    cell.replace(text);
    edited(cell);
  }
  const count = `${others.length} ${others.length === 1 ? "cell has" : "cells have"} the text of ${file.name} now. Undo has the text before.`;
  const missed = left === 0 ? "" : ` ${left} cells of the file have no place on this page.`;
  say(`${others.length === 0 ? `The cells are those of ${file.name} already.` : count}${missed}`, false);
}
