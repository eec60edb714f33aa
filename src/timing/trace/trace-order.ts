/** Which traces the simulated blocks of an SM have. */
import { hashShare } from "../base/latency-spread.js";
import type { BlockTrace } from "./trace.js";

/** At the most `wanted` traces (four at the least), neighbouring pairs from all over the sample. */
export function spreadOver(blocks: readonly BlockTrace[], wanted: number): readonly BlockTrace[] {
  const pairs = Math.max(2, Math.ceil(wanted / 2));
  if (blocks.length <= 2 * pairs) return blocks;
  const last = Math.floor(blocks.length / 2) - 1;
  return Array.from({ length: pairs }, (_, pair) => 2 * Math.round((pair * last) / (pairs - 1))).flatMap((first) =>
    blocks.slice(first, first + 2),
  );
}

/** Weights that differ by no more are rounded differently. */
const SAME_WEIGHT = 1e-9;

/** Blocks that differ keep their places: the SM's blocks have traces of about where they lie in the grid. */
const NEIGHBOURHOOD = 1 / 12;

/** Traces of long blocks: the first two and the last. */
const FEW = 4;

/** `typical` in turn, each as often as it weighs. */
function inTurn(typical: readonly number[], weights: readonly number[] | null, simulated: number): Int32Array {
  if (weights === null) return Int32Array.from({ length: simulated }, (_, block) => typical[block % typical.length]!);
  const total = typical.reduce((sum, trace) => sum + weights[trace]!, 0);
  const due = typical.map(() => 0);
  return Int32Array.from({ length: simulated }, () => {
    let next = 0;
    for (const [index, trace] of typical.entries()) {
      due[index]! += weights[trace]! / total;
      if (due[index]! > due[next]! + SAME_WEIGHT) next = index;
    }
    due[next]! -= 1;
    return typical[next]!;
  });
}

/**
 * Trace of each simulated block: where blocks are alike the typical ones in turn, as often as they stand for blocks of the
 * grid (`weights`), else one from its part of the grid.
 */
export function traceOrder(
  traces: readonly BlockTrace[],
  typical: readonly number[],
  simulated: number,
  gridBlocks: number,
  differing: boolean,
  weights: readonly number[] | null = null,
): Int32Array {
  if (!differing) {
    // Of a few the last comes first: what all blocks read may be the first ones' own.
    const order = typical.length < FEW ? [...typical.slice(-1), ...typical.slice(0, -1)] : typical;
    return inTurn(order, weights, simulated);
  }
  return Int32Array.from({ length: simulated }, (_, block) => {
    const around = (hashShare(block + 0.5) - 0.5) * NEIGHBOURHOOD;
    const place = Math.max(0, Math.min(1, (block + 0.5) / simulated + around)) * (gridBlocks - 1);
    let nearest = 0;
    for (let i = 1; i < traces.length; i++) {
      if (Math.abs(traces[i]!.block - place) < Math.abs(traces[nearest]!.block - place)) nearest = i;
    }
    return nearest;
  });
}
