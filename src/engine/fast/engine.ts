/** The fast engine: compiles a program when it is first launched with a block shape, and runs blocks as WebAssembly. */
import {
  addRawCounters,
  type BlockRange,
  createRawCounters,
  type Engine,
  type EngineResult,
  type PreparedLaunch,
  type RawCounters,
} from "../engine.js";
import { LOOP_TURNS } from "../reference/executor.js";
import { LanesElsewhere } from "./hostFunctions.js";
import { placesBehind, writeLaunch } from "./launchArea.js";
import { keepWritten } from "./undo.js";
import { Unsupported } from "./unsupported.js";
import { instanceOf, type Variant, Variants } from "./variant.js";

export interface FastOptions {
  /** For tests: every warp goes from barrier to barrier in its turn, also where no warp could tell. */
  readonly alwaysTakeTurns?: boolean;
}

export interface FastEngine extends Engine {
  /** False where the launch needs the reference engine. Compiles the program, so that `run` need not. */
  supports(launch: PreparedLaunch): boolean;
}

/** `fallback` runs launches over again whose lanes turn out to wait for one another. */
export function createFastEngine(fallback: Engine, options: FastOptions = {}): FastEngine {
  const variants = new Variants({ alwaysTakeTurns: options.alwaysTakeTurns ?? false });
  return {
    name: "fast",
    supports: (launch) => supports(variants.of(launch), launch),
    run(launch, blocks, counters) {
      const variant = variants.of(launch);
      if (variant instanceof Unsupported) throw variant;
      const { mayWait, maySpin } = variant.kernel;
      if (!mayWait && !maySpin) return run(variant, launch, blocks, counters);
      const undo = keepWritten(launch);
      const own = createRawCounters(launch.program);
      // Lanes that go round a loop for longer than this give the others a turn: see the reference engine.
      const limited = { ...launch, stepLimit: Math.floor(launch.stepLimit / LOOP_TURNS) };
      try {
        const result = run(variant, maySpin ? limited : launch, blocks, own);
        addRawCounters(counters, own);
        return result;
      } catch (error) {
        if (!(error instanceof LanesElsewhere)) throw error;
        undo();
        return fallback.run(launch, blocks, counters);
      }
    },
  };
}

function supports(variant: Variant | Unsupported, launch: PreparedLaunch): boolean {
  if (variant instanceof Unsupported) return false;
  if (placesBehind(variant.kernel, launch).end > launch.memory.scratchBytes) return false;
  // Whole vectors are read across the ends of an allocation.
  const end = launch.memory.buffer.byteLength - 16;
  return launch.args.every((argument) => typeof argument !== "object" || argument.address + argument.byteLength <= end);
}

function run(variant: Variant, launch: PreparedLaunch, blocks: BlockRange, counters: RawCounters): EngineResult {
  const { kernel } = variant;
  const { memory } = launch;
  const scratch = memory.scratchAddress;
  const instance = instanceOf(variant, launch);
  writeLaunch(kernel, launch, scratch);
  const values = new BigInt64Array(memory.buffer, scratch + kernel.layout.counters, kernel.counters.counts);
  values.fill(0n);
  instance.state.launch = launch;
  instance.state.printed = [];
  try {
    instance.run(scratch, blocks.first, blocks.end, blocks.step);
  } finally {
    instance.state.launch = null;
    kernel.counters.expand(values, counters);
    const count = blocks.first < blocks.end ? Math.ceil((blocks.end - blocks.first) / blocks.step) : 0;
    counters.blocks += count;
    counters.warps += count * kernel.warps;
  }
  return { printed: instance.state.printed };
}
