/**
 * Warps over cycles by state. The row above them is the scheduler's issue slot. With the other warps left out it shows how
 * little one warp fills it. With them it shows how they hide its latency.
 */

import { InputError } from "../../base/errors.js";
import {
  amount,
  boolean,
  checkArgument,
  checkOptions,
  either,
  type Fields,
  oneOf,
  optional,
  whole,
} from "../../base/shape.js";
import type { Timeline } from "../../host/timeline.js";
import { timelineShape } from "../../host/timeline.js";
import type { StallReason, WarpStates } from "../../timing/index.js";
import { formatNumber } from "../number-format.js";
import type { Figure, ScatterTrace } from "./figure.js";
import { type FigureTexts, makeFigure, withFreeTexts } from "./frame.js";
import { guideColor } from "./palette.js";
import { type Piece, stateColors, stateGroups, stateName, stateTrace } from "./state-traces.js";
import { linearTicks, type Ticks } from "./ticks.js";

export interface TimelineFigureOptions extends Partial<FigureTexts> {
  /** The cycles shown; all that were recorded unless given. */
  readonly from?: number;
  readonly to?: number;
  /** The scheduler whose warps are shown, from 0; 0 unless given. */
  readonly scheduler?: number | "all";
  /** The warp that is shown alone if `others` is false: its place among the warps shown, from 0; 0 unless given. */
  readonly warp?: number;
  /** Whether the other warps are shown; true unless given. */
  readonly others?: boolean;
}

const PLOT_HEIGHT = 400;
const HIGHEST_ROW = 22;
const MOST_NAMED_ROWS = 20;
/** Shares of a row's height: warps that issue or could are taller than those that wait, which a print in grey shows, too. */
const TALL = 0.86;
const LOW = 0.42;
/** Row of the scheduler's issue slot, above those of the warps. */
const ISSUE_ROW = -1.4;

const percent = (share: number): string => formatNumber(share, { scale: 100, decimals: 0, suffix: " %" });

interface Shown {
  readonly from: number;
  readonly to: number;
  readonly warps: readonly WarpStates[];
  /** Schedulers whose slots are shown. */
  readonly schedulers: number;
  readonly where: string;
}

function refuse(what: string, cure: string): never {
  throw new InputError({ what: `timelineFigure: ${what}.`, cure });
}

function shownOf(timeline: Timeline, options: TimelineFigureOptions): Shown {
  const { cycles, schedulers, warps } = timeline;
  const { from = 0, to = cycles, scheduler = 0, warp = 0, others = true } = options;
  if (!(from >= 0 && from < to && to <= cycles)) {
    refuse(`cycles ${from} to ${to} are asked for`, `Name some between 0 and ${cycles}, which are recorded.`);
  }
  if (scheduler !== "all" && !(Number.isInteger(scheduler) && scheduler >= 0 && scheduler < schedulers)) {
    refuse(`there is no scheduler ${scheduler}`, `Name one from 0 to ${schedulers - 1}, or "all".`);
  }
  const mine = warps.filter(
    (each) =>
      (scheduler === "all" || each.scheduler === scheduler) &&
      each.stretches.some((stretch) => stretch.to > from && stretch.from < to),
  );
  if (mine.length === 0) refuse(`scheduler ${scheduler} has no warp then`, "Show another scheduler or other cycles.");
  const one = mine[warp];
  if (one === undefined) refuse(`there is no warp ${warp}`, `Name one from 0 to ${mine.length - 1}.`);
  return {
    from,
    to,
    warps: others ? mine : [one],
    schedulers: scheduler === "all" ? schedulers : 1,
    where: scheduler === "all" ? "all schedulers" : `scheduler ${scheduler}`,
  };
}

/** Cycles of the shown ones in each state. */
function cyclesByState({ warps, from, to }: Shown): ReadonlyMap<StallReason, number> {
  const cycles = new Map<StallReason, number>();
  for (const { stretches } of warps) {
    for (const { state, from: start, to: end } of stretches) {
      const span = Math.min(end, to) - Math.max(start, from);
      if (span > 0) cycles.set(state, (cycles.get(state) ?? 0) + span);
    }
  }
  return cycles;
}

function piecesOf({ warps, from, to }: Shown, state: StallReason): readonly Piece[] {
  return warps.flatMap(({ stretches }, row) =>
    stretches
      .filter((stretch) => stretch.state === state && stretch.to > from && stretch.from < to)
      .map((stretch): Piece => ({ row, from: Math.max(from, stretch.from), to: Math.min(to, stretch.to) })),
  );
}

function warpName({ block, warp }: WarpStates): string {
  return `b${block} w${warp}`;
}

/** Every row has its name where there is room, else the first warp of each block. */
function rowTicks(warps: readonly WarpStates[]): Ticks {
  const every = Math.ceil(warps.length / MOST_NAMED_ROWS);
  const rows = [...warps.keys()].filter((row) => row % every === 0);
  return { values: [ISSUE_ROW, ...rows], texts: ["issues", ...rows.map((row) => warpName(warps[row]!))] };
}

function issueTraces(shown: Shown, rowHeight: number): readonly ScatterTrace[] {
  const { from, to } = shown;
  const issues = piecesOf(shown, "selected").map((piece): Piece => ({ ...piece, row: ISSUE_ROW }));
  const base = { width: TALL * rowHeight, hover: "cycle %{x}: the scheduler issues<extra></extra>" };
  return [
    {
      ...stateTrace({ ...base, name: "no issue", color: guideColor, width: 2, pieces: [{ row: ISSUE_ROW, from, to }] }),
      showlegend: false,
    },
    {
      ...stateTrace({ ...base, name: "issues", color: stateColors.selected, pieces: issues }),
      showlegend: false,
    },
  ];
}

function altText(timeline: Timeline, shown: Shown, cycles: ReadonlyMap<StallReason, number>): string {
  const { from, to, warps, where, schedulers } = shown;
  const all = [...cycles.values()].reduce((sum, each) => sum + each, 0);
  const states = [...cycles]
    .sort(([, a], [, b]) => b - a)
    .map(([state, each]) => `${stateName(state)} ${percent(each / all)}`);
  const busy = percent((cycles.get("selected") ?? 0) / ((to - from) * schedulers));
  const who = warps.length === 1 ? `warp ${warps[0]!.warp} of block ${warps[0]!.block}` : `${warps.length} warps`;
  return `Timeline of ${who} of ${timeline.kernel}, ${where} of one SM of ${timeline.device}, cycles ${from} to ${to}, predicted. They issue in ${busy} of the cycles. Their states: ${states.join(", ")}.`;
}

const TIMELINE_FIGURE: Fields<TimelineFigureOptions> = withFreeTexts({
  from: optional(amount),
  to: optional(amount),
  scheduler: optional(either(oneOf("all"), whole(0))),
  warp: optional(whole(0)),
  others: optional(boolean),
});

/**
 * Draws a timeline. With `others: false` one warp stands alone.
 * @throws InputError for cycles, a scheduler or a warp that the timeline has not.
 * @example
 * const run = timeline(launch, { cycles: 600 });
 * display(timelineFigure(run, { others: false }), timelineFigure(run));
 */
export function timelineFigure(timeline: Timeline, options: TimelineFigureOptions = {}): Figure {
  checkArgument("timelineFigure", "timeline", timeline, timelineShape);
  checkOptions("timelineFigure", options, TIMELINE_FIGURE);
  const { from: _from, to: _to, scheduler: _scheduler, warp: _warp, others: _others, ...texts } = options;
  const shown = shownOf(timeline, options);
  const { from, to, warps, where, schedulers } = shown;
  const rows = warps.length - ISSUE_ROW + 0.5;
  const rowHeight = Math.min(HIGHEST_ROW, PLOT_HEIGHT / rows);
  const cycles = cyclesByState(shown);
  const traces = stateGroups(cycles).map(({ name, color, states }) => {
    const tall = states.includes("selected") || states.includes("not_selected");
    return stateTrace({
      name,
      color,
      width: (tall ? TALL : LOW) * rowHeight,
      pieces: states.flatMap((state) => piecesOf(shown, state)),
      hover: `cycle %{x}: ${name}<extra></extra>`,
    });
  });
  const busy = percent((cycles.get("selected") ?? 0) / ((to - from) * schedulers));
  return makeFigure({
    texts: {
      title: `${timeline.kernel}: warps over cycles`,
      subtitle: `${where}, ${timeline.device}, predicted; issues in ${busy} of cycles`,
      ...texts,
    },
    alt: altText(timeline, shown, cycles),
    data: [...traces, ...issueTraces(shown, rowHeight)],
    plotHeight: Math.ceil(rows * rowHeight),
    xaxis: { type: "linear", title: "Cycle", range: [from, to], ticks: linearTicks(from, to), grid: false },
    yaxis: {
      type: "linear",
      title: "",
      range: [warps.length - 0.5, ISSUE_ROW - 0.6],
      ticks: rowTicks(warps),
      grid: false,
    },
    narrow: true,
  });
}
