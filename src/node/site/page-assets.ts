/** Copies the files that the course's pages load, so that they need no network. */
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { courseRoot } from "../course-root.js";
import { replaceFile } from "../setup/replace.js";
import { stepsScript } from "./front-warp.js";

function copy(from: string, to: string): void {
  replaceFile(to, readFileSync(from));
}

/** Writes `<folder>/assets/`: the style sheet, the part of plotly that draws lines, points and bars, and the pages' scripts. */
export function copyPageAssets(folder: string): void {
  mkdirSync(join(folder, "assets"), { recursive: true });
  for (const file of ["style.css", "plots.js", "frames.js", "run.js", "scroll.js"]) {
    copy(join(courseRoot(), "src/node/site/page", file), join(folder, "assets", file));
  }
  replaceFile(join(folder, "assets/steps.js"), stepsScript());
  copy(createRequire(import.meta.url).resolve("plotly.js-basic-dist-min"), join(folder, "assets/plotly.js"));
}
