/** The budget of a launch, together with all grids that its grids start: warp instructions, and time of the host. */

/** The limit that a launch has passed. */
export type PassedLimit = "steps" | "time" | "prints" | "trace";

/** Warp instructions after which the clock is read again. */
const CLOCK_STEPS = 2 ** 16;

/** Calls of printf in a launch: each takes the host as long as thousands of instructions, and few of so many are kept. */
export const MOST_PRINTS: number = 2 ** 21;

export class LaunchBudget {
  /** Warp instructions issued so far. An engine that takes blocks back sets it to what it was. */
  spent = 0;
  /** Milliseconds since 1970, with fractions, so that threads agree on it; infinite where there is no limit. */
  readonly deadline: number;
  #readAt: number = CLOCK_STEPS;
  #prints = 0;

  /** `timeLimitMs`: from now on; null for none. */
  constructor(
    readonly stepLimit: number,
    readonly timeLimitMs: number | null = null,
  ) {
    this.deadline = timeLimitMs === null ? Number.POSITIVE_INFINITY : now() + timeLimitMs;
  }

  /** Counts a thread's call of printf. */
  print(): PassedLimit | null {
    return ++this.#prints > MOST_PRINTS ? "prints" : null;
  }

  get left(): number {
    return this.stepLimit - this.spent;
  }

  get isLate(): boolean {
    return this.timeLimitMs !== null && now() > this.deadline;
  }

  /** Adds warp instructions that have been issued, and reads the clock from time to time. */
  charge(steps: number): PassedLimit | null {
    this.spent += steps;
    if (this.spent > this.stepLimit) return "steps";
    if (this.timeLimitMs === null || this.spent < this.#readAt) return null;
    this.#readAt = this.spent + CLOCK_STEPS;
    return this.isLate ? "time" : null;
  }
}

/** 32-bit words of local memory that a block may clear at its start for nothing, and words cleared in the time of a step. */
const FREE_WORDS = 2 ** 16;
const WORDS_A_STEP = 8;

/** The steps that the start of a block counts in the fast engine, which clears its local arrays, in warp instructions. */
export function clearingSteps(localBytesPerThread: number, warps: number): number {
  const words = Math.ceil(localBytesPerThread / 16) * 4 * 32 * warps;
  return Math.floor(Math.max(0, words - FREE_WORDS) / WORDS_A_STEP);
}

/** Local memory gets its unwritten values in pages of so many bytes, when a block first touches them. */
export const LOCAL_PAGE_BYTES = 512;

function now(): number {
  return performance.timeOrigin + performance.now();
}
