/** How blocks share and reuse each parameter's sectors, which decides whether an access hits L2. */
import type { DeviceSpec } from "../../device/spec.js";
import { LINE_BYTES, SECTORS_PER_LINE } from "../base/sector-sizes.js";
import { keptBetweenLaunches, PARTIAL_SHARE_OF_L2 } from "../memory/l2-retention.js";
import { missedAtRandom } from "../memory/random-reuse.js";
import type { LaunchTraces } from "../trace/trace.js";
import type { BlockUse } from "./block-use.js";
import { COMPLETE, type GridUse, hasGaps, isScattered, SHARED_FROM } from "./grid-use.js";
import { areInNoOrder, lapSectors, placesOf } from "./laps.js";
import type { RootMarks } from "./mark-sectors.js";

/** If a smaller share of the blocks lies at the usual shift from the block before, the shift is not used. */
const AGREEING = 0.6;

/** The traced blocks, and what is known of the grid from them. */
interface TracedGrid {
  readonly traces: LaunchTraces;
  readonly blocks: readonly BlockUse[];
  readonly ofGrid: ReadonlyMap<number, GridUse>;
  readonly gridBlocks: number;
  /** Blocks of the grid in a row. */
  readonly gridWidth: number;
  readonly l2: DeviceSpec["l2"];
  readonly weights: readonly number[] | null;
}

export function rootMarks(traced: TracedGrid): ReadonlyMap<number, RootMarks> {
  const shifts = shiftsBetweenNeighbours(traced.traces, traced.blocks);
  return new Map([...traced.ofGrid].map(([root, use]) => [root, marksOf(root, use, shifts.get(root), traced)]));
}

function marksOf(
  root: number,
  each: GridUse,
  neighbours: NeighbourShift | undefined,
  { traces, blocks, ofGrid, gridBlocks, gridWidth, l2, weights }: TracedGrid,
): RootMarks {
  const all = [...ofGrid.values()];
  const tracedBlocks = traces.blocks.length;
  const { shift, share } = neighbours ?? { shift: undefined, share: 1 };
  const agree = share >= AGREEING;
  const places = placesOf(traces, blocks, root);
  const lap = agree && shift ? lapSectors(places, shift, each.spanLines * SECTORS_PER_LINE) : null;
  const blocksOfLap = lap === null ? gridBlocks : lap / Math.abs(shift!);
  const laps = lapsOf(each, blocksOfLap, all, tracedBlocks, gridBlocks, l2);
  return {
    ...each,
    incomplete: each.incomplete || laps.incomplete,
    inLaps: laps.incomplete && !each.incomplete,
    inNoOrder: !agree && areInNoOrder(places, gridWidth),
    drivenOut: missedByRandomLoads(each, all, l2.sizeBytes),
    drivenOutInOrder: laps.drivenOut,
    shift,
    bringsOwn: bringsOwn(root, each, blocks, gridBlocks / tracedBlocks, weights),
  };
}

/** Share of a parameter's random loads that miss because their data was evicted. */
function missedByRandomLoads(each: GridUse, all: readonly GridUse[], l2Bytes: number): number {
  if (each.pieceSharers <= 1) return 0;
  const lineBytes = all.reduce((total, other) => total + other.lineBytes, 0);
  const beside = all.filter((other) => other !== each && isScattered(other.use));
  const inOrder = lineBytes - each.pieceBytes - beside.reduce((total, { pieceBytes }) => total + pieceBytes, 0);
  return missedAtRandom(
    each.pieceBytes,
    Math.max(0, inOrder) / each.pieceSharers,
    l2Bytes,
    beside.map(({ pieceBytes, pieceSharers }) => ({ bytes: pieceBytes, rounds: pieceSharers / each.pieceSharers })),
  );
}

/**
 * The usual distance in sectors from a block's accesses of a parameter to those of the next block. `share`: share of
 * the blocks that keep it.
 */
interface NeighbourShift {
  readonly shift: number;
  readonly share: number;
}

function shiftsBetweenNeighbours(
  traces: LaunchTraces,
  blocks: readonly BlockUse[],
): ReadonlyMap<number, NeighbourShift> {
  const shiftsOf = new Map<number, number[]>();
  for (let i = 1; i < traces.blocks.length; i++) {
    if (traces.blocks[i]!.block !== traces.blocks[i - 1]!.block + 1) continue;
    for (const [root, low] of blocks[i]!.lowest) {
      const before = blocks[i - 1]!.lowest.get(root);
      if (before === undefined) continue;
      const shifts = shiftsOf.get(root) ?? [];
      shiftsOf.set(root, shifts);
      shifts.push(low - before);
    }
  }
  return new Map([...shiftsOf].map(([root, shifts]) => [root, usualOf(shifts)]));
}

/**
 * The most frequent shift, the first of several. Shifts within a sector of it agree, since distances need not be whole
 * sectors.
 */
function usualOf(shifts: readonly number[]): NeighbourShift {
  let usual = 0;
  let most = 0;
  for (const shift of new Set(shifts)) {
    const count = shifts.filter((other) => other === shift).length;
    if (count <= most) continue;
    usual = shift;
    most = count;
  }
  return { shift: usual, share: shifts.filter((shift) => Math.abs(shift - usual) <= 1).length / shifts.length };
}

/**
 * Reuse of a parameter whose blocks wrap around after `blocksOfLap` blocks. `drivenOut` is the share of reused data
 * that L2 has evicted since the last pass. Data of a pass stays in L2 as a launch's data does for the next launch.
 * `incomplete`: a pass leaves gaps in what it writes, and L2 evicts it before the next pass. Measured with four passes:
 * L2 reads 32 MB for 32 MiB written with gaps, 118 MB for 64 MiB (h200/micro/revisit.json, storeLaps).
 */
function lapsOf(
  root: GridUse,
  blocksOfLap: number,
  all: readonly GridUse[],
  tracedBlocks: number,
  gridBlocks: number,
  l2: DeviceSpec["l2"],
): { readonly drivenOut: number; readonly incomplete: boolean } {
  if (gridBlocks < SHARED_FROM * blocksOfLap) return { drivenOut: 0, incomplete: false };
  const ofLap = blocksOfLap / tracedBlocks;
  const linesOfLap = ({ use, lineBytes }: GridUse): number => Math.min(lineBytes, LINE_BYTES * use.lines * ofLap);
  const bytesOfLap = all.reduce((total, each) => total + linesOfLap(each), 0);
  return {
    drivenOut: root.pieceSharers <= 1 ? 0 : 1 - keptBetweenLaunches(bytesOfLap, l2),
    incomplete:
      hasGaps(root.use.stored * ofLap, root.spanLines * SECTORS_PER_LINE) &&
      linesOfLap(root) > PARTIAL_SHARE_OF_L2 * l2.sizeBytes,
  };
}

/**
 * Whether the first load of each block fetches a parameter's sectors once, and blocks share only the borders that they
 * read later. The blocks that own those borders have then requested them.
 */
function bringsOwn(
  root: number,
  { use, sharers, room }: GridUse,
  blocks: readonly BlockUse[],
  grids: number,
  weights: readonly number[] | null,
): boolean {
  const loads = blocks.map(({ firstLoads }) => firstLoads.get(root));
  const pc = loads.find((load) => load !== undefined)?.pc ?? -1;
  if (sharers <= 1 || isScattered(use) || pc < 0 || loads.some((load) => load !== undefined && load.pc !== pc))
    return false;
  const sectors = loads.reduce((sum, load, index) => sum + (weights?.[index] ?? 1) * (load?.sectors ?? 0), 0);
  const brought = (grids * sectors) / room;
  return brought >= COMPLETE && brought < SHARED_FROM;
}
