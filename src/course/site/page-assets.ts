/** Copies the files that the course's pages load, so that they need no network. */
import { cpSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { courseRoot } from "../course-root.js";

/** Writes `<folder>/assets/`: the style sheet, plotly, and the pages' scripts. */
export function copyPageAssets(folder: string): void {
  mkdirSync(join(folder, "assets"), { recursive: true });
  for (const file of ["style.css", "plots.js", "run.js", "scroll.js"]) {
    cpSync(join(courseRoot(), "src/course/site/page", file), join(folder, "assets", file));
  }
  cpSync(createRequire(import.meta.url).resolve("plotly.js-dist"), join(folder, "assets/plotly.js"));
}
