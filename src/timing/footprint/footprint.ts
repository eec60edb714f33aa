/**
 * The bytes that the grid touches and how blocks share them, estimated from the traced blocks. From this follows which
 * first touches of a sector hit L2 because a block on another SM fetched it before. The accesses of a parameter span
 * the addresses lo..hi, since the first and last block are traced. If the blocks together touch more than this span
 * holds, they share it. Each sector then has `sharers` blocks in the mean, one of which fetches it from DRAM. The same
 * block fetches a run of adjacent sectors, as long as blocks touch in the mean. If blocks share little, they share
 * their borders: the block before has fetched a sector that the next block's sectors, shifted back, would cover. A
 * block of which only the beginning was traced is extrapolated from the second half of that beginning.
 */
import type { DeviceSpec } from "../../device/spec.js";
import type { Dim3 } from "../../engine/engine.js";
import type { Program } from "../../lower/program.js";
import { LINE_BYTES, SECTOR_BYTES, SECTORS_PER_BURST, SECTORS_PER_LINE } from "../base/sector-sizes.js";
import { loneWriteCost } from "../memory/dram.js";
import { keptBetweenLaunches, PARTIAL_SHARE_OF_L2 } from "../memory/l2-retention.js";
import { missedAtRandom } from "../memory/random-reuse.js";
import type { RandomLines } from "../memory/random-stores.js";
import { SectorPages } from "../trace/sector-pages.js";
import type { LaunchTraces } from "../trace/trace.js";
import { halvesToCome } from "../trace/trace-requests.js";
import { type AccessCode, accessCode, type BlockUse, NO_SECTOR, useOfBlock } from "./block-use.js";
import { areInNoOrder, lapSectors, placesOf } from "./laps.js";
import { type Lattice, latticeOf, roomIn } from "./lattice.js";
import { markSectors, type RootMarks } from "./mark-sectors.js";
import { addUse, type RootUse } from "./root-use.js";

/** Longest run in bursts, 1 KiB. A sample would hold too few longer runs to be shared as the mean is. */
const LONGEST_RUN = 16;
/** L2 completes output that is written in order and almost whole, from this share on, before it evicts it. */
const COMPLETE = 0.9;
/** If a smaller share of the blocks lies at the usual shift from the block before, the shift is not used. */
const AGREEING = 0.6;
/** Fewer sharers than this mean that only borders are shared. */
const SHARED_FROM = 1.2;

export interface Footprint {
  /** The memory streams of the traces, with encoded sectors. */
  readonly memory: readonly Int32Array[];
  /** Estimated distinct bytes that the grid reads first, and that it writes. */
  readonly readBytes: number;
  readonly writtenBytes: number;
  /** Share of a 64-byte burst that a block writes, where it writes to the burst. */
  readonly writtenShare: number;
  /** Bytes of all lines touched, which is the space in L2; and their ratio to the bytes of the bursts requested. */
  readonly lineBytes: number;
  readonly lineFactor: number;
  /** Bytes of the written lines, and the DRAM cost of their sectors relative to whole lines. */
  readonly writtenLineBytes: number;
  readonly writeCost: number;
  /** Bytes of the lines with partly written sectors that are stored to in order. */
  readonly partialLineBytes: number;
  readonly randomLines: RandomLines;
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
 * Number of sectors by which the grid's accesses of a parameter extend beyond those traced. The last blocks of a grid
 * may do nothing; the last traced block that touches the parameter may then be an earlier one. The extension follows
 * from how far the starts of blocks advance; data that all blocks read adds none.
 */
function beyondTraced({ blocks: traces }: LaunchTraces, blocks: readonly BlockUse[], root: number): number {
  const touching = traces.flatMap(({ block }, index) => {
    const low = blocks[index]!.lowest.get(root);
    return low === undefined ? [] : [{ block, low }];
  });
  const [first, last] = [touching[0]!, touching.at(-1)!];
  if (first === last) return 0;
  const shift = Math.abs(last.low - first.low) / (last.block - first.block);
  return shift * (traces.at(-1)!.block - last.block);
}

/** The whole grid's use of a parameter. */
interface GridUse
  extends Omit<RootMarks, "drivenOut" | "drivenOutInOrder" | "inLaps" | "inNoOrder" | "shift" | "bringsOwn"> {
  readonly use: RootUse;
  /** Bytes of its 64-byte bursts that the grid requests, and of the lines that hold them. */
  readonly pieceBytes: number;
  readonly lineBytes: number;
  readonly writtenLineBytes: number;
  /** Written sectors of a line. */
  readonly writtenOfLine: number;
  readonly writeCost: number;
  readonly spanLines: number;
  /** Sectors that the grid can touch. */
  readonly room: number;
  /** Bytes of the grid for each sector of a traced block. */
  readonly bytesPerSector: number;
}

/** Whether L2 evicts written data, `storedBytes` in `span` sectors, before it is complete. */
function hasGaps(storedBytes: number, span: number): boolean {
  return storedBytes < COMPLETE * span * SECTOR_BYTES;
}

/** Loads of a parameter are taken for random if more than this share of their sectors is in random order. */
const MOSTLY = 0.5;

function isScattered({ asked, scattered }: RootUse): boolean {
  return scattered > MOSTLY * asked;
}

/** How many of `room` sectors are touched by that many random accesses. */
function touchedAtRandom(accesses: number, room: number): number {
  return room * (1 - Math.exp(-accesses / room));
}

/**
 * Mean accesses per sector. A parameter that aliases another's array has no sectors of its own, since they count for
 * the other.
 */
function timesOver(accesses: number, places: number): number {
  return places === 0 ? 1 : accesses / places;
}

/**
 * Scales a traced use to the grid. `grids`: blocks of the grid for each traced one. `span`: sectors from the first to
 * the last that the grid touches.
 */
function useOfGrid(use: RootUse, grids: number, span: number, lattice: Lattice): GridUse {
  const room = roomIn(lattice, span, 1);
  const pieces = roomIn(lattice, span, SECTORS_PER_BURST);
  const lines = roomIn(lattice, span, SECTORS_PER_LINE);
  const touched = isScattered(use) ? touchedAtRandom : Math.min;
  const distinct = touched(use.distinct * grids, room);
  const distinctPieces = touched(use.pieces * grids, pieces);
  const share = timesOver(use.distinct * grids, distinct);
  const pieceShare = timesOver(use.pieces * grids, distinctPieces);
  const density = distinctPieces / Math.ceil(span / SECTORS_PER_BURST);
  const spanLines = Math.ceil(span / SECTORS_PER_LINE);
  const writtenLines = Math.min(use.writtenLines * grids, lines);
  const writtenOfLine = (use.written * grids) / share / Math.max(1, writtenLines);
  const piecesOfRun = Math.round(use.distinct / Math.max(1, use.runs) / SECTORS_PER_BURST);
  return {
    use,
    sharers: share < SHARED_FROM ? 1 : share,
    pieceSharers: pieceShare < SHARED_FROM ? 1 : pieceShare,
    run: SECTORS_PER_BURST * Math.max(1, Math.min(LONGEST_RUN, piecesOfRun)),
    density,
    incomplete: hasGaps(use.stored * grids, span),
    pieceBytes: SECTORS_PER_BURST * SECTOR_BYTES * distinctPieces,
    lineBytes: LINE_BYTES * touched(use.lines * grids, lines),
    writtenLineBytes: LINE_BYTES * writtenLines,
    writtenOfLine,
    writeCost: loneWriteCost(writtenOfLine, density),
    spanLines,
    room,
    bytesPerSector: (SECTOR_BYTES * grids) / share,
  };
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
 * If this share of the traced blocks reads a sector in order, later blocks find it in L2. An example are blocks that
 * read the sums of all blocks before them.
 */
const COMMON_SHARE = 0.5;
const FEW_BLOCKS = 4;

/**
 * Marks loads that start at a shared sector in some blocks and at an own sector in others. The first blocks of a grid,
 * which are simulated, would otherwise find half of those sectors in L1, as no other block does.
 */
function readOwnSectors(
  blocks: readonly BlockUse[],
  blocksOf: SectorPages<Int32Array>,
  commonFrom: number,
): Uint8Array {
  const readsOwn = new Uint8Array(blocks[0]?.firstRead.length ?? 0);
  for (const pc of readsOwn.keys()) {
    const ofAll = blocks.flatMap(({ firstRead }) => {
      const sector = firstRead[pc]!;
      return sector === NO_SECTOR ? [] : [blocksOf.values[blocksOf.find(sector)]! >= commonFrom];
    });
    readsOwn[pc] = ofAll.includes(true) && ofAll.includes(false) ? 1 : 0;
  }
  return readsOwn;
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

/** Sums the parameters that are stored to in random order. */
function randomLinesOf(stored: readonly GridUse[], grids: number, lineBytes: number): RandomLines {
  const asked = stored.reduce((total, { use }) => total + use.lines * grids, 0);
  const lines = stored.reduce((total, { use, spanLines }) => {
    return total + spanLines * (1 - Math.exp((-use.lines * grids) / spanLines));
  }, 0);
  const bytes = LINE_BYTES * lines;
  const stores = lines === 0 ? 1 : asked / lines;
  return { bytes, stores, others: Math.max(0, lineBytes - bytes) / stores };
}

/**
 * Estimates the grid's footprint. `weights` is the number of blocks each trace stands for, 1 in the mean; null if all
 * stand for as many.
 */
export function footprint(
  program: Program,
  traces: LaunchTraces,
  microcode: Pick<AccessCode, "traced" | "bytesPerLane" | "slotCount">,
  gridBlocks: number,
  grid: Dim3,
  activeSms: number,
  { l2 }: DeviceSpec,
  weights: readonly number[] | null = null,
): Footprint {
  const code = accessCode(program, microcode);
  const blocksOf = new SectorPages((length) => new Int32Array(length));
  const blocks = traces.blocks.map((trace) => useOfBlock(trace, code, blocksOf));
  const uses = new Map<number, RootUse>();
  for (const [index, { ofRoot }] of blocks.entries()) {
    for (const [root, use] of ofRoot) addUse(uses, root, use, weights?.[index] ?? 1);
  }
  const tracedBlocks = traces.blocks.length;
  const grids = gridBlocks / tracedBlocks;
  const whole = traces.blocks.every(({ executed }) => executed === null) ? blocks : [];
  const ofGrid = new Map(
    [...uses].map(([root, use]) => {
      const span = use.hi - use.lo + 1 + beyondTraced(traces, blocks, root);
      return [root, useOfGrid(use, grids, span, latticeOf(whole.flatMap(({ ofRoot }) => ofRoot.get(root) ?? [])))];
    }),
  );
  const all = [...ofGrid.values()];
  const sum = (of: (each: GridUse) => number): number => all.reduce((total, each) => total + of(each), 0);
  const lineBytes = sum((each) => each.lineBytes);
  const shifts = shiftsBetweenNeighbours(traces, blocks);
  const roots = new Map<number, RootMarks>();
  for (const [root, each] of ofGrid) {
    // Share of random loads that miss because their data was evicted.
    const beside = all.filter((other) => other !== each && isScattered(other.use));
    const inOrder = lineBytes - each.pieceBytes - beside.reduce((total, { pieceBytes }) => total + pieceBytes, 0);
    const drivenOut =
      each.pieceSharers <= 1
        ? 0
        : missedAtRandom(
            each.pieceBytes,
            Math.max(0, inOrder) / each.pieceSharers,
            l2.sizeBytes,
            beside.map(({ pieceBytes, pieceSharers }) => ({
              bytes: pieceBytes,
              rounds: pieceSharers / each.pieceSharers,
            })),
          );
    const { shift, share } = shifts.get(root) ?? { shift: undefined, share: 1 };
    const agree = share >= AGREEING;
    const span = each.spanLines * SECTORS_PER_LINE;
    const places = placesOf(traces, blocks, root);
    const lap = agree && shift ? lapSectors(places, shift, span) : null;
    const blocksOfLap = lap === null ? gridBlocks : lap / Math.abs(shift!);
    const laps = lapsOf(each, blocksOfLap, all, tracedBlocks, gridBlocks, l2);
    const incomplete = each.incomplete || laps.incomplete;
    roots.set(root, {
      ...each,
      incomplete,
      inLaps: laps.incomplete && !each.incomplete,
      inNoOrder: !agree && areInNoOrder(places, grid[0]),
      drivenOut,
      drivenOutInOrder: laps.drivenOut,
      shift,
      bringsOwn: bringsOwn(root, each, blocks, grids, weights),
    });
  }
  const commonFrom = Math.max(Math.min(FEW_BLOCKS, tracedBlocks), Math.ceil(COMMON_SHARE * tracedBlocks));
  const readsOwn = readOwnSectors(blocks, blocksOf, commonFrom);
  const marks = {
    roots,
    blocksOf,
    readsOwn,
    commonFrom,
    tracedBlocks,
    gridBlocks,
    activeSms,
    fetchBytes: l2.fetchBytes,
  };
  let partialLineBytes = 0;
  const randomRoots = new Set<number>();
  const memory = traces.blocks.map((trace, index) => {
    const { encoded, partialLines, randomlyStored } = markSectors(
      trace,
      index,
      blocks[index]!,
      marks,
      code,
      program.instructions,
    );
    const whole = (weights?.[index] ?? 1) * grids * (1 + halvesToCome(trace, code.slotCount) / 2);
    for (const share of partialLines.values()) partialLineBytes += (LINE_BYTES * whole) / share;
    for (const root of randomlyStored) randomRoots.add(root);
    return encoded;
  });
  const writtenPieces = sum(({ use }) => use.writtenPieces);
  const storedSectors = sum(({ use }) => use.storedSectors);
  const written = sum(({ use }) => use.written);
  return {
    memory,
    readBytes: sum(({ use, bytesPerSector }) => use.readFirst * bytesPerSector),
    writtenBytes: sum(({ use, bytesPerSector }) => use.written * bytesPerSector),
    writtenLineBytes: sum((each) => each.writtenLineBytes),
    writeCost: written === 0 ? 1 : sum(({ use, writeCost }) => use.written * writeCost) / written,
    writtenShare: writtenPieces === 0 ? 1 : storedSectors / (SECTORS_PER_BURST * writtenPieces),
    lineBytes,
    lineFactor: Math.max(
      1,
      lineBytes /
        Math.max(
          1,
          sum(({ pieceBytes }) => pieceBytes),
        ),
    ),
    partialLineBytes,
    randomLines: randomLinesOf(
      [...ofGrid].flatMap(([root, each]) => (randomRoots.has(root) ? [each] : [])),
      grids,
      lineBytes,
    ),
  };
}
