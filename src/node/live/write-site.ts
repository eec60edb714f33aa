/** `npm run site`: the course's pages as they are kept, live in a browser, in a folder that any static host serves. */
import "../files-on-disk.js";
import "../platform.js";
import { mkdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { readNotebook } from "../notebook/notebook.js";
import type { Progress } from "../progress.mjs";
import { inCourseOrder, Site } from "../site/site.js";
import { CLANG_FOLDER, writeClang } from "./clang-files.js";
import { writeLiveAssets } from "./live-assets.js";
import { writeOffline } from "./offline.js";
import { takeOutPictures } from "./pictures.js";

const USAGE = `npm run site -- [FOLDER] [--no-cuda]
  FOLDER     where the pages are written; out/site if not given. Copy it to any web server, below any path.
  --no-cuda  leaves out the compiler of CUDA C++: ${CLANG_FOLDER}, 23 MB that a page loads when a cell asks for it`;

/**
 * @param root the folder with notebooks/
 * @param pathOf the full path of what the command's user names
 * @returns the exit code
 */
export async function writeSite(
  root: string,
  args: readonly string[],
  pathOf: (path: string) => string,
  progress: Progress,
): Promise<number> {
  let named: string | undefined;
  let withCuda = true;
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { help: { type: "boolean" }, "no-cuda": { type: "boolean" } },
    });
    if (values.help === true || positionals.length > 1) {
      progress.say(USAGE);
      return values.help === true ? 0 : 1;
    }
    [named] = positionals;
    withCuda = values["no-cuda"] !== true;
  } catch (error) {
    progress.say(`${(error as Error).message}\n${USAGE}`);
    return 1;
  }
  const out = named === undefined ? join(root, "out/site") : pathOf(named);
  const source = join(root, "notebooks");
  const kept = new Map(inCourseOrder(source).map((name) => [name, readNotebook(join(source, `${name}.ipynb`))]));
  mkdirSync(out, { recursive: true });
  await writeLiveAssets(out);
  if (!withCuda) rmSync(join(out, CLANG_FOLDER), { recursive: true, force: true });
  const hasCuda = withCuda && (await writeClang(out, true));
  new Site(source, out, kept, []).end();
  takeOutPictures(join(out, "notebooks"));
  writeOffline(out);
  progress.say(`Wrote ${kept.size} pages and ${relative(process.cwd(), join(out, "index.html"))}`);
  if (withCuda && !hasCuda) progress.say("Their cells take no CUDA C++: the package @yowasp/clang is not installed.");
  return 0;
}
