/** Stall stacks: the cycles that a warp needs for an instruction, by what it does in them; several launches below each other. */

import { InputError } from "../../base/errors.js";
import {
  boolean,
  checkArgument,
  checkOptions,
  listOf,
  objectWith,
  optional,
  type Shape,
  string,
} from "../../base/shape.js";
import type { LaunchResult } from "../../host/launch-result.js";
import { launchShape } from "../../profile/launch-shape.js";
import { STALL_REASONS, type StallReason } from "../../timing/index.js";
import { formatNumber } from "../number-format.js";
import { wrapText } from "../text-width.js";
import type { Figure, ScatterTrace } from "./figure.js";
import { plotText } from "./figure.js";
import { type FigureTexts, makeFigure, sizes, withFreeTexts } from "./frame.js";
import { guideColor, textOn } from "./palette.js";
import { type StateGroup, stateGroups, stateName, stateTrace } from "./state-traces.js";
import { linearTicks } from "./ticks.js";

/** A launch with the name that its bar gets. */
export interface NamedLaunch {
  readonly name: string;
  readonly launch: Pick<LaunchResult, "time">;
}

export interface StallFigureOptions extends Partial<FigureTexts> {
  /** Shares of 100 percent instead of cycles; false unless given. */
  readonly shares?: boolean;
}

const ROW = 46;
const BAR = 28;
const NAME_WIDTH = 110;
/** Share of the axis: a shorter piece has no number. */
const LEAST_WRITTEN = 0.07;
/** Share of a bar: a shorter piece is not told in words. */
const LEAST_SHOWN = 0.002;

interface Bar {
  readonly name: string;
  readonly total: number;
  readonly pieces: readonly { readonly state: StallReason; readonly from: number; readonly to: number }[];
}

function barOf({ name, launch }: NamedLaunch, shares: boolean): Bar {
  const { stalls } = launch.time;
  const sum = STALL_REASONS.reduce((all, state) => all + stalls[state], 0);
  const scale = shares && sum > 0 ? 100 / sum : 1;
  let at = 0;
  const pieces = STALL_REASONS.map((state) => {
    const from = at;
    at += stalls[state] * scale;
    return { state, from, to: at };
  });
  return { name, total: at, pieces };
}

/** The longest piece of each state. */
function sizesOf(bars: readonly Bar[]): ReadonlyMap<StallReason, number> {
  const sizes = new Map<StallReason, number>();
  for (const { state, from, to } of bars.flatMap(({ pieces }) => pieces)) {
    sizes.set(state, Math.max(sizes.get(state) ?? 0, to - from));
  }
  return sizes;
}

function altText(bars: readonly Bar[], unit: string): string {
  const texts = bars.map(({ name, total, pieces }) => {
    const parts = pieces
      .map(({ state, from, to }) => ({ state, size: to - from }))
      .filter(({ size }) => size > LEAST_SHOWN * total)
      .sort((a, b) => b.size - a.size)
      .map(({ state, size }) => `${stateName(state)} ${formatNumber(size, { significant: 3 })}`);
    return `${name}: ${formatNumber(total, { significant: 3 })} in all, ${parts.join(", ")}`;
  });
  return `Stall stack, ${unit}, predicted. ${texts.join("; ")}.`;
}

/** The pieces' lengths, written where they have room. */
function numbers(bars: readonly Bar[], end: number, groups: readonly StateGroup[]): ScatterTrace {
  const named = new Map(
    groups.flatMap(({ states, color }) => (states.length === 1 ? [[states[0], color] as const] : [])),
  );
  const written = bars.flatMap(({ pieces }, row) =>
    pieces
      .filter(({ state, from, to }) => named.has(state) && to - from >= LEAST_WRITTEN * end)
      .map((piece) => ({ ...piece, row })),
  );
  return {
    type: "scatter",
    mode: "text",
    name: "numbers",
    showlegend: false,
    hoverinfo: "skip",
    x: written.map(({ from, to }) => (from + to) / 2),
    y: written.map(({ row }) => row),
    text: written.map(({ from, to }) => formatNumber(to - from, { significant: 2 })),
    textposition: "middle center",
    textfont: { size: 12, color: written.map(({ state }) => textOn(named.get(state) ?? guideColor)) },
  };
}

const namedLaunch: Shape = objectWith({ name: string, launch: launchShape }, "{ name, launch }");

/**
 * The stall stacks of launches, as Nsight Compute's Warp State section has them: warp cycles an issued instruction.
 * @throws InputError for no launch, or two of one name.
 * @example
 * display(stallFigure([{ name: "interleaved", launch: before }, { name: "sequential", launch: after }]));
 */
export function stallFigure(launches: readonly NamedLaunch[], options: StallFigureOptions = {}): Figure {
  checkArgument("stallFigure", "launches", launches, listOf(namedLaunch));
  checkOptions<StallFigureOptions>("stallFigure", options, withFreeTexts({ shares: optional(boolean) }));
  const { shares = false, ...texts } = options;
  const names = launches.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (launches.length === 0 || repeated !== undefined) {
    throw new InputError({
      what: repeated === undefined ? "stallFigure was given no launch." : `Two launches are named "${repeated}".`,
      cure: 'Give each launch with its own name: stallFigure([{ name: "v1", launch }]).',
    });
  }
  const bars = launches.map((each) => barOf(each, shares));
  const end = Math.max(...bars.map(({ total }) => total)) || 1;
  const groups = stateGroups(sizesOf(bars));
  const unit = shares ? "percent of the warps' cycles" : "warp cycles an instruction";
  const traces = groups.map(({ name, color, states }) =>
    stateTrace({
      name,
      color,
      width: BAR,
      pieces: bars.flatMap(({ pieces }, row) =>
        pieces.filter(({ state }) => states.includes(state)).map(({ from, to }) => ({ row, from, to })),
      ),
      hover: `${name}<extra></extra>`,
    }),
  );
  return makeFigure({
    texts: {
      title: launches.length === 1 ? `${names[0]}: stall stack` : "Stall stacks",
      subtitle: `${unit}, predicted`,
      ...texts,
    },
    alt: altText(bars, unit),
    data: [...traces, numbers(bars, end, groups)],
    plotHeight: bars.length * ROW + 12,
    xaxis: {
      type: "linear",
      title: shares ? "Share of warp cycles (%)" : "Warp cycles an issued instruction",
      range: [0, end * 1.02],
      ticks: linearTicks(0, end, 6),
      grid: true,
    },
    yaxis: {
      type: "linear",
      title: "",
      range: [bars.length - 0.4, -0.6],
      ticks: {
        values: [...bars.keys()],
        texts: names.map((name) => wrapText(name, NAME_WIDTH, sizes.tick).map(plotText).join("<br>")),
      },
      grid: false,
    },
    narrow: true,
  });
}
