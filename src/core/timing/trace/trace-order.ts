/** The traces of the simulated blocks of an SM. */
import { hashShare } from "../base/latency-spread.js";
import type { BlockTrace } from "./trace.js";

/** At most `wanted` traces, and at least four: pairs of neighbours from the whole sample. */
export function spreadOver(blocks: readonly BlockTrace[], wanted: number): readonly BlockTrace[] {
  const pairs = Math.max(2, Math.ceil(wanted / 2));
  if (blocks.length <= 2 * pairs) return blocks;
  const last = Math.floor(blocks.length / 2) - 1;
  return Array.from({ length: pairs }, (_, pair) => 2 * Math.round((pair * last) / (pairs - 1))).flatMap((first) =>
    blocks.slice(first, first + 2),
  );
}

/** Weights with a smaller difference are equal up to rounding. */
const SAME_WEIGHT = 1e-9;

/** If blocks differ, a simulated block has a trace from about the same part of the grid, within this share of it. */
const NEIGHBOURHOOD = 1 / 12;

/** Long blocks have only three traces: the first two and the last. */
const FEW = 4;

/** The `typical` traces in turn, each as often as its weight. */
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
 * The trace of each simulated block. If blocks are alike, the typical ones are used in turn, as often as they stand for
 * blocks of the grid (`weights`). Else the trace is from the same part of the grid.
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
    // With few traces, the last one comes first, because the first blocks may be the owners of data that all blocks
    // read.
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
