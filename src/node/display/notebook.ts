/**
 * Shows a figure or a table in a notebook. The only file that knows tslab. Outside of tslab the text form goes to stdout.
 */
import { createRequire } from "node:module";
import { checkArgument } from "../../core/base/shape.js";
import {
  type DisplayData,
  type Displayed,
  displayShape,
  figureData,
  stepsData,
  tableData,
  type View,
  viewsOf,
} from "../../core/show/display-data.js";
import type { Figure } from "../../core/show/figures/figure.js";
import { terminalStyle, toText } from "../../core/show/output/plain-text.js";
import { toSvg } from "../../core/show/output/svg.js";
import { toPng } from "./png.js";

type WriteDisplayData = (data: DisplayData, update: boolean) => void;

const TSLAB_JUPYTER = /[\\/]tslab[\\/]dist[\\/]jupyter\.js$/;

/**
 * The notebook's writer, if this process runs one. tslab keeps it in its module `dist/jupyter.js`, which is
 * looked up among those already loaded. The tslab that runs the notebook may be another copy (a global one) than the one
 * beside this package. Loading tslab here would also take seconds for nothing.
 */
function notebookWriter(): WriteDisplayData | undefined {
  const { cache } = createRequire(import.meta.url);
  for (const [path, module] of Object.entries(cache)) {
    if (!TSLAB_JUPYTER.test(path)) continue;
    const write: unknown = module?.exports?.lastWriteDisplayData;
    if (typeof write === "function") return write as WriteDisplayData;
  }
  return undefined;
}

/** A figure with its picture as PNG. */
export function figureBundle(figure: Figure): DisplayData {
  try {
    return figureData(figure, { "image/png": Buffer.from(toPng(figure)).toString("base64") });
  } catch (error) {
    // No add-on for this platform: SVG still shows in most front ends, and the text says what is missing.
    const problem = error instanceof Error ? error.message : String(error);
    return figureData(
      figure,
      { "image/svg+xml": toSvg(figure) },
      `\n(shown as SVG, for a PNG could not be made: ${problem})`,
    );
  }
}

export function bundleOf(item: View): DisplayData {
  if (item.kind === "steps") return stepsData(item);
  return item.kind === "figure" ? figureBundle(item) : tableData(item);
}

/** Shows figures, tables and recorded blocks in the notebook's cell; outside of a notebook writes them as text to stdout. */
export function display(...items: readonly Displayed[]): void {
  checkArgument("display", "items", items, displayShape);
  const write = notebookWriter();
  for (const item of viewsOf(items)) {
    if (write !== undefined) {
      write(bundleOf(item), false);
      continue;
    }
    const style = terminalStyle(process.stdout, process.env);
    process.stdout.write(item.kind === "table" ? toText(item, style) : `${item.title}\n${item.alt}\n`);
  }
}
