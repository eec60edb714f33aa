/**
 * Warp traces: the instructions that the reference engine executed in the sampled blocks, in a compact form for timing.
 * A trace has the pcs of each warp in order. Memory instructions (ld, st, atom) add their lanes, wavefronts and
 * sectors; match.any adds its number of values. Long blocks have only their beginning traced.
 */
import type { Observer, RawCounters, TraceEvent } from "../../engine/engine.js";
import { populationCount } from "../../engine/population-count.js";
import { meetingPlaces } from "../../lower/machine/reconvergence.js";
import type { Program } from "../../lower/program.js";
import { areAlike, LineCount } from "../base/line-count.js";

/**
 * The trace of one block. Warp w has `pcs` from `pcStart[w]` to `pcStart[w + 1]`, and `memory` from `memoryStart[w]`.
 */
export interface BlockTrace {
  /** Linear block index in the grid. */
  readonly block: number;
  readonly warps: number;
  readonly pcs: Int32Array;
  readonly pcStart: Int32Array;
  /**
   * One record for each memory instruction. It has the lanes whose guard held, the wavefronts, and the number of
   * sectors. The sectors (byte address / 32, ascending) or words (`semantics/spin.ts`) follow. For global and local
   * loads, the bits from RETURNED_SHIFT have the wavefronts if the load has to wait. A match.any has lanes, distinct values and 0.
   */
  readonly memory: Int32Array;
  readonly memoryStart: Int32Array;
  /**
   * Jumps at which lanes diverged that reconverge at a BSYNC, of warp w from `partedStart[w]`. Each is the number of
   * such jumps, divergent or not, that the warp had executed before.
   */
  readonly parted: Int32Array;
  readonly partedStart: Int32Array;
  /** Warp executions of each pc in the whole block if only its beginning was traced; else null. */
  readonly executed: Float64Array | null;
}

/** The trace with other streams. All traces keep one object layout, however often they are replaced. */
export function withStreams(
  { block, warps, memoryStart, parted, partedStart }: BlockTrace,
  pcs: Int32Array,
  pcStart: Int32Array,
  memory: Int32Array,
  executed: Float64Array | null,
): BlockTrace {
  return { block, warps, pcs, pcStart, memory, memoryStart, parted, partedStart, executed };
}

export interface LaunchTraces {
  /** Ascending by block. */
  readonly blocks: readonly BlockTrace[];
}

/**
 * Kinds of record. They list sectors, the words that a compare-and-swap swaps, only a number of values, or sectors of
 * the warp's local memory.
 */
export const RECORD_OF_SECTORS = 1;
export const RECORD_OF_WORDS = 2;
export const RECORD_OF_VALUES = 3;
export const RECORD_OF_LOCAL = 4;

export const RETURNED_SHIFT = 8;

/** Words of a memory instruction's record before its sectors. */
export const RECORD_HEADER = 3;

class IntStream {
  private values = new Int32Array(256);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) this.grow();
    this.values[this.length++] = value;
  }

  /** Adds the record of a memory instruction (`BlockTrace.memory`). */
  pushRecord(lanes: number, wavefronts: number, sectors: Uint32Array, count: number): void {
    let to = this.length;
    this.length += RECORD_HEADER + count;
    while (this.length > this.values.length) this.grow();
    const { values } = this;
    values[to++] = lanes;
    values[to++] = wavefronts;
    values[to++] = count;
    for (let i = 0; i < count; i++) values[to++] = sectors[i]!;
  }

  private grow(): void {
    const longer = new Int32Array(this.values.length * 2);
    longer.set(this.values);
    this.values = longer;
  }

  get used(): Int32Array {
    return this.values.subarray(0, this.length);
  }
}

function concatenate(streams: readonly IntStream[]): { readonly all: Int32Array; readonly start: Int32Array } {
  const start = new Int32Array(streams.length + 1);
  for (const [index, stream] of streams.entries()) start[index + 1] = start[index]! + stream.length;
  const all = new Int32Array(start[streams.length]!);
  for (const [index, stream] of streams.entries()) all.set(stream.used, start[index]!);
  return { all, start };
}

/**
 * Warp instructions traced of a longer block: of a grid's only block, of the first two, which are simulated, and of
 * others. The warps have equal shares.
 */
const MOST_OF_ONLY = 200_000;
const MOST_OF_SIMULATED = 125_000;
/** Less than half of MOST_OF_SIMULATED, as `simulatedTraces` requires. */
const LESS_OF_SIMULATED = 62_000;
const FEW_TOGETHER = 3;
const MOST_OF_FURTHER = 35_000;
/**
 * Lines that requests may access, in proportion to these instructions, and the cost of a repeated access against a
 * first one.
 */
const LINES_AN_INSTRUCTION = 0.75;
const SHARE_AGAIN = 1 / 8;
/** The limit of lines for a block whose first requests access more or fewer lines than the mean. */
const MOST_LINES_OF_UNLIKE = 400_000;

/** The number of SMs, and the blocks of the launch that each has room for. */
export interface SmPlaces {
  readonly smCount: number;
  readonly residentBlocks: number;
}

/** How far a block was run again. */
interface Rerun {
  readonly instructions: number;
  readonly ended: boolean;
}

/** Words that whole blocks' traces may take, about. */
const MOST_WORDS = 2 ** 28;

const NO_BLOCK = -1;

/**
 * Kinds of instruction: accesses of shared, global and local memory, a match.any, and a jump at which lanes may diverge
 * and reconverge later.
 */
const MEMORY = 1;
const GLOBAL = 2;
const JUMP = 3;
const MATCH = 4;
const LOCAL = 5;

/** The streams of a block, by warp. */
interface Streams {
  readonly pcs: IntStream[];
  readonly memory: IntStream[];
  readonly parted: IntStream[];
  /** Jumps executed so far at which lanes may diverge and reconverge later. */
  readonly jumps: number[];
}

function noStreams(): Streams {
  return { pcs: [], memory: [], parted: [], jumps: [] };
}

/** Records every block that the reference engine runs while it is attached. Warps may interleave in any order. */
export class TraceRecorder implements Observer {
  /** By pc: MEMORY, GLOBAL, JUMP, MATCH, LOCAL, or 0. */
  private readonly kind: Uint8Array;
  private readonly blocks = new Map<number, Streams>();
  /** The streams of the block that ran last. */
  private streams: Streams = noStreams();
  private current = NO_BLOCK;
  private readonly executed = new Map<number, Float64Array>();
  /** Recorded warp instructions, and those of the recorded blocks as a whole. */
  recorded = 0;
  instructions = 0;
  private readonly lines = new LineCount();
  /** The state before the current block. */
  private before = { recorded: 0, requests: 0, asked: 0, most: 0 };

  constructor(
    program: Program,
    private readonly places: SmPlaces | null,
  ) {
    const meetings = meetingPlaces(program.instructions);
    this.kind = Uint8Array.from(program.instructions, ({ pc, op, space, issue }) => {
      if (op === "ld" || op === "st" || op === "atom")
        return space === "global" ? GLOBAL : space === "local" ? LOCAL : MEMORY;
      if (op === "matchAny") return MATCH;
      return meetings[pc]! >= 0 && issue.length > 0 ? JUMP : 0;
    });
  }

  instruction(event: TraceEvent): void {
    if (event.block !== this.current || event.warp >= this.streams.pcs.length) this.goTo(event.block, event.warp);
    const { pcs, memory } = this.streams;
    this.recorded++;
    this.instructions++;
    pcs[event.warp]!.push(event.pc);
    const kind = this.kind[event.pc]!;
    if (kind === 0) return;
    if (kind === JUMP) {
      this.jump(event);
      return;
    }
    const lanes = populationCount(event.guardMask);
    if (kind === MATCH) memory[event.warp]!.pushRecord(lanes, event.values, event.sectors, 0);
    else if (lanes === 0) memory[event.warp]!.pushRecord(0, 0, event.sectors, 0);
    else {
      const returned = kind === GLOBAL || kind === LOCAL ? event.returnedWavefronts << RETURNED_SHIFT : 0;
      memory[event.warp]!.pushRecord(lanes, event.wavefronts | returned, event.sectors, event.sectorCount);
      if (kind === GLOBAL) this.lines.add(event.sectors, 0, event.sectorCount);
    }
  }

  get full(): boolean {
    return RECORD_HEADER * this.recorded + this.lines.asked > MOST_WORDS;
  }

  private jump({ warp, activeMask, guardMask }: TraceEvent): void {
    const { parted, jumps } = this.streams;
    if (guardMask !== 0 && guardMask !== activeMask) parted[warp]!.push(jumps[warp]!);
    jumps[warp]! += 1;
  }

  private goTo(block: number, warp: number): void {
    const streams = this.blocks.get(block) ?? noStreams();
    this.blocks.set(block, streams);
    while (streams.pcs.length <= warp) {
      streams.pcs.push(new IntStream());
      streams.memory.push(new IntStream());
      streams.parted.push(new IntStream());
      streams.jumps.push(0);
    }
    this.streams = streams;
    this.current = block;
  }

  /**
   * A limit for the next block's traced warp instructions, in a grid of `gridBlocks`; it falls as the block accesses
   * more lines.
   */
  mostOf(gridBlocks: number): () => number {
    const most = this.mostInstructions(gridBlocks);
    const { requests, asked } = this.lines;
    this.before = { recorded: this.recorded, requests, asked, most };
    return this.limited(most, LINES_AN_INSTRUCTION * Math.min(most, MOST_OF_SIMULATED));
  }

  /** The cost of the lines accessed so far, in first accesses. */
  get costOfLines(): number {
    return this.lines.cost(SHARE_AGAIN);
  }

  /** The limit is `most`, or the number of instructions whose lines cost `mostLines`. */
  private limited(most: number, mostLines: number): () => number {
    const { recorded, costOfLines } = this;
    return () => {
      const lines = this.costOfLines - costOfLines;
      return lines === 0 ? most : Math.min(most, (mostLines * (this.recorded - recorded)) / lines);
    };
  }

  private mostInstructions(gridBlocks: number): number {
    if (gridBlocks === 1) return MOST_OF_ONLY;
    if (this.executed.size >= 2) return MOST_OF_FURTHER;
    if (this.places === null) return MOST_OF_SIMULATED;
    const { smCount, residentBlocks } = this.places;
    const together = Math.min(residentBlocks, Math.ceil(gridBlocks / smCount));
    // If a block has its SM alone, the second block is simulated. If many blocks share an SM, less of each is
    // simulated.
    const less = together === 1 ? this.executed.size === 0 : together > FEW_TOGETHER;
    return less ? LESS_OF_SIMULATED : MOST_OF_SIMULATED;
  }

  /**
   * Only the beginning of a block was recorded; `whole` has its counters. If the lines ended the recording and later
   * requests access more or fewer lines (lanes leave a loop), the block is traced further. `run` then runs the block
   * again up to that limit of warp instructions.
   */
  onlyBegan(block: number, whole: RawCounters, run: (most: () => number) => Rerun | null): void {
    this.executed.set(block, whole.executed);
    const { most, recorded, requests, asked } = this.before;
    const instructions = sumOf(whole.executed);
    this.instructions += Math.max(0, instructions - (this.recorded - recorded));
    const linesOfRequest = (this.lines.asked - asked) / (this.lines.requests - requests);
    const global = whole.requests.filter((_, pc) => whole.lines[pc]! > 0);
    if (this.recorded - recorded >= most || areAlike(sumOf(whole.lines) / sumOf(global), linesOfRequest)) return;
    const known = this.instructions;
    this.retrace(block, instructions, () => run(this.limited(most, MOST_LINES_OF_UNLIKE)));
    this.instructions = known;
    if (this.executed.has(block)) this.executed.set(block, whole.executed);
  }

  /** Warp instructions traced of each block. */
  traced(): readonly { readonly block: number; readonly length: number }[] {
    return [...this.blocks].map(([block, { pcs }]) => ({
      block,
      length: pcs.reduce((sum, { length }) => sum + length, 0),
    }));
  }

  /**
   * Traces a block again that has `instructions` warp instructions. `run` returns how many it ran and whether the block
   * ended. The old trace stays if the block behaves differently now.
   */
  retrace(block: number, instructions: number, run: () => Rerun | null): void {
    const before = { recorded: this.recorded, instructions: this.instructions, traced: this.blocks.get(block) };
    this.blocks.delete(block);
    this.current = NO_BLOCK;
    const ran = run();
    this.current = NO_BLOCK;
    const again = this.blocks.get(block);
    const same = ran !== null && (ran.ended ? ran.instructions === instructions : ran.instructions <= instructions);
    if (ran === null || !same || again === undefined) {
      if (before.traced === undefined) this.blocks.delete(block);
      else this.blocks.set(block, before.traced);
      this.recorded = before.recorded;
      this.instructions = before.instructions;
      return;
    }
    this.executed.delete(block);
    if (ran.ended) return;
    const executed = new Float64Array(this.kind.length);
    for (const stream of again.pcs) for (const pc of stream.used) executed[pc]! += instructions / ran.instructions;
    this.executed.set(block, executed);
  }

  traces(): LaunchTraces {
    const blocks = [...this.blocks].sort(([a], [b]) => a - b);
    return {
      blocks: blocks.map(([block, streams]) => {
        const pcs = concatenate(streams.pcs);
        const memory = concatenate(streams.memory);
        const parted = concatenate(streams.parted);
        return {
          block,
          warps: streams.pcs.length,
          pcs: pcs.all,
          pcStart: pcs.start,
          memory: memory.all,
          memoryStart: memory.start,
          parted: parted.all,
          partedStart: parted.start,
          executed: this.executed.get(block) ?? null,
        };
      }),
    };
  }
}

function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** An observer for the reference engine; `predictLaunch` takes its `traces()`. */
export function createTraceRecorder(program: Program, places: SmPlaces | null = null): TraceRecorder {
  return new TraceRecorder(program, places);
}
