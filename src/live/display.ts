/** What display makes of tables and figures on a page: a figure's picture is SVG. */

import { InputError } from "../core/base/errors.js";
import { checkArgument } from "../core/base/shape.js";
import {
  type DisplayData,
  type Displayed,
  displayShape,
  figureData,
  stepsData,
  tableData,
  type View,
  viewsOf,
} from "../core/show/display-data.js";
import { toSvg } from "../core/show/output/svg.js";
import { STEPS_MIME } from "../core/show/steps.js";

let write: (data: DisplayData) => void = () => {};

/** Says where `display` shows: in the running cell. */
export function showIn(place: (data: DisplayData) => void): void {
  write = place;
}

export function bundleOf(item: View): DisplayData {
  if (item.kind === "steps") return stepsData(item, { [STEPS_MIME]: item });
  return item.kind === "figure" ? figureData(item, { "image/svg+xml": toSvg(item) }) : tableData(item);
}

/** Shows figures, tables and recorded blocks in the running cell. */
export function display(...items: readonly Displayed[]): void {
  checkArgument("display", "items", items, displayShape);
  for (const item of viewsOf(items)) write(bundleOf(item));
}

/** A page draws SVG; PNG is Node's. */
export function toPng(): never {
  throw new InputError({
    what: "toPng needs Node: a page has no writer of PNG.",
    cure: "Call toSvg(figure): it gives the same picture as text. Or run this in Node, where toPng is.",
  });
}

/** A page reaches no file. */
export function loadCuda(): never {
  throw new InputError({
    what: "loadCuda needs Node: a page's cells read no files.",
    cure: "Put the file's text between cuda` and `: const { reduce } = cuda`__global__ void reduce(...) { ... }`.",
  });
}
