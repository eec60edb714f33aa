/**
 * The interface of the engines. An engine runs blocks of one launch of a lowered program against device memory, exactly,
 * and adds to raw counters. The fast engine (WebAssembly, a warp at a time) and the reference engine (an instruction, a
 * lane at a time) take and give the same.
 *
 * Both run in one order, so that they give the same memory even where blocks or warps share an address:
 * - Blocks run one after the other by linear index.
 * - In a block, warps run one after the other by index, each until it reaches a block barrier or ends.
 * - In a warp, an instruction takes the lanes in ascending order. The last lane's store to an address stays.
 */
import type { LaunchStream } from "../ir/ir.js";
import type { Instruction, Program } from "../lower/program.js";
import type { LaunchBudget } from "./budget.js";

export type Dim3 = readonly [x: number, y: number, z: number];

/** A pointer argument: byte address in device memory and the length of its allocation from there. */
export interface PointerArgument {
  readonly address: number;
  /** Negative where the pointer stands after the end of its allocation. */
  readonly byteLength: number;
  /**
   * Bytes of the allocation before the address, which may be read and written too. A grid may hand its child such a
   * pointer into the middle of an array, and a CUDA program its kernel. 0 by default.
   */
  readonly bytesBefore?: number;
}

export type Argument = number | bigint | PointerArgument;

/** Device memory as the engines see it: one linear memory, grown only between launches. */
export interface DeviceMemory {
  /** The current buffer; re-read it after anything that may grow the memory. */
  readonly buffer: ArrayBufferLike;
  /** The WebAssembly.Memory itself, for engines that compile to WebAssembly. */
  readonly wasmMemory: object;
  /** First byte of a scratch area that engines may use between launches' starts and ends, and its size. */
  readonly scratchAddress: number;
  readonly scratchBytes: number;
}

export interface PreparedLaunch {
  readonly program: Program;
  readonly grid: Dim3;
  readonly block: Dim3;
  readonly dynamicSharedBytes: number;
  readonly args: readonly Argument[];
  readonly memory: DeviceMemory;
  /** A warp that issues more instructions than this is taken for endless: KernelFault `cudaErrorLaunchTimeout`. */
  readonly stepLimit: number;
  /** Bounds the launch with all its child grids; unlimited unless given. */
  readonly budget?: LaunchBudget;
  /** Size of the printf buffer; CUDA's unless given. */
  readonly printfBytes?: number;
  /** Shared-memory banks and bytes a bank, for wavefronts; 128-byte lines and 32-byte sectors are every device's. */
  readonly sharedBanks: number;
  /** Blocks of the launch that the GPU holds at a time; all of them unless given. */
  readonly residentBlocks?: number;
  /** true before compute capability 7.0: lanes of a warp run in lockstep with a reconvergence stack. */
  readonly lockstep: boolean;
  /** Takes the grids that the kernel starts; a kernel that starts any needs it. */
  readonly children?: ChildGrids;
  /** For a child grid: who launched it, for the text of a fault. */
  readonly launchedBy?: string;
  /** Takes what CUDA leaves undefined in the blocks that the reference engine runs; not watched unless given. */
  readonly watch?: UndefinedWatch;
  /** Takes every access of the blocks that the reference engine runs, and what orders them; not watched unless given. */
  readonly accesses?: AccessWatch;
}

/** One access of a warp to global or shared memory, after it was made. The object is reused: copy what must stay. */
export interface WarpAccess {
  instruction: Instruction;
  block: number;
  warp: number;
  /** The lanes that take part; byte address of each in device memory, or in the block's shared memory. */
  lanes: number;
  readonly addresses: Int32Array;
  /** The memory's 32-bit words, and the word at which address 0 stands. */
  words: Int32Array;
  start: number;
  /** For a store: the bits that a lane has written to its k-th word, whatever later lanes have written there. */
  readonly stored: (lane: number, k: number) => number;
}

/** The accesses of a launch and the synchronisation that orders them, in the order in which they happen. */
export interface AccessWatch {
  blockStarts(block: number): void;
  /** All threads of the block have ended. */
  blockEnds(block: number): void;
  access(access: WarpAccess): void;
  /** All threads of the block have met at a barrier. */
  barrier(block: number): void;
  /** All blocks have met at grid.sync(). */
  gridBarrier(): void;
  /** Lanes have met at syncwarp. */
  syncwarp(block: number, warp: number, lanes: number): void;
  /** `device`: a threadfence, which orders for all blocks; else a threadfence_block. */
  fence(block: number, warp: number, lanes: number, device: boolean): void;
  /** A lane starts a grid, which runs later. */
  childStarts(request: ChildLaunch): void;
  /** Lanes have waited for all grids that their block has started. */
  childrenEnded(block: number, warp: number, lanes: number): void;
  /** A grid that this one has started is about to run: takes its accesses. */
  child(launch: PreparedLaunch, request: ChildLaunch): AccessWatch;
}

/** Who did something: block by linear index, warp in the block, and the lanes that did it together (the first names the thread). */
export interface FaultSite {
  readonly launch: PreparedLaunch;
  readonly instruction: Instruction;
  readonly block: number;
  readonly warp: number;
  readonly lanes: number;
}

export type UndefinedKind =
  /** Shared memory is read before it was written, and something depends on what is read. */
  | "uninitialized-shared"
  /** The same of a local array. */
  | "uninitialized-local"
  /** The mask of a warp primitive names lanes that the block does not have, that have ended, or (before 7.0) that are elsewhere. */
  | "missing-lanes"
  /** Before 7.0, where it is no fault: a lane executes a warp primitive whose mask does not name it. */
  | "lane-outside-mask"
  /** A shuffle's source lane is outside the mask, inactive, missing or has ended, and something depends on what it gives. */
  | "undefined-shuffle-source"
  /** A shuffle's width, known at run time only, is no power of two up to 32. */
  | "shuffle-width"
  /** A block barrier in a branch that a part of the block takes, or after some threads have ended. */
  | "divergent-barrier";

/** The report of something that CUDA leaves undefined. */
export interface UndefinedRemark {
  readonly kind: UndefinedKind;
  readonly site: FaultSite;
  /** Where other lanes are at the same time. */
  readonly other?: FaultSite;
  /** This GPU's compute capability defines it; what is said is what to look out for. */
  readonly defined?: boolean;
  readonly what: string;
  readonly cure: string;
  /** The part of the cure that the kernel's text alone can follow, where that is not all of it. */
  readonly kernelCure?: string;
}

export interface UndefinedWatch {
  /** Whether nothing was said yet of this kind at the instruction's line. */
  isNew(kind: UndefinedKind, site: Pick<FaultSite, "launch" | "instruction">): boolean;
  add(remark: UndefinedRemark): void;
}

/** A grid that a thread of a running grid has started. */
export interface ChildLaunch {
  readonly program: Program;
  readonly grid: Dim3;
  readonly block: Dim3;
  readonly dynamicSharedBytes: number;
  readonly args: readonly Argument[];
  readonly stream: LaunchStream;
  /** Who started it: block and thread (in the block), by linear index, and where. */
  readonly parentBlock: number;
  readonly parentThread: number;
  readonly instruction: Instruction;
}

/**
 * The child grids of one running grid. By CUDA a block's children run one after the other, and a child sees what its
 * thread wrote before the launch. The parent grid ends when its children have ended. The engines choose
 * one of the orders that this allows: children run after all blocks of the parent, by block and then by launch. They run
 * earlier if a thread of their block waits for them (`finish`), or if the launch's schedule says so. Tail launches run last.
 */
export interface ChildGrids {
  /** A lane has started a grid. Throws KernelFault where CUDA would give an error. */
  start(request: ChildLaunch): void;
  /**
   * A thread of the site's block waits (cudaDeviceSynchronize): runs what the block has started to its end, with all that
   * those grids start. Gives what they print.
   */
  finish(site: FaultSite): EngineResult;
  /**
   * A lane's launch is known to all who watch: runs what the schedule lets run before the parent goes on. Gives what
   * those grids print.
   */
  launched(request: ChildLaunch): EngineResult;
  /** Between two turns of a seeded schedule: as `launched`, for grids that were started before. null where none has run. */
  turn(): EngineResult | null;
  /** The launches that have not run yet, in order. A stepper that goes back shortens the list. */
  started: readonly ChildLaunch[];
}

/**
 * Raw counters, one entry a pc. A warp executes an instruction when any lane is active there, whatever its guard. Memory
 * entries count only warps in which some lane's guard holds.
 */
export interface RawCounters {
  /** Warp executions of each pc. */
  readonly executed: Float64Array;
  /** Active lanes (before the guard) summed over the warp executions of each pc. */
  readonly activeLanes: Float64Array;
  /** Lanes whose guard held, summed. Equal to activeLanes where there is no guard. */
  readonly predicatedLanes: Float64Array;
  /** bra: executions in which active lanes went both ways. */
  readonly divergent: Float64Array;
  /** ld, st, atom: warp executions with some lane's guard true. */
  readonly requests: Float64Array;
  /** Global: distinct 32-byte sectors a request, summed. */
  readonly sectors: Float64Array;
  /** Global: distinct 128-byte lines a request, summed (Fermi's transactions). */
  readonly lines: Float64Array;
  /** Global and shared: bytes that the lanes asked for, summed. */
  readonly bytes: Float64Array;
  /** Shared: wavefronts (cycles of the data stage), summed; conflict degree of a request = its wavefronts over the least possible. */
  readonly wavefronts: Float64Array;
  /** Shared: least possible wavefronts for the same requests' widths (1 for 4-byte, 2 for 8-byte, 4 for 16-byte accesses of a full warp). */
  readonly idealWavefronts: Float64Array;
  /** Warps and blocks started. */
  warps: number;
  blocks: number;
}

export function createRawCounters(program: Program): RawCounters {
  const pcs = program.instructions.length;
  const array = (): Float64Array => new Float64Array(pcs);
  return {
    executed: array(),
    activeLanes: array(),
    predicatedLanes: array(),
    divergent: array(),
    requests: array(),
    sectors: array(),
    lines: array(),
    bytes: array(),
    wavefronts: array(),
    idealWavefronts: array(),
    warps: 0,
    blocks: 0,
  };
}

/** Adds `from` to `into`. */
export function addRawCounters(into: RawCounters, from: RawCounters): void {
  for (const key of RAW_COUNTER_ARRAYS) {
    const target = into[key];
    const source = from[key];
    for (let pc = 0; pc < target.length; pc++) target[pc] = (target[pc] ?? 0) + (source[pc] ?? 0);
  }
  into.warps += from.warps;
  into.blocks += from.blocks;
}

export const RAW_COUNTER_ARRAYS: readonly (
  | "executed"
  | "activeLanes"
  | "predicatedLanes"
  | "divergent"
  | "requests"
  | "sectors"
  | "lines"
  | "bytes"
  | "wavefronts"
  | "idealWavefronts"
)[] = [
  "executed",
  "activeLanes",
  "predicatedLanes",
  "divergent",
  "requests",
  "sectors",
  "lines",
  "bytes",
  "wavefronts",
  "idealWavefronts",
];

/** One executed warp instruction, as an observer sees it. The object is reused: copy what must stay. */
export interface TraceEvent {
  block: number;
  warp: number;
  pc: number;
  /** Lanes active, and lanes whose guard held. */
  activeMask: number;
  guardMask: number;
  /**
   * The global sector numbers (byte address / 32) of a memory instruction, ascending, `sectorCount` of them. Those of
   * local memory count from the warp's own. An atomic repeats a sector as often as lanes share its most contended
   * address. A shared-memory swap of one lane a bank (`semantics/spin.ts`) lists the addresses that are swapped.
   */
  readonly sectors: Uint32Array;
  sectorCount: number;
  /** For match.any: distinct values among the lanes whose guard holds. */
  values: number;
  /** Shared, local, and loads from global: cycles of the data stage, whose banks serve one word each a cycle. */
  wavefronts: number;
  /** For global and local memory: the wavefronts of loads that wait for their data, and of stores (`semantics/l1-tags.ts`). */
  returnedWavefronts: number;
}

/** Attached to the reference engine only. */
export interface Observer {
  instruction?(event: TraceEvent): void;
  /** It keeps more than there is room for: a launch with a budget ends. */
  readonly full?: boolean;
}

export interface PrintfRecord {
  readonly text: string;
}

export interface EngineResult {
  readonly printed: readonly PrintfRecord[];
  /** Records before them that a full buffer has dropped; 0 unless given. */
  readonly lost?: number;
}

/** Warp instructions of each block of a grid, by its linear index; 0 for blocks that have not run. */
export type BlockWork = Uint32Array;

/** A grid of more blocks is not listed block by block. */
const MOST_LISTED_BLOCKS = 2 ** 22;

/** A list that engines fill, threads included; null for a grid that is too long for one. */
export function createBlockWork(gridBlocks: number): BlockWork | null {
  if (gridBlocks > MOST_LISTED_BLOCKS) return null;
  const bytes = 4 * gridBlocks;
  return new Uint32Array(
    typeof SharedArrayBuffer === "undefined" ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes),
  );
}

/**
 * Runs the blocks with linear indices `blocks` (ascending), and lists in `work` what each did. Throws KernelFault; memory
 * then holds what was written before.
 */
export interface Engine {
  readonly name: string;
  run(launch: PreparedLaunch, blocks: BlockRange, counters: RawCounters, work?: BlockWork | null): EngineResult;
}

/** Blocks first, first + step, ... below end. */
export interface BlockRange {
  readonly first: number;
  readonly end: number;
  readonly step: number;
}
