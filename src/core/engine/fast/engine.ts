/** The fast engine: compiles a program when it is first launched with a block shape, and runs blocks as WebAssembly. */

import { clearingSteps } from "../budget.js";
import {
  addRawCounters,
  type BlockRange,
  type BlockWork,
  createRawCounters,
  type Engine,
  type EngineResult,
  type PreparedLaunch,
  type RawCounters,
} from "../engine.js";
import { PrintfBuffer } from "../printf-buffer.js";
import { LOOP_TURNS } from "../reference/executor.js";
import { BlockWorkers, type SharedLimits } from "./block-workers.js";
import { type CompiledKernel, LISTED_BLOCKS } from "./compile.js";
import { LanesElsewhere } from "./lanes-elsewhere.js";
import { placesBehind, writeLaunch } from "./launch-area.js";
import { LAUNCH, LAUNCH_AREA } from "./layout.js";
import { blockPortion, LAUNCH_PORTION, StepMeter } from "./step-meter.js";
import { bytesOf, keep, partsRead, writtenParts } from "./undo.js";
import { Unsupported } from "./unsupported.js";
import { type Instance, instanceOf, moduleOf, type Variant, Variants } from "./variant.js";

export interface FastOptions {
  /** For tests: every warp goes from barrier to barrier in its turn, also where no warp could tell. */
  readonly alwaysTakeTurns?: boolean;
  /** Threads that help with large launches; as many as the machine can run at once unless told, 0: none. */
  readonly helpers?: number;
  /** Launches of fewer CUDA threads are run without help. */
  readonly leastSharedThreads?: number;
}

/** About a millisecond of work: ten times what it costs to wake a helper. */
const LEAST_SHARED_THREADS = 2 ** 18;
/** Copying more than this, to have it back if a block fails, would cost what the help saves. */
const MOST_KEPT_BYTES = 2 ** 24;

/** Functions of the host that helpers have. */
const HELPERS_IMPORTS: ReadonlySet<string> = new Set(["fault", "refill"]);

/** So many blocks one after the other that need the other engine say that all the rest will. */
const MOST_IN_VAIN = 8;

export interface FastEngine extends Engine {
  /** False where the launch needs the reference engine. Compiles the program, so that `run` need not. */
  supports(launch: PreparedLaunch): boolean;
}

/** `fallback` runs blocks over again whose lanes turn out to wait for one another. */
export function createFastEngine(fallback: Engine, options: FastOptions = {}): FastEngine {
  const variants = new Variants({ alwaysTakeTurns: options.alwaysTakeTurns ?? false });
  const leastShared = options.leastSharedThreads ?? LEAST_SHARED_THREADS;
  let workers: BlockWorkers | null | undefined;
  const runPlain = (
    variant: Variant,
    launch: PreparedLaunch,
    blocks: BlockRange,
    counters: RawCounters,
    work: BlockWork | null,
  ): EngineResult => {
    const isLarge = blockCount(blocks) * threadsOf(launch) >= leastShared;
    const scratches = isLarge ? scratchesToShare(variant, launch, blocks) : [];
    if (scratches.length > 1) {
      workers ??= BlockWorkers.create(options.helpers);
      if (workers !== null && runShared(variant, launch, blocks, counters, work, workers, scratches)) {
        return { printed: [] };
      }
    }
    return run(variant, launch, blocks, counters, work);
  };
  return {
    name: "fast",
    supports: (launch) => supports(variants.of(launch), launch),
    run(launch, blocks, counters, work = null) {
      const variant = variants.of(launch);
      if (variant instanceof Unsupported) throw variant;
      if (variant.kernel.countsBefore === null) return runPlain(variant, launch, blocks, counters, work);
      return runWaiting(variant, launch, blocks, counters, work, fallback);
    },
  };
}

/** Runs blocks that may need the other engine: those that do, or all of them where one has changed what it has read. */
function runWaiting(
  variant: Variant,
  launch: PreparedLaunch,
  blocks: BlockRange,
  counters: RawCounters,
  work: BlockWork | null,
  fallback: Engine,
): EngineResult {
  const { kernel } = variant;
  const read = partsRead(launch, writtenParts(launch, blocks, kernel.blockParts));
  const prints = launch.program.instructions.some(({ op }) => op === "printf");
  const undo = keep(launch, read);
  const spent = launch.budget?.spent ?? 0;
  const own = createRawCounters(launch.program);
  // Lanes that loop for longer than this give the others a turn: see the reference engine.
  const limited = { ...launch, stepLimit: Math.floor(launch.stepLimit / LOOP_TURNS) };
  const printed = new PrintfBuffer(launch.printfBytes);
  let rest = blocks;
  let inVain = 0;
  while (rest.first < rest.end) {
    if (inVain >= MOST_IN_VAIN) {
      printed.append(fallback.run(launch, rest, own, work));
      break;
    }
    try {
      printed.append(run(variant, kernel.maySpin ? limited : launch, rest, own, work));
      break;
    } catch (error) {
      if (!(error instanceof LanesElsewhere)) throw error;
      if (prints || read.length > 0) {
        undo();
        if (launch.budget !== undefined) launch.budget.spent = spent;
        return fallback.run(launch, blocks, counters, work);
      }
      // The block writes again what it has written so far.
      const { block } = error;
      inVain = block === rest.first ? inVain + 1 : 0;
      fallback.run(launch, { first: block, end: block + 1, step: 1 }, own, work);
      rest = { ...rest, first: block + rest.step };
    }
  }
  addRawCounters(counters, own);
  return printed.result;
}

function supports(variant: Variant | Unsupported, launch: PreparedLaunch): boolean {
  if (variant instanceof Unsupported) return false;
  if (placesBehind(variant.kernel, launch).end > launch.memory.scratchBytes) return false;
  // Whole vectors are read across the ends of an allocation.
  const end = launch.memory.buffer.byteLength - 16;
  return launch.args.every((argument) => typeof argument !== "object" || argument.address + argument.byteLength <= end);
}

function blockCount({ first, end, step }: BlockRange): number {
  return first < end ? Math.ceil((end - first) / step) : 0;
}

function threadsOf({ block }: PreparedLaunch): number {
  return block[0] * block[1] * block[2];
}

function countsIn(
  { layout, counters }: CompiledKernel,
  { memory }: PreparedLaunch,
  scratch: number,
  offset: number = layout.counters,
): BigInt64Array {
  return new BigInt64Array(memory.buffer, scratch + offset, counters.counts);
}

/** Calls the kernel for the blocks, so many at a time as it can list. */
function runListed(
  { kernel }: Variant,
  { memory }: PreparedLaunch,
  { run }: Instance,
  { first, end, step }: BlockRange,
  scratch: number,
  work: BlockWork | null,
): void {
  const listed = new Uint32Array(memory.buffer, scratch + kernel.blockWork, LISTED_BLOCKS);
  for (let from = first; from < end; from += step * LISTED_BLOCKS) {
    const to = Math.min(end, from + step * LISTED_BLOCKS);
    try {
      run(scratch, from, to, step);
    } finally {
      // Where a block fails, it and the blocks after it run again and are listed anew.
      if (work !== null) for (let block = from, at = 0; block < to; block += step) work[block] = listed[at++]!;
    }
  }
}

function addBlocks({ warps }: CompiledKernel, blocks: BlockRange, counters: RawCounters): void {
  const count = blockCount(blocks);
  counters.blocks += count;
  counters.warps += count * warps;
}

/** Throws KernelFault, or LanesElsewhere: then the counters have the blocks before that one. */
function run(
  variant: Variant,
  launch: PreparedLaunch,
  blocks: BlockRange,
  counters: RawCounters,
  work: BlockWork | null,
): EngineResult {
  const { kernel } = variant;
  const scratch = launch.memory.scratchAddress;
  const instance = instanceOf(variant, launch);
  writeLaunch(kernel, launch, scratch);
  const counts = countsIn(kernel, launch, scratch);
  counts.fill(0n);
  instance.state.launch = launch;
  const meter = meterOf(variant, launch, scratch);
  instance.state.meter = meter;
  instance.state.printed = new PrintfBuffer(launch.printfBytes);
  let done = blocks;
  let counted = counts;
  try {
    runListed(variant, launch, instance, blocks, scratch, work);
  } catch (error) {
    if (error instanceof LanesElsewhere && kernel.countsBefore !== null) {
      done = { ...blocks, end: error.block };
      counted = countsIn(kernel, launch, scratch, kernel.countsBefore);
    }
    throw error;
  } finally {
    instance.state.launch = null;
    launch.budget?.charge(meter.issued);
    kernel.counters.expand(counted, counters);
    addBlocks(kernel, done, counters);
  }
  return instance.state.printed.result;
}

/** Scratch areas for as many threads as there is room for; none where other threads cannot run blocks of the launch. */
function scratchesToShare({ kernel }: Variant, launch: PreparedLaunch, blocks: BlockRange): number[] {
  const { scratchAddress, scratchBytes, buffer } = launch.memory;
  const helpersCan = kernel.blockParts !== null && kernel.imports.every((name) => HELPERS_IMPORTS.has(name));
  if (!helpersCan || buffer instanceof ArrayBuffer) return [];
  if (bytesOf(writtenParts(launch, blocks, kernel.blockParts)) > MOST_KEPT_BYTES) return [];
  const size = Math.ceil(placesBehind(kernel, launch).end / 128) * 128;
  return Array.from({ length: Math.floor(scratchBytes / size) }, (_, index) => scratchAddress + index * size);
}

/** Runs the blocks with help. False if some block failed: then all is as before, and `run` says what it was. */
function runShared(
  variant: Variant,
  launch: PreparedLaunch,
  blocks: BlockRange,
  counters: RawCounters,
  work: BlockWork | null,
  workers: BlockWorkers,
  allScratches: readonly number[],
): boolean {
  const { kernel } = variant;
  const scratches = allScratches.slice(0, workers.helpers + 1);
  const own = scratches[0] ?? 0;
  const instance = instanceOf(variant, launch);
  for (const scratch of scratches) {
    writeLaunch(kernel, launch, scratch);
    countsIn(kernel, launch, scratch).fill(0n);
  }
  const undo = keep(launch, writtenParts(launch, blocks, kernel.blockParts));
  instance.state.launch = launch;
  instance.state.meter = meterOf(variant, launch, own);
  const done = workers.share({
    module: moduleOf(variant),
    memory: launch.memory.wasmMemory,
    blocks,
    scratches,
    mostAtOnce: LISTED_BLOCKS,
    listed: kernel.blockWork,
    work,
    limits: limitsOf(kernel, launch),
    run: (first, end) => runListed(variant, launch, instance, { first, end, step: blocks.step }, own, work),
  });
  instance.state.launch = null;
  const counted = createRawCounters(launch.program);
  for (const scratch of scratches) kernel.counters.expand(countsIn(kernel, launch, scratch), counted);
  const clearing = clearingSteps(launch.program.localBytesPerThread, kernel.warps) * blockCount(blocks);
  const issued = counted.executed.reduce((sum, count) => sum + count, clearing);
  // Run again by one thread, the fault is the same on every machine.
  if (!done || (launch.budget !== undefined && issued > launch.budget.left)) {
    undo();
    return false;
  }
  launch.budget?.charge(issued);
  addRawCounters(counters, counted);
  addBlocks(kernel, blocks, counters);
  return true;
}

/** The work that a helper may do before it gives up, so that the launching thread finds out by itself. */
function limitsOf({ warps }: CompiledKernel, launch: PreparedLaunch): SharedLimits {
  const { budget, stepLimit } = launch;
  const portion = blockPortion(launch);
  return {
    portion,
    launchPortion: LAUNCH_PORTION,
    mostPortions: budget === undefined ? Number.POSITIVE_INFINITY : budget.left / LAUNCH_PORTION,
    warpSteps: stepLimit,
    blockSteps: stepLimit * warps,
    deadline: budget?.deadline ?? Number.POSITIVE_INFINITY,
  };
}

function meterOf({ kernel }: Variant, launch: PreparedLaunch, scratch: number): StepMeter {
  const word = new BigInt64Array(launch.memory.buffer, scratch + LAUNCH_AREA + LAUNCH.stepsLeft, 1);
  return new StepMeter(launch, kernel, word);
}
