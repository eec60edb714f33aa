/**
 * What the grid touches, judged from the traced blocks: how many bytes, what of it blocks share, and so which first
 * touches of a sector find it in L2 because a block on another SM has brought it there.
 *
 * A parameter's accesses span addresses lo..hi (the first and last block are in the sample). If the blocks together
 * touch more than that span has room for, blocks share it: on average `sharers` blocks a sector, one of which pays DRAM.
 * Where blocks share little, it is their borders: a sector that the next block's sectors, shifted back, would cover as
 * well has been brought by the block before.
 */
import type { Program } from "../lower/program.js";
import { SectorMap } from "./sector-map.js";
import type { BlockTrace, LaunchTraces } from "./trace.js";

/** Low bits of an encoded sector. */
export const FROM_DRAM = 0;
export const FROM_L2 = 1;
export const COMMON = 2;
export const CROWDED = 4;
/**
 * encoded = sector * 8 + (CROWDED if blocks on all SMs use it) + (COMMON if the same for all traced blocks) + (FROM_L2 if
 * another block has brought it).
 */
export const SECTOR_SHIFT = 8;

/** A sector's mark: 0 read, 1 written. */
const UNSEEN = -1;
const SECTOR_BYTES = 32;
const LINE_BYTES = 128;
const SECTORS_PER_LINE = 4;

export interface Footprint {
  /** The traces' memory streams with encoded sectors. */
  readonly memory: readonly Int32Array[];
  /** Distinct bytes that the grid reads first, and that it writes, estimated. */
  readonly readBytes: number;
  readonly writtenBytes: number;
  /** What all that takes of L2, whose places are whole lines. */
  readonly lineBytes: number;
}

interface RootUse {
  lo: number;
  hi: number;
  /** Distinct sectors and lines, summed over the traced blocks. */
  distinct: number;
  lines: number;
  written: number;
  readFirst: number;
}

function walkSectors(
  trace: BlockTrace,
  traced: Uint8Array,
  visit: (pc: number, position: number, sector: number) => void,
): void {
  for (let warp = 0; warp < trace.warps; warp++) {
    let at = trace.memoryStart[warp]!;
    for (let i = trace.pcStart[warp]!; i < trace.pcStart[warp + 1]!; i++) {
      const pc = trace.pcs[i]!;
      if (traced[pc] === 0) continue;
      const count = trace.memory[at + 2]!;
      for (let k = 0; k < count; k++) visit(pc, at + 3 + k, trace.memory[at + 3 + k]!);
      at += 3 + count;
    }
  }
}

/** `sharersOf` the sector decide by its number, so that the choice does not depend on the order of accesses. */
function isFirstOf(sector: number, sharers: number): boolean {
  return (Math.imul(sector, 0x9e3779b1) >>> 8) / 16777216 < 1 / sharers;
}

/** By how many sectors a block's accesses of each parameter lie behind those of the block before; the usual shift. */
function shiftsBetweenNeighbours(
  traces: LaunchTraces,
  lowest: readonly ReadonlyMap<number, number>[],
): ReadonlyMap<number, number> {
  const counts = new Map<number, Map<number, number>>();
  for (let i = 1; i < traces.blocks.length; i++) {
    if (traces.blocks[i]!.block !== traces.blocks[i - 1]!.block + 1) continue;
    for (const [root, low] of lowest[i]!) {
      const before = lowest[i - 1]!.get(root);
      if (before === undefined) continue;
      const count = counts.get(root) ?? new Map<number, number>();
      counts.set(root, count);
      count.set(low - before, (count.get(low - before) ?? 0) + 1);
    }
  }
  const usual = (count: ReadonlyMap<number, number>): number =>
    [...count].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [0, 0])[0];
  return new Map([...counts].map(([root, count]) => [root, usual(count)]));
}

export function footprint(
  program: Program,
  traces: LaunchTraces,
  traced: Uint8Array,
  gridBlocks: number,
  activeSms: number,
): Footprint {
  const rootOf = Int32Array.from(program.instructions, ({ root }) => (root?.kind === "param" ? root.index : -1));
  const writes = Uint8Array.from(program.instructions, ({ op }) => (op === "st" || op === "atom" ? 1 : 0));
  const uses = new Map<number, RootUse>();
  const blocksOf = new SectorMap();
  const seenBy: SectorMap[] = [];
  const lowest: Map<number, number>[] = [];
  for (const trace of traces.blocks) {
    const seen = new SectorMap();
    const seenLines = new SectorMap();
    const lo = new Map<number, number>();
    seenBy.push(seen);
    lowest.push(lo);
    walkSectors(trace, traced, (pc, _, sector) => {
      const root = rootOf[pc]!;
      let use = uses.get(root);
      if (use === undefined) {
        use = { lo: sector, hi: sector, distinct: 0, lines: 0, written: 0, readFirst: 0 };
        uses.set(root, use);
      }
      if (sector < (lo.get(root) ?? Number.POSITIVE_INFINITY)) lo.set(root, sector);
      const before = seen.get(sector, UNSEEN);
      if (before === UNSEEN) {
        if (sector < use.lo) use.lo = sector;
        if (sector > use.hi) use.hi = sector;
        use.distinct++;
        const line = Math.floor(sector / SECTORS_PER_LINE);
        if (seenLines.get(line, UNSEEN) === UNSEEN) use.lines++;
        seenLines.set(line, 0);
        if (writes[pc] === 0) use.readFirst++;
        else use.written++;
        seen.set(sector, writes[pc]!);
        blocksOf.set(sector, blocksOf.get(sector, 0) + 1);
      } else if (before === 0 && writes[pc] === 1) {
        use.written++;
        seen.set(sector, 1);
      }
    });
  }
  const sampled = traces.blocks.length;
  const sharers = new Map<number, number>();
  let readBytes = 0;
  let writtenBytes = 0;
  let lineBytes = 0;
  for (const [root, use] of uses) {
    const sectors = (use.distinct / sampled) * gridBlocks;
    const share = Math.max(1, sectors / (use.hi - use.lo + 1));
    sharers.set(root, share < 1.2 ? 1 : share);
    const scale = (SECTOR_BYTES * gridBlocks) / sampled / share;
    readBytes += use.readFirst * scale;
    writtenBytes += use.written * scale;
    const lines = (use.lines / sampled) * gridBlocks;
    lineBytes += LINE_BYTES * Math.min(lines, Math.ceil((use.hi - use.lo + 1) / SECTORS_PER_LINE));
  }
  const complete = sampled >= gridBlocks;
  const shifts = shiftsBetweenNeighbours(traces, lowest);
  const memory = traces.blocks.map((trace, index) => {
    const encoded = trace.memory.slice();
    walkSectors(trace, traced, (pc, position, sector) => {
      const blocks = blocksOf.get(sector, 1);
      const common = complete || (sampled > 1 && blocks === sampled);
      const root = rootOf[pc]!;
      const share = complete ? blocks : common ? activeSms : (sharers.get(root) ?? 1);
      let from = share <= 1 || isFirstOf(sector, Math.min(share, gridBlocks)) ? FROM_DRAM : FROM_L2;
      const shift = shifts.get(root) ?? 0;
      if (share <= 1 && !complete && shift > 0 && seenBy[index]!.get(sector + shift, UNSEEN) !== UNSEEN) from = FROM_L2;
      const crowded = !complete && share >= activeSms / 2 ? CROWDED : 0;
      encoded[position] = sector * SECTOR_SHIFT + crowded + (common ? COMMON : 0) + from;
    });
    return encoded;
  });
  return { memory, readBytes, writtenBytes, lineBytes };
}
