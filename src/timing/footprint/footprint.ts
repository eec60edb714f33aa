/**
 * What the grid touches, judged from the traced blocks: how many bytes, what of it blocks share, and so which first
 * touches of a sector find it in L2 because a block on another SM has brought it there.
 *
 * A parameter's accesses span addresses lo..hi (the first and last block are in the sample). If the blocks together
 * touch more than that span has room for, blocks share it: on average `sharers` blocks a sector, one of which pays DRAM,
 * for as many sectors beside each other as blocks touch in the mean: who comes first to one comes first to the next.
 * Where blocks share little, it is their borders: a sector that the next block's sectors, shifted back, would cover as
 * well has been brought by the block before.
 *
 * Of a block whose beginning alone was traced, the rest is taken to touch new places as the beginning's second half does.
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

/** Longer runs of pieces, of 1 KiB, would be too few in a sample to be shared as the mean is. */
const LONGEST_RUN = 16;
/** Output of which so much is written in the end, and in order, is complete before L2 lets go of it. */
const COMPLETE = 0.9;
/** Where fewer of the blocks lie by the usual shift behind the one before, the shift tells nothing. */
const AGREEING = 0.6;
/** Fewer sharers than this are borders. */
const SHARED_FROM = 1.2;

export interface Footprint {
  /** The traces' memory streams with encoded sectors. */
  readonly memory: readonly Int32Array[];
  /** Distinct bytes that the grid reads first, and that it writes, estimated. */
  readonly readBytes: number;
  readonly writtenBytes: number;
  /** Of the pieces of 64 bytes that a block writes, the share that it writes of them. */
  readonly writtenShare: number;
  /** What all that takes of L2, whose places are whole lines, and how many times the pieces of 64 bytes that it asks for. */
  readonly lineBytes: number;
  readonly lineFactor: number;
  /** Bytes of the lines that are written, and what DRAM asks for their sectors, against all of a line. */
  readonly writtenLineBytes: number;
  readonly writeCost: number;
  /** Of what is written, the lines of which sectors are written in part, in order. */
  readonly partialLineBytes: number;
  readonly randomLines: RandomLines;
}

/** By how many sectors most blocks' accesses of a parameter lie behind those of the block before, and the share of those that do. */
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

/** The first of those that are most; distances that are no whole sectors differ by one. */
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
 * How many sectors farther than those of the traced blocks a parameter's accesses reach: the last blocks of a grid may have nothing to do,
 * and then the last ones traced that tell are some before. As far as blocks begin the farther the later they are: what all read reaches no farther.
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

/** A parameter's use by the whole grid. */
interface GridUse
  extends Omit<RootMarks, "drivenOut" | "drivenOutInOrder" | "inLaps" | "inNoOrder" | "shift" | "bringsOwn"> {
  readonly use: RootUse;
  /** What of its pieces of 64 bytes the grid asks for, and the lines that they lie in. */
  readonly pieceBytes: number;
  readonly lineBytes: number;
  readonly writtenLineBytes: number;
  /** Sectors that are written of a line. */
  readonly writtenOfLine: number;
  readonly writeCost: number;
  readonly spanLines: number;
  /** Sectors that the grid can touch. */
  readonly room: number;
  /** Bytes of the grid for each sector of a traced block. */
  readonly bytesPerSector: number;
}

/** What is written, `storedBytes` in `span` sectors, is not complete when L2 lets go of it. */
function hasGaps(storedBytes: number, span: number): boolean {
  return storedBytes < COMPLETE * span * SECTOR_BYTES;
}

/** Of what a parameter's loads ask for, from which share on, if that is in no order, they are taken for random. */
const MOSTLY = 0.5;

function isScattered({ asked, scattered }: RootUse): boolean {
  return scattered > MOSTLY * asked;
}

/** How many of `room` places so many accesses touch, each anywhere. */
function touchedAtRandom(accesses: number, room: number): number {
  return room * (1 - Math.exp(-accesses / room));
}

/** Of a parameter with another's array, whose sectors count as the other's, nothing is touched. */
function timesOver(accesses: number, places: number): number {
  return places === 0 ? 1 : accesses / places;
}

/** `grids`: blocks of the grid for each traced one; `span`: sectors from the first to the last that the grid touches. */
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
 * Of a parameter that blocks touch in laps, `blocksOfLap` each. `drivenOut`: share of what the next lap touches again that L2 has
 * let go of: what all parameters bring in a lap passes through L2 as a launch's data do before the next launch of it
 * (h200/micro/lanes.json, wrap: laps of 32 MiB are kept, of 64 and 128 read again). `incomplete`: what a lap writes has gaps, and it is too much for L2 to wait for the next one
 * (h200/micro/revisit.json, storeLaps: of every 9th word of 32 MiB, four laps, L2 reads 32 MB, of 64 MiB 118).
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
 * What so many of the traced blocks read in order, and more than neighbours share, later blocks find where those before them have brought
 * it: each of them reads the sums of all blocks before it, say.
 */
const COMMON_SHARE = 0.5;
const FEW_BLOCKS = 4;

/**
 * Loads that begin with a sector of all blocks in some and with another in others. Where a block's own points are among those that all
 * blocks go through, the first blocks of a grid, which are simulated, would find half of them in L1, as no other block does.
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
 * Whether blocks bring a parameter's sectors, each once, with their first load, where all of what they share are borders that they
 * read behind it. Then the borders have been asked for by the blocks that they belong to.
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

/** Of parameters that are stored to in no order. */
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
 * `l2`: its size, and what it has DRAM give at a time. `weights`: how much each trace counts for, 1 in the mean, where they do not stand for
 * equally many blocks.
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
    // Of random loads those that find their data driven out again.
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
