/** What the course's pages need beside them, so that they ask nothing of the network. */
import { cpSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { courseRoot } from "../course-root.js";

/** Writes `<folder>/assets/`: the style sheet, plotly, what draws the figures with it, and what follows a run. */
export function copyPageAssets(folder: string): void {
  mkdirSync(join(folder, "assets"), { recursive: true });
  for (const file of ["style.css", "plots.js", "run.js"]) {
    cpSync(join(courseRoot(), "src/course/site/page", file), join(folder, "assets", file));
  }
  cpSync(createRequire(import.meta.url).resolve("plotly.js-dist"), join(folder, "assets/plotly.js"));
}
