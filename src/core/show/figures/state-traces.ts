/** Warps' states as pieces of thick lines, a trace a state: what timelines and stall stacks are drawn of. */
import { STALL_REASONS, type StallReason } from "../../timing/index.js";
import type { ScatterTrace } from "./figure.js";
import { plotText } from "./figure.js";
import { okabeIto } from "./palette.js";

/** Colours of the states; those that a learner meets most have Okabe and Ito's. */
export const stateColors: Readonly<Record<StallReason, string>> = {
  selected: okabeIto.green,
  not_selected: okabeIto.yellow,
  wait: "#A6A6A6",
  long_scoreboard: okabeIto.vermillion,
  short_scoreboard: okabeIto.orange,
  barrier: okabeIto.purple,
  math_pipe_throttle: okabeIto.blue,
  mio_throttle: okabeIto.sky,
  lg_throttle: "#882255",
  branch_resolving: "#666666",
  dispatch_stall: "#6A5ACD",
  no_instruction: "#999933",
  drain: "#AA7744",
  membar: "#44AA99",
  sleeping: "#DDCC77",
};

/**
 * The name of a state in a picture. A warp that is not selected is one of Nsight Compute's eligible warps. Names are short,
 * for plotly gives every entry of a legend the width of the longest.
 */
export function stateName(state: StallReason): string {
  return state === "not_selected" ? "eligible" : state.replaceAll("_", " ");
}

/** States that have an entry of their own in the legend; a reader tells no more colours apart. */
const MOST_NAMED = 7;
const ALWAYS_NAMED: readonly StallReason[] = ["selected", "not_selected"];

/** A legend's entry: a state, or the rare states together. */
export interface StateGroup {
  readonly name: string;
  readonly color: string;
  readonly states: readonly StallReason[];
}

/** The states by their size, in their own order; those that are rare or nothing stand last, as one. */
export function stateGroups(sizes: ReadonlyMap<StallReason, number>): readonly StateGroup[] {
  const present = STALL_REASONS.filter((state) => (sizes.get(state) ?? 0) > 0);
  const stalls = present.filter((state) => !ALWAYS_NAMED.includes(state));
  const bySize = [...stalls].sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0));
  const kept = new Set(present.length > MOST_NAMED ? bySize.slice(0, MOST_NAMED - 3) : bySize);
  const named = present.filter((state) => ALWAYS_NAMED.includes(state) || kept.has(state));
  const rare = present.filter((state) => !named.includes(state));
  const groups = named.map((state) => ({ name: stateName(state), color: stateColors[state], states: [state] }));
  return rare.length === 0 ? groups : [...groups, { name: "other", color: OTHER_COLOR, states: rare }];
}

const OTHER_COLOR = "#7A5C3E";

/** From `from` to `to` of the x axis at height `row` of the y axis. */
export interface Piece {
  readonly row: number;
  readonly from: number;
  readonly to: number;
}

export interface StateTraceSpec {
  readonly name: string;
  readonly color: string;
  /** Pixels. */
  readonly width: number;
  readonly pieces: readonly Piece[];
  /** plotly's text under the pointer. */
  readonly hover: string;
}

/** Pieces that touch are one: between two, plotly's picture has a seam. */
function joined(pieces: readonly Piece[]): readonly Piece[] {
  const whole: Piece[] = [];
  for (const piece of pieces) {
    const last = whole.at(-1);
    if (last?.row === piece.row && last.to === piece.from) whole[whole.length - 1] = { ...last, to: piece.to };
    else whole.push(piece);
  }
  return whole;
}

export function stateTrace({ name, color, width, pieces: given, hover }: StateTraceSpec): ScatterTrace {
  const pieces = joined(given);
  return {
    type: "scatter",
    mode: "lines",
    name: plotText(name),
    x: pieces.flatMap(({ from, to }) => [from, to, null]),
    y: pieces.flatMap(({ row }) => [row, row, null]),
    // A piece may be narrower than a pixel; plotly would leave it out.
    line: { color, width, simplify: false },
    hovertemplate: hover,
  };
}
