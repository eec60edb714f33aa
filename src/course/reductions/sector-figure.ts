/** The 32-byte sectors of global memory that a warp's load touches, lane by lane. */

import { InputError } from "../../core/base/errors.js";
import { checkArgument } from "../../core/base/shape.js";
import { visitsShape } from "../../core/profiler/watch-accesses.js";
import type { Figure } from "../../core/show/figures/figure.js";
import type { FigureTexts } from "../../core/show/figures/frame.js";
import { checkTexts } from "../../core/show/figures/frame.js";
import type { LaneKind } from "../../core/show/figures/lane-figure.js";
import { guideColor, okabeIto } from "../../core/show/figures/palette.js";
import { type NumberedRow, numberedLanesFigure, usedKinds } from "./numbered-lanes.js";
import type { LineVisit } from "./watch-line.js";

const SECTOR_BYTES = 32;

const OPENS = "first lane in a sector";
const SHARES = "in a sector that another lane asked for";
const NONE = "loads nothing";

/**
 * The sector that each lane's first load of the line touches; sectors count from the array's start. The coloured cells of a row
 * are the sectors that the request has to fetch.
 * @throws InputError where the line loads nothing from global memory.
 * @example
 * display(sectorFigure(watchLine(gpu, neighbored, { line: "+=", block: 256 })));
 */
export function sectorFigure(visits: readonly LineVisit[], texts: Partial<FigureTexts> = {}): Figure {
  checkArgument("sectorFigure", "visits", visits, visitsShape);
  checkTexts("sectorFigure", texts);
  const rows = visits.map(({ label, accesses }, at): NumberedRow => {
    const [load, second] = accesses.filter(({ kind, space }) => kind === "load" && space === "global");
    if (load === undefined) {
      throw new InputError({
        what: `At ${label} the line loads nothing from global memory.`,
        cure: 'Watch a line that does: watchLine(gpu, kernel, { line: "input[" }).',
      });
    }
    const sectors = load.elements.map((element) =>
      element === null ? null : Math.floor((element * load.elementBytes) / SECTOR_BYTES),
    );
    const kinds = sectors.map((sector, lane): string =>
      sector === null ? NONE : sectors.indexOf(sector) === lane ? OPENS : SHARES,
    );
    const lane = load.elements.findIndex((element) => element !== null);
    const distance = (second?.elements[lane] ?? Number.NaN) - (load.elements[lane] ?? Number.NaN);
    const count = kinds.filter((kind) => kind === OPENS).length;
    const name = Number.isNaN(distance) ? `${at + 1}. ${label}` : `offset ${distance}`;
    return { label: `${name}: ${count} ${count === 1 ? "sector" : "sectors"}`, numbers: sectors, kinds };
  });
  const kinds: readonly LaneKind[] = [
    { name: OPENS, color: okabeIto.vermillion, symbol: "square" },
    { name: SHARES, color: okabeIto.sky, symbol: "square" },
    { name: NONE, color: guideColor, symbol: "square-open" },
  ];
  const title = "The sector that each lane loads from";
  return numberedLanesFigure({ title, ...texts }, "Sectors", usedKinds(kinds, rows), rows);
}
