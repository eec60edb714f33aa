/** Pictures of a written site as files of their own: a page is shown before them, and a notebook and its page share them. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseNotebook } from "../../course/notebook/notebook.js";
import { replaceFile } from "../setup/replace.js";

const PICTURES = "pictures";
const PNG = "image/png";

/**
 * Takes them out of the pages and notebooks in `folder`. An output names its picture in its metadata; a page's "Download"
 * puts it back (live/page/download.ts).
 */
export function takeOutPictures(folder: string): void {
  rmSync(join(folder, PICTURES), { recursive: true, force: true });
  mkdirSync(join(folder, PICTURES));
  const written = new Set<string>();
  const address = (base64: string): string => {
    const bytes = Buffer.from(base64, "base64");
    const name = `${PICTURES}/${createHash("sha256").update(bytes).digest("hex").slice(0, 16)}.png`;
    if (!written.has(name)) replaceFile(join(folder, name), bytes);
    written.add(name);
    return name;
  };
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (name.endsWith(".html")) {
      const page = readFileSync(file, "utf8");
      const inPage = /src="data:image\/png;base64,([A-Za-z0-9+/=]+)"/g;
      replaceFile(
        file,
        page.replace(inPage, (_, base64: string) => `src="${address(base64)}" loading="lazy"`),
      );
    }
    if (!name.endsWith(".ipynb")) continue;
    const notebook = parseNotebook(name, JSON.parse(readFileSync(file, "utf8")));
    const cells = notebook.cells.map((cell) => {
      if (cell.cell_type !== "code") return cell;
      const outputs = cell.outputs.map((output) => {
        if (!("data" in output)) return output;
        const { [PNG]: png, ...data } = output.data;
        return typeof png === "string"
          ? { ...output, data, metadata: { ...output.metadata, picture: address(png) } }
          : output;
      });
      return { ...cell, outputs };
    });
    replaceFile(file, JSON.stringify({ ...notebook, cells }));
  }
}
