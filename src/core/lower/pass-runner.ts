/**
 * Runs the passes of a compilation, and lets tests instrument them, as LLVM's PassInstrumentation does. Tests verify
 * the SSA behind each pass. They also run the first passes alone, to find the one that is wrong.
 */
import type { PassName } from "./pass-names.js";
import type { SsaFunction } from "./ssa/ssa.js";

/** All that can be left out: the passes by name, and what stands beside them in the pipeline. */
export type StepName =
  | PassName
  | "remove-dead-code"
  | "warp-size"
  | "predication"
  | "register-coalescing"
  | "collapse-jumps"
  | "instruction-schedule"
  | "slow-paths";

export interface PassInstrumentation {
  /** How many applications of passes run, as LLVM's -opt-bisect-limit says. All, unless given. */
  readonly limit?: number;
  /** Left out besides those that the options name. */
  readonly without?: readonly StepName[];
  /** Sees the SSA that an application leaves. The passes behind emission leave it as it is. */
  readonly after?: (step: StepName, fn: SsaFunction) => void;
}

export class PassRunner {
  private readonly fn: SsaFunction;
  private readonly without: ReadonlySet<StepName>;
  private readonly instrumentation: PassInstrumentation;
  private applications = 0;

  constructor(fn: SsaFunction, without: Iterable<StepName>, instrumentation: PassInstrumentation) {
    this.fn = fn;
    this.without = new Set([...without, ...(instrumentation.without ?? [])]);
    this.instrumentation = instrumentation;
  }

  /** Runs a pass unless it is left out. True if the pass reports a change. */
  run(step: StepName, pass: () => unknown): boolean {
    const { limit, after } = this.instrumentation;
    if (this.without.has(step) || this.applications === limit) return false;
    this.applications++;
    const changed = pass() === true;
    after?.(step, this.fn);
    return changed;
  }
}
