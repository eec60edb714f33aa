/** A warp that exchanges values: a row of lanes a step, and lines from the lanes that a value was taken from. */

import { InputError } from "../../base/errors.js";
import { checkOptions, type Fields, fieldsOf, finite, listOf, optional, string, whole } from "../../base/shape.js";
import { formatNumber, formatShape, type NumberFormat } from "../number-format.js";
import type { Figure, ScatterTrace } from "./figure.js";
import { plotText } from "./figure.js";
import type { FigureTexts } from "./frame.js";
import { withTexts } from "./frame.js";
import { cellSize, checkSteps, LANES, laneCells, laneFrame } from "./lane-figure.js";
import { guideColor, okabeIto } from "./palette.js";

const ROW_HEIGHT = 72;
const REST = "#dde6ee";

export interface ShuffleStep {
  /** "xor 16" */
  readonly label: string;
  /** The value of each lane after the step. */
  readonly values: readonly number[];
  /** The lane of the step before that each lane took a value from; itself for none. Left out in the first step. */
  readonly sources?: readonly number[];
}

export interface ShuffleFigureSpec extends FigureTexts {
  readonly steps: readonly ShuffleStep[];
  /** The lane whose last value is followed back to all lanes that it was added from. */
  readonly follow?: number;
  readonly format?: NumberFormat;
}

function isLane(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < LANES;
}

function checkExchange({ title, steps, follow }: ShuffleFigureSpec): void {
  checkSteps(
    title,
    steps.map(({ label, values }) => ({ label, length: values.length })),
  );
  if (follow !== undefined && !isLane(follow)) {
    throw new InputError({ what: `Figure "${title}" follows lane ${follow}.`, cure: "Follow a lane from 0 to 31." });
  }
  for (const { label, values, sources } of steps) {
    const wrong = values.findIndex((value) => !Number.isFinite(value));
    if (wrong >= 0) {
      throw new InputError({
        what: `Lane ${wrong} of step "${label}" holds ${values[wrong]}.`,
        cure: "Give finite numbers.",
      });
    }
    if (sources === undefined || (sources.length === LANES && sources.every(isLane))) continue;
    throw new InputError({
      what: `The sources of step "${label}" are ${sources.join(" ")}.`,
      cure: "Give a lane from 0 to 31 for each of the 32 lanes.",
    });
  }
}

/** For each step the lanes whose values end in the followed lane: it, and what each took and kept, step by step back. */
function followed(steps: readonly ShuffleStep[], follow: number | undefined): readonly ReadonlySet<number>[] {
  let lanes: ReadonlySet<number> = new Set(follow === undefined ? [] : [follow]);
  const byStep = [lanes];
  for (const { sources } of steps.slice(1).reverse()) {
    lanes = new Set([...lanes].flatMap((lane) => [lane, sources?.[lane] ?? lane]));
    byStep.unshift(lanes);
  }
  return byStep;
}

/** Lines between two rows: those that lead to the followed lane last, so that they lie on top. */
function lines(spec: ShuffleFigureSpec, leading: readonly ReadonlySet<number>[]): readonly ScatterTrace[] {
  const pale: ScatterTrace[] = [];
  const strong: ScatterTrace[] = [];
  for (const [index, { label, sources }] of spec.steps.entries()) {
    const before = spec.steps[index - 1];
    if (before === undefined || sources === undefined) continue;
    for (const [lane, source] of sources.entries()) {
      const leads = leading[index]?.has(lane) === true;
      const ends = source === lane ? (leads ? [lane] : []) : leads ? [lane, source] : [source];
      for (const from of ends) {
        (leads ? strong : pale).push({
          type: "scatter",
          mode: "lines",
          name: "value handed on",
          x: [from, lane],
          y: [plotText(before.label), plotText(label)],
          line: leads ? { color: okabeIto.vermillion, width: 2 } : { color: guideColor, width: 0.7 },
          hoverinfo: "skip",
          showlegend: false,
          cliponaxis: false,
        });
      }
    }
  }
  return [...pale, ...strong];
}

const SHUFFLE_FIGURE: Fields<ShuffleFigureSpec> = withTexts({
  steps: listOf(
    fieldsOf<ShuffleStep>({ label: string, values: listOf(finite), sources: optional(listOf(whole(0, 31))) }),
  ),
  follow: optional(whole(0, 31)),
  format: optional(formatShape),
});

/**
 * Draws values that lanes hand to each other. Grey lines lead from the lane that a value was taken from; the followed
 * lane's own, with all that were added to it, are coloured.
 * @throws InputError for a step without 32 values or sources, a repeated step, or a lane that a warp does not have.
 * @example
 * display(shuffleFigure({ title: "xor", steps: [{ label: "loaded", values }, { label: "xor 16", values: sums, sources }] }));
 */
export function shuffleFigure(spec: ShuffleFigureSpec): Figure {
  checkOptions("shuffleFigure", spec, SHUFFLE_FIGURE);
  checkExchange(spec);
  const { steps, follow, format } = spec;
  const leading = followed(steps, follow);
  const cells = steps.flatMap(({ label, values }, step) =>
    values.map((value, lane) => ({
      label,
      lane,
      text: formatNumber(value, format),
      color: leading[step]?.has(lane) === true ? okabeIto.vermillion : REST,
    })),
  );
  const cell = cellSize(cells.map(({ text }) => text));
  const rows = steps.map(({ label, values, sources }) => {
    const from = sources === undefined ? "" : `, taken from lanes ${sources.join(" ")}`;
    return `${label}: ${values.map((value) => formatNumber(value, format)).join(" ")}${from}`;
  });
  const root =
    follow === undefined ? "" : ` Lane ${follow} ends with values of ${leading[0]?.size ?? 0} lanes, drawn in colour.`;
  return laneFrame(
    spec,
    `Values that a warp's lanes exchange, by step. ${rows.join("; ")}.${root}`,
    steps.map(({ label }) => label),
    cell,
    [...lines(spec, leading), laneCells(cells, cell)],
    ROW_HEIGHT,
  );
}
