/**
 * For how many blocks the traces of a grid's last column and last row stand, where those have less to do than others (rows and
 * columns that are no whole blocks long) and the sample has more of them than the grid.
 */
import type { Dim3 } from "../../engine/engine.js";
import type { BlockTrace } from "../trace/trace.js";
import { EDGE_DIFFERENCE, workOf } from "../trace/trace-sampling.js";

/** Inside, in the last column, in the last row, in both. */
const PARTS = 4;

/** 1 in the mean; null where a grid has no such edges, or what they do is no different. */
export function edgeWeights(traces: readonly BlockTrace[], [width, height]: Dim3): readonly number[] | null {
  if (width < 2 || height < 2) return null;
  const partOf = ({ block }: BlockTrace): number =>
    (block % width === width - 1 ? 1 : 0) + (Math.floor(block / width) % height === height - 1 ? 2 : 0);
  const traced = new Array<number>(PARTS).fill(0);
  const work = new Array<number>(PARTS).fill(0);
  for (const trace of traces) {
    traced[partOf(trace)]!++;
    work[partOf(trace)]! += workOf(trace);
  }
  if (traced[0] === 0) return null;
  const inside = work[0]! / traced[0]!;
  const differs = work.some(
    (sum, part) => Math.abs(sum - inside * traced[part]!) > EDGE_DIFFERENCE * inside * traced[part]!,
  );
  if (!differs) return null;
  const blocks = [(width - 1) * (height - 1), height - 1, width - 1, 1];
  for (let part = 1; part < PARTS; part++) if (traced[part] === 0) blocks[0]! += blocks[part]!;
  return traces.map((trace) => {
    const part = partOf(trace);
    return ((blocks[part]! / (width * height)) * traces.length) / traced[part]!;
  });
}
