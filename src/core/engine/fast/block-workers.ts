/**
 * Other threads that help to run the blocks of one launch. The blocks are cut into portions. The launching thread and
 * its helpers each take the next one until none is left. The launching thread waits for the last. A helper that
 * starts late, or not at all, only leaves more for the others. Helpers end by themselves when they have had nothing to
 * do for a while, and with them what they hold of the device memory.
 *
 * They share `control`, int32: see `CONTROL`. A job is open while JOB is not 0. A helper counts itself in (ACTIVE), looks
 * whether the job is still open, and only then touches the memory. The launching thread closes the job and waits until
 * ACTIVE is 0. So no helper touches the memory after it returns.
 */
import { platform, type Thread } from "../../base/platform.js";
import type { BlockRange, BlockWork } from "../engine.js";
import { BETWEEN_BLOCKS } from "./emit/library/fault-library.js";

/** Places in `control`; from `alive` on one for each helper: 1 while it can take jobs. */
const CONTROL = { job: 0, active: 1, next: 2, failed: 3, portions: 4, alive: 5 } as const;

/** More helpers would mostly wait for memory. */
const MOST_HELPERS = 7;
const IDLE_MILLISECONDS = 1500;
/** Portions a thread, if all are equally fast. */
const PORTIONS = 16;

/** Helpers that pass a limit fail; the launching thread then runs the blocks by itself. In warp instructions. */
export interface SharedLimits {
  /** The portion that a block is given at a time; the most that one warp and all may issue. */
  readonly portion: number;
  readonly warpSteps: number;
  readonly blockSteps: number;
  /** The portion that all blocks are given at a time, and how often. */
  readonly launchPortion: number;
  readonly mostPortions: number;
  /** Milliseconds since 1970. */
  readonly deadline: number;
}

/** The message that gives a helper a job. */
interface Job {
  readonly number: number;
  readonly module: object;
  readonly memory: object;
  /** The scratch area of this helper. */
  readonly scratch: number;
  readonly first: number;
  readonly end: number;
  readonly step: number;
  /** Blocks of a portion, and how many portions there are. */
  readonly size: number;
  readonly portions: number;
  /** Offset in the scratch area where the kernel lists a portion's blocks, and where that is to go. */
  readonly listed: number;
  readonly work: BlockWork | null;
  readonly limits: SharedLimits;
}

export interface SharedRun {
  readonly module: object;
  readonly memory: object;
  readonly blocks: BlockRange;
  /** The scratch area of the launching thread, then of each helper. */
  readonly scratches: readonly number[];
  /** Blocks that the module runs in one call. */
  readonly mostAtOnce: number;
  /** Offset in a scratch area of the warp instructions of each block of a call, uint32. */
  readonly listed: number;
  /** Takes them, by block; on memory that threads share. */
  readonly work: BlockWork | null;
  readonly limits: SharedLimits;
  /** Runs blocks first, first + step, ... below end in the launching thread. */
  run(first: number, end: number): void;
}

export class BlockWorkers {
  private readonly control: Int32Array;
  private readonly workers: (Thread | null)[];
  private jobs = 0;

  private constructor(readonly helpers: number) {
    this.control = new Int32Array(new SharedArrayBuffer(4 * (CONTROL.alive + helpers)));
    this.workers = Array.from({ length: helpers }, () => null);
  }

  /** null where the machine has no second thread to run. `helpers`: as many as it can run at once unless told. */
  static create(helpers?: number): BlockWorkers | null {
    const count = helpers ?? Math.min(MOST_HELPERS, platform().parallelism - 1);
    return count < 1 || typeof SharedArrayBuffer === "undefined" ? null : new BlockWorkers(count);
  }

  /** Runs all blocks; false if some failed, with any of the others run. Throws nothing that a block throws. */
  share({ module, memory, blocks, scratches, mostAtOnce, listed, work, limits, run }: SharedRun): boolean {
    const { control } = this;
    const { first, end, step } = blocks;
    const count = Math.ceil((end - first) / step);
    const helpers = Math.min(this.helpers, scratches.length - 1);
    const size = Math.min(mostAtOnce, Math.max(1, Math.ceil(count / (PORTIONS * (helpers + 1)))));
    const portions = Math.ceil(count / size);
    const number = ++this.jobs;
    control[CONTROL.next] = 0;
    control[CONTROL.failed] = 0;
    control[CONTROL.portions] = 0;
    for (let helper = 0; helper < helpers; helper++) {
      const scratch = scratches[helper + 1]!;
      this.tell(helper, { number, module, memory, scratch, first, end, step, size, portions, listed, work, limits });
    }
    Atomics.store(control, CONTROL.job, number);
    Atomics.notify(control, CONTROL.job);
    try {
      for (;;) {
        const portion = Atomics.add(control, CONTROL.next, 1);
        if (portion >= portions || Atomics.load(control, CONTROL.failed) !== 0) break;
        const from = first + portion * size * step;
        run(from, Math.min(end, from + size * step));
      }
    } catch {
      Atomics.store(control, CONTROL.failed, 1);
    } finally {
      Atomics.store(control, CONTROL.job, 0);
      for (;;) {
        const active = Atomics.load(control, CONTROL.active);
        if (active === 0) break;
        Atomics.wait(control, CONTROL.active, active);
      }
    }
    return Atomics.load(control, CONTROL.failed) === 0;
  }

  /** Gives a helper the job, starting it where it does not run. */
  private tell(helper: number, job: Job): void {
    const worker = this.workers[helper] ?? null;
    const alive = CONTROL.alive + helper;
    if (worker !== null && Atomics.load(this.control, alive) === 1) {
      worker.postMessage(job);
      return;
    }
    Atomics.store(this.control, alive, 1);
    try {
      const data = { control: this.control, alive, idle: IDLE_MILLISECONDS, job, places: CONTROL };
      this.workers[helper] = platform().startThread(HELPER, data, () => Atomics.store(this.control, alive, 0));
    } catch {
      // Where no thread may be started, the launching one does all the work.
      Atomics.store(this.control, alive, 0);
    }
  }
}

/**
 * The program of a helper, as text: so it starts the same from TypeScript sources, from a build and from a bundle. It
 * can run kernels that import no functions but `fault` and `refill`.
 */
const HELPER = `
const BETWEEN = ${BETWEEN_BLOCKS};
const { control, alive, idle, places } = data;

function run({ module, memory, scratch, first, end, step, size, portions, listed, work, limits }) {
  const fault = () => { throw new Error("fault"); };
  let last = { block: -1, warp: -1 };
  let inBlock = 0;
  let inWarp = 0;
  const refill = (pc, block, warp, lanes, left) => {
    if (Atomics.load(control, places.failed) !== 0) fault();
    if (performance.timeOrigin + performance.now() > limits.deadline) fault();
    if (warp === BETWEEN) {
      if (Atomics.add(control, places.portions, 1) >= limits.mostPortions) fault();
      return BigInt(limits.launchPortion);
    }
    const given = limits.portion * Math.ceil(-Number(left) / limits.portion);
    inBlock = block === last.block ? inBlock + given : given;
    inWarp = block === last.block && warp === last.warp ? inWarp + given : given;
    last = { block, warp };
    if (inBlock > limits.blockSteps || (warp >= 0 && inWarp > limits.warpSteps)) fault();
    return BigInt(given) + left;
  };
  try {
    const { run } = new WebAssembly.Instance(module, { host: { memory, fault, refill } }).exports;
    const instructions = new Uint32Array(memory.buffer, scratch + listed, size);
    for (;;) {
      if (Atomics.load(control, places.failed) !== 0) return;
      const portion = Atomics.add(control, places.next, 1);
      if (portion >= portions) return;
      const from = first + portion * size * step;
      const to = Math.min(end, from + size * step);
      run(scratch, from, to, step);
      if (work !== null) for (let block = from, at = 0; block < to; block += step) work[block] = instructions[at++];
    }
  } catch {
    Atomics.store(control, places.failed, 1);
  }
}

let job = data.job;
data.job = null;
let seen = 0;
for (;;) {
  if (Atomics.wait(control, places.job, seen, idle) === "timed-out") break;
  seen = Atomics.load(control, places.job);
  if (seen === 0) continue;
  for (let told; (told = takeMessage()) !== undefined; ) job = told;
  if (job === null || job.number !== seen) continue;
  Atomics.add(control, places.active, 1);
  if (Atomics.load(control, places.job) === seen) run(job);
  job = null;
  if (Atomics.sub(control, places.active, 1) === 1) Atomics.notify(control, places.active);
}
Atomics.store(control, alive, 0);
end();
`;
