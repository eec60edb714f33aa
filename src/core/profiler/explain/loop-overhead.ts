/** Whether unrolling would help: loops that the code still has in one copy, and what their counting and jumping costs. */
import type { LaunchResult } from "../../host/launch-result.js";
import type { Instruction, Program } from "../../lower/program.js";
import { timeLeft, withoutInstructions } from "./what-if/what-if.js";

/** Advice has to gain this share of the time. */
const LEAST_GAIN = 0.05;

/** Copies of one statement show by these: each stands once for each time that it is written. */
const COPIED: ReadonlySet<string> = new Set([
  "ld",
  "st",
  "atom",
  "add",
  "sub",
  "mul",
  "mad",
  "fma",
  "min",
  "max",
  "shfl",
]);

/** The instructions of each innermost loop, its backward branch last. */
function innermostLoops({ instructions }: Program): readonly (readonly Instruction[])[] {
  const back = instructions.filter(({ op, pc, target }) => op === "bra" && target !== undefined && target <= pc);
  const inner = back.filter(
    ({ pc, target = pc }) => !back.some((other) => other.pc < pc && (other.target ?? 0) >= target && other.pc !== pc),
  );
  return inner.map(({ pc, target = pc }) => instructions.slice(target, pc + 1));
}

/** Most statements of the loop stand there several times. */
function isUnrolled(loop: readonly Instruction[]): boolean {
  const copied = loop.filter(({ op }) => COPIED.has(op));
  const places = new Set(
    copied.map(({ op, source, span }) => `${op} ${source} ${span.line} ${span.column} ${span.length}`),
  );
  return places.size * 2 <= copied.length;
}

/** The branch back, the comparison before it and the step of what it compares. */
function overheadOf(loop: readonly Instruction[]): readonly number[] {
  const branch = loop[loop.length - 1]!;
  const compares = loop.filter(
    ({ op, dst }) => op === "setp" && branch.guard !== null && dst.includes(branch.guard.reg),
  );
  const compared = new Set(
    compares.flatMap(({ src }) => src.flatMap((each) => (each.kind === "reg" ? [each.reg] : []))),
  );
  const steps = loop.filter(({ op, dst }) => (op === "add" || op === "sub") && dst.some((reg) => compared.has(reg)));
  return [branch, ...compares, ...steps].map(({ pc }) => pc);
}

/** Whether the model says that the kernel gains by unrolling a loop that is not unrolled yet. */
export function gainsByUnrolling(launch: LaunchResult): boolean {
  const loops = innermostLoops(launch.program).filter((loop) => !isUnrolled(loop));
  const overhead = new Set(loops.flatMap(overheadOf));
  if (overhead.size === 0) return false;
  return (
    timeLeft(
      launch,
      withoutInstructions(({ pc }) => overhead.has(pc)),
    ) <=
    1 - LEAST_GAIN
  );
}
