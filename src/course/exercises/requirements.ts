/** Requirements on a traced block: no hazards, who adds, in which order, and with which instructions. */

import type { LaunchResult } from "../../core/host/launch-result.js";
import type { Instruction, Op, Program } from "../../core/lower/program.js";
import { counted, instructionLine, spanLine } from "./source-line.js";
import type { CheckSpec, ExerciseSpec } from "./spec.js";
import { InterleavedOrder } from "./trace/addition-order.js";
import { Additions, tooManyAdditions } from "./trace/additions.js";
import { type BlockStep, type BlockWitness, type TracedBlock, traceBlock } from "./trace/block-trace.js";
import { Hazards } from "./trace/hazards.js";
import { OwnElements } from "./trace/own-elements.js";
import type { PreparedTrial } from "./trial.js";

export type RequirementSpec = Extract<
  CheckSpec,
  { readonly kind: "hazards" | "additions" | "order" | "loads" | "primitives" }
>;

export function isRequirement(check: CheckSpec): check is RequirementSpec {
  return (
    check.kind === "hazards" ||
    check.kind === "additions" ||
    check.kind === "order" ||
    check.kind === "loads" ||
    check.kind === "primitives"
  );
}

/** As CUDA calls them. */
const OP_WORDS: Readonly<Partial<Record<Op, string>>> = {
  atom: "atomics",
  fence: "threadfence",
  launch: "child grids",
  shfl: "shfl_sync",
  shflUp: "shfl_up_sync",
  shflDown: "shfl_down_sync",
  shflXor: "shfl_xor_sync",
  bar: "syncthreads",
};

function opWords(ops: readonly Op[]): string {
  const words = ops.map((op) => OP_WORDS[op] ?? op);
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

/** Warp instructions of each operation; of shuffles those whose values are added to others. */
class Executed implements BlockWitness {
  private readonly counts = new Map<Op, number>();

  constructor(private readonly additions: Additions) {}

  step({ instruction, lanes }: BlockStep): void {
    if (lanes !== 0) this.counts.set(instruction.op, (this.counts.get(instruction.op) ?? 0) + 1);
  }

  end(): void {}

  count(ops: readonly Op[]): number {
    return ops.reduce((sum, op) => {
      const counts = op.startsWith("shfl") ? this.additions.addedFrom : this.counts;
      return sum + (counts.get(op) ?? 0);
    }, 0);
  }
}

interface Used {
  readonly program: Program;
  readonly instruction: Instruction;
}

/** The first instruction of a launch that is ruled out: of the kernel itself one that is executed, of those that it launched any. */
function forbidden(launch: LaunchResult, none: readonly Op[]): Used | undefined {
  const { program, rawCounters } = launch;
  const own = program.instructions.find(({ op, pc }) => none.includes(op) && (rawCounters.executed[pc] ?? 0) > 0);
  if (own !== undefined) return { program, instruction: own };
  // To read which grids it launched is to predict their times.
  for (const child of program.children ?? []) {
    if (!launch.children?.kernels.some(({ kernel }) => kernel === child.name)) continue;
    const used = child.instructions.find(({ op }) => none.includes(op));
    if (used !== undefined) return { program: child, instruction: used };
  }
  return undefined;
}

/** A sentence where a kernel declares shared memory beside what the launch gives, and may not; null where it does not. */
export function ownShared({ program }: LaunchResult, { givenShared }: ExerciseSpec): string | null {
  const array = program.shared.find(({ sizeBytes }) => sizeBytes !== null);
  if (!givenShared || array === undefined) return null;
  return `${spanLine(program, array.array.span)} declares shared memory of the kernel's own; the launch gives one int a thread, by externShared, and no more is to be taken.`;
}

/** A sentence where a kernel takes what the exercise says it does without; null where it does not. */
function undeclared(launch: LaunchResult, spec: ExerciseSpec): string | null {
  const { program, kernel } = launch;
  const { blockConstant, checks } = spec;
  // The check of an SM's places tells more of it.
  const own = checks.some(({ kind }) => kind === "empty-warp-places") ? null : ownShared(launch, spec);
  if (own !== null) return own;
  if (blockConstant === null) return null;
  const asking = program.instructions.find(({ src }) =>
    src.some((operand) => operand.kind === "special" && operand.special.name === "blockDim"),
  );
  return asking === undefined
    ? null
    : `${instructionLine(program, asking, kernel)} asks for blockDim at run time; the template constant ${blockConstant} is the same number, known when the kernel is compiled.`;
}

/** Collects the first sentence of each check that a traced block or a launch does not pass. */
export class Requirements {
  private readonly failed = new Map<RequirementSpec, string>();

  constructor(private readonly checks: readonly RequirementSpec[]) {}

  /** The sentence of a check that has failed; null for one that holds so far. */
  failure(check: RequirementSpec): string | null {
    return this.failed.get(check) ?? null;
  }

  get allHold(): boolean {
    return this.failed.size === 0;
  }

  /** There are requirements, and none is left to be found wanting. */
  get allFailed(): boolean {
    return this.checks.length > 0 && this.failed.size === this.checks.length;
  }

  fail(kind: RequirementSpec["kind"], sentence: string | null | undefined): void {
    if (sentence === null || sentence === undefined) return;
    for (const check of this.checks) {
      if (check.kind === kind && !this.failed.has(check)) this.failed.set(check, sentence);
    }
  }

  failAll(sentence: string): void {
    for (const { kind } of this.checks) this.fail(kind, sentence);
  }

  /** Follows one block of the launch. Throws what the launch would throw. */
  trace(trial: PreparedTrial, block: number): void {
    let judge = (): void => {};
    const wanted = (kind: RequirementSpec["kind"]): boolean => this.checks.some((check) => check.kind === kind);
    const whole = traceBlock(trial, block, (traced) => {
      const additions = new Additions(traced);
      const hazards = new Hazards(traced);
      const executed = new Executed(additions);
      const order = wanted("order") ? new InterleavedOrder(traced, additions) : null;
      const asked = this.checks.find(({ kind }) => kind === "loads");
      const loads = asked?.kind === "loads" ? new OwnElements(traced, asked.which ?? "own") : null;
      judge = () => {
        this.fail("hazards", hazards.found[0]);
        this.fail("order", order?.found);
        this.fail("loads", loads?.found);
        this.judgeAdditions(additions, traced);
        this.judgePrimitives(executed, traced);
      };
      // Data is followed last: the others look at what was there before the instruction.
      return [hazards, executed, order, loads, additions].filter((witness) => witness !== null);
    });
    if (whole) judge();
    else {
      const what = "executes more warp instructions than a sum whose threads share the work";
      this.failAll(`Block ${block} of ${trial.grid} ${what}.`);
    }
  }

  /** Notes which forbidden operations the whole launch executed, and which a kernel has that it launched. */
  launched(launch: LaunchResult, spec: ExerciseSpec): void {
    this.fail("primitives", undeclared(launch, spec));
    for (const check of this.checks) {
      if (check.kind !== "primitives") continue;
      const used = forbidden(launch, check.none);
      if (used === undefined) continue;
      const line = instructionLine(used.program, used.instruction, launch.kernel);
      this.fail("primitives", `${line} is executed; the sum is to be made without ${opWords([used.instruction.op])}.`);
    }
  }

  private judgeAdditions(additions: Additions, traced: TracedBlock): void {
    for (const check of this.checks) {
      if (check.kind !== "additions") continue;
      this.fail("additions", tooManyAdditions(additions, traced, check.perThread, check.warpShare));
    }
  }

  private judgePrimitives(executed: Executed, { trial, block }: TracedBlock): void {
    for (const check of this.checks) {
      if (check.kind !== "primitives") continue;
      for (const { ops, least } of check.executed) {
        const count = executed.count(ops);
        if (count >= least) continue;
        const place = `(block ${block} of ${trial.grid}, ${trial.config.block} threads)`;
        const times = counted(count, "time");
        const found = ops.every((op) => op.startsWith("shfl"))
          ? `What ${opWords(ops)} gives is added ${times}`
          : `${opWords(ops)} executed: ${times}`;
        this.fail("primitives", `${found}; ${least} at least asked for ${place}.`);
      }
    }
  }
}
