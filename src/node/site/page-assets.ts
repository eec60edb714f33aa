/** Copies the files that the course's pages load, so that they need no network. */
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { courseRoot } from "../course-root.js";
import { replaceFile } from "../setup/replace.js";
import { stepsScript } from "./front-warp.js";

function copy(from: string, to: string): void {
  replaceFile(to, readFileSync(from));
}

/** Writes `<folder>/assets/`: the style sheet, plotly without its comments and long names, and the pages' scripts. */
export function copyPageAssets(folder: string): void {
  mkdirSync(join(folder, "assets"), { recursive: true });
  for (const file of ["style.css", "plots.js", "frames.js", "run.js", "scroll.js"]) {
    copy(join(courseRoot(), "src/node/site/page", file), join(folder, "assets", file));
  }
  replaceFile(join(folder, "assets/steps.js"), stepsScript());
  const plotly = readFileSync(createRequire(import.meta.url).resolve("plotly.js-dist"), "utf8");
  replaceFile(join(folder, "assets/plotly.js"), transformSync(plotly, { minify: true, legalComments: "inline" }).code);
}
