import { describe, expect, it } from "vitest";
import { edgeWeights } from "../../../src/timing/launch/edge-weights.js";
import type { BlockTrace } from "../../../src/timing/trace/trace.js";

/** A block of `instructions` warp instructions. */
function traceOf(block: number, instructions: number): BlockTrace {
  const pcs = new Int32Array(instructions);
  const none = new Int32Array(2);
  const no = new Int32Array(0);
  const streams = { pcs, pcStart: none, memory: no, memoryStart: none, parted: no, partedStart: none };
  return { block, warps: 1, ...streams, executed: null };
}

describe("a sample of a grid of 10 x 20 blocks", () => {
  const grid = [10, 20, 1] as const;

  it("counts blocks of a shorter last column as often as the grid has them", () => {
    const weights = edgeWeights([traceOf(0, 100), traceOf(45, 100), traceOf(101, 100), traceOf(109, 40)], grid)!;
    expect(weights[3]! / weights[0]!).toBeCloseTo(19 / ((9 * 19 + 9 + 1) / 3));
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(4);
  });

  it("counts all alike where the edges do as much as others", () => {
    expect(edgeWeights([traceOf(0, 100), traceOf(45, 100), traceOf(109, 100), traceOf(199, 100)], grid)).toBeNull();
  });

  it("tells nothing of a single row of blocks", () => {
    expect(edgeWeights([traceOf(0, 100), traceOf(199, 40)], [200, 1, 1])).toBeNull();
  });
});
