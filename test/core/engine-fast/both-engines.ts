/** Runs a program on both engines and says where memory, counters, output or faults differ. */
import { KernelFault } from "../../../src/core/base/errors.js";
import {
  type Argument,
  createBlockWork,
  createRawCounters,
  type PreparedLaunch,
  RAW_COUNTER_ARRAYS,
  type RawCounters,
} from "../../../src/core/engine/engine.js";
import { type FastEngine, fastEngine } from "../../../src/core/engine/fast/index.js";
import { referenceEngine } from "../../../src/core/engine/reference/index.js";
import type { Program } from "../../../src/core/lower/program.js";
import { type LaunchOptions, prepare } from "../engine/launch.js";

export interface Comparison {
  /** The fast engine leaves this launch to the reference engine. */
  readonly supported: boolean;
  /** One line a difference; empty if both engines agree. */
  readonly differences: readonly string[];
  /** Both engines ended with this fault. */
  readonly fault: string | null;
}

interface Outcome {
  readonly bytes: Uint8Array;
  readonly counters: RawCounters;
  readonly work: readonly number[];
  readonly printed: readonly string[];
  readonly fault: string | null;
}

/** `bytesBefore`: pointer arguments point so far into their buffers. */
export function compareEngines(
  code: string | Program,
  options: LaunchOptions = {},
  bytesBefore = 0,
  tested: FastEngine = fastEngine,
): Comparison {
  const prepared = (): PreparedLaunch => {
    const { launch } = prepare(code, options);
    if (bytesBefore === 0) return launch;
    const args = launch.args.map((argument): Argument => {
      if (typeof argument !== "object") return argument;
      const { address, byteLength } = argument;
      return { address: address + bytesBefore, byteLength: byteLength - bytesBefore, bytesBefore };
    });
    return { ...launch, args };
  };
  if (!tested.supports(prepared())) return { supported: false, differences: [], fault: null };
  const [fast, reference] = [tested, referenceEngine].map((engine): Outcome => {
    const launch = prepared();
    const counters = createRawCounters(launch.program);
    const [x, y, z] = launch.grid;
    const work = createBlockWork(x * y * z);
    let printed: readonly string[] = [];
    let fault: string | null = null;
    try {
      printed = engine
        .run(launch, { first: 0, end: x * y * z, step: 1 }, counters, work)
        .printed.map(({ text }) => text);
    } catch (error) {
      if (!(error instanceof KernelFault)) throw error;
      fault = error.message;
    }
    const from = launch.memory.scratchAddress + launch.memory.scratchBytes;
    return {
      bytes: new Uint8Array(launch.memory.buffer).slice(from),
      counters,
      work: [...(work ?? [])],
      printed,
      fault,
    };
  }) as [Outcome, Outcome];
  const differences: string[] = [];
  // The reference engine proves a hang where the fast one only passes the step limit.
  const timeout = "cudaErrorLaunchTimeout";
  if (fast.fault?.startsWith(timeout) === true && reference.fault?.startsWith(timeout) === true) {
    return { supported: true, differences, fault: timeout };
  }
  if (fast.fault !== reference.fault) differences.push(`fault: fast ${fast.fault}\nreference ${reference.fault}`);
  const at = fast.bytes.findIndex((byte, index) => byte !== reference.bytes[index]);
  if (at >= 0) {
    const word = at & ~3;
    const values = [fast, reference].map(({ bytes }) => new DataView(bytes.buffer).getUint32(word, true).toString(16));
    differences.push(`memory: byte ${at}: fast 0x${values[0]} reference 0x${values[1]}`);
  }
  if (fast.printed.join() !== reference.printed.join())
    differences.push(`printed: ${fast.printed} / ${reference.printed}`);
  if (reference.fault === null) {
    for (const name of RAW_COUNTER_ARRAYS) {
      const pc = fast.counters[name].findIndex((value, index) => value !== reference.counters[name][index]);
      if (pc < 0) continue;
      const values = [fast, reference].map(({ counters }) => counters[name][pc]);
      differences.push(`${name}[${pc}]: fast ${values[0]} reference ${values[1]}`);
    }
    const block = fast.work.findIndex((instructions, index) => instructions !== reference.work[index]);
    if (block >= 0) {
      differences.push(`block ${block}: fast ${fast.work[block]} instructions, reference ${reference.work[block]}`);
    }
    const executed = reference.counters.executed.reduce((sum, count) => sum + count, 0);
    const listed = reference.work.reduce((sum, instructions) => sum + instructions, 0);
    if (listed !== executed) differences.push(`blocks' instructions: ${listed}, executed ${executed}`);
    if (fast.counters.warps !== reference.counters.warps) differences.push("warps");
    if (fast.counters.blocks !== reference.counters.blocks) differences.push("blocks");
  }
  return { supported: true, differences, fault: reference.fault };
}
