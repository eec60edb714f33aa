/** The state that the compiled instructions of one launch work on: memories, register file, counters, the running warp. */
import type { PreparedLaunch, RawCounters, TraceEvent } from "../engine.js";
import { PrintfBuffer } from "../printf-buffer.js";
import type { Journal } from "./journal.js";
import { LocalMemory } from "./local-memory.js";
import { type RegisterLayout, type RegisterViews, viewRegisters } from "./register-layout.js";
import { Shadow } from "./shadow/shadow.js";
import type { WordsRead } from "./watched-words.js";

export interface MachineState {
  readonly launch: PreparedLaunch;
  readonly layout: RegisterLayout;
  readonly counters: RawCounters;
  /** Device memory, shared memory and local memory of all blocks held, registers of all their warps. */
  readonly global: RegisterViews;
  readonly shared: RegisterViews;
  readonly local: LocalMemory;
  readonly registers: RegisterViews;
  /** The work of the last instruction, for an observer. */
  readonly event: TraceEvent;
  /** The running block (linear index) and warp, and where its shared and local memory starts (32-bit words). */
  block: number;
  warp: number;
  sharedBase: number;
  localBase: number;
  /** Instructions that the running warp has issued: the value of `clock`. */
  issued: number;
  /** Changes with every write to memory: a loop that sees it unchanged, and its registers too, spins. */
  version: number;
  /** The words read since a loop's last turn, and who reads them; null where nobody asks (`watched-words.ts`). */
  reads: WordsRead | null;
  /** Set while stepping, and for blocks that may be taken back: old values are recorded before they are overwritten. */
  journal: Journal | null;
  /** The seed of a schedule, from which unwritten values are drawn. null: unwritten values are 0. */
  readonly seed: number | null;
  /** The shadow of a launch that is watched; else null. */
  readonly shadow: Shadow | null;
  readonly printed: PrintfBuffer;
}

/** Of one request: four doubles a lane of local memory, whose words lie in a line each. */
const MOST_SECTORS = 8 * 32;

/** 32-bit words of local memory of one thread, and of shared memory of one block. */
export function localWords(launch: PreparedLaunch): number {
  return Math.ceil(launch.program.localBytesPerThread / 16) * 4;
}
export function sharedWords(launch: PreparedLaunch): number {
  return Math.ceil((launch.program.staticSharedBytes + launch.dynamicSharedBytes) / 16) * 4;
}

export function warpsPerBlock(launch: PreparedLaunch): number {
  const [x, y, z] = launch.block;
  return Math.ceil((x * y * z) / 32);
}

/** Memories for `contexts` blocks at a time. */
export function createMachineState(
  launch: PreparedLaunch,
  layout: RegisterLayout,
  counters: RawCounters,
  contexts: number,
  seed: number | null = null,
): MachineState {
  const warps = warpsPerBlock(launch) * contexts;
  const registers = viewRegisters(new ArrayBuffer(layout.wordsPerWarp * 4 * warps));
  const words = { sharedWords: sharedWords(launch) * contexts, warps };
  const shadow = launch.watch === undefined ? null : new Shadow({ launch, layout, registers, ...words }, launch.watch);
  return {
    launch,
    layout,
    counters,
    global: viewRegisters(launch.memory.buffer),
    shared: viewRegisters(new ArrayBuffer(4 * words.sharedWords)),
    local: new LocalMemory(
      launch.program,
      { slots: contexts, warpsPerBlock: warpsPerBlock(launch), threadWords: localWords(launch) },
      seed,
      shadow?.local ?? null,
    ),
    registers,
    event: {
      block: 0,
      warp: 0,
      pc: 0,
      activeMask: 0,
      guardMask: 0,
      sectors: new Uint32Array(MOST_SECTORS),
      sectorCount: 0,
      values: 0,
      wavefronts: 0,
      returnedWavefronts: 0,
    },
    block: 0,
    warp: 0,
    sharedBase: 0,
    localBase: 0,
    issued: 0,
    version: 0,
    reads: null,
    journal: null,
    seed,
    shadow,
    printed: new PrintfBuffer(launch.printfBytes),
  };
}
