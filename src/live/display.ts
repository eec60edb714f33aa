/** What display makes of tables and figures on a page: a figure's picture is SVG. */

import { InputError } from "../core/base/errors.js";
import { checkArgument } from "../core/base/shape.js";
import {
  type DisplayData,
  type Displayed,
  displayShape,
  figureData,
  tableData,
  viewsOf,
} from "../core/show/display-data.js";
import type { Figure } from "../core/show/figures/figure.js";
import { toSvg } from "../core/show/output/svg.js";
import type { Table } from "../core/show/table.js";

let write: (data: DisplayData) => void = () => {};

/** Says where `display` shows: in the running cell. */
export function showIn(place: (data: DisplayData) => void): void {
  write = place;
}

export function bundleOf(item: Figure | Table): DisplayData {
  return item.kind === "figure" ? figureData(item, { "image/svg+xml": toSvg(item) }) : tableData(item);
}

/** Shows figures and tables in the running cell. */
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
