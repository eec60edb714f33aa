/**
 * Which pass is wrong, as LLVM's -verify-each and -opt-bisect-limit say: the kernel is compiled with the first pass
 * alone, then with the first two, and so on, until its SSA is unsound or its program is wrong.
 */
import type { KernelIr } from "../../src/core/ir/ir.js";
import { lower } from "../../src/core/lower/lower.js";
import type { PassInstrumentation, StepName } from "../../src/core/lower/pass-runner.js";
import type { LoweringOptions, Program } from "../../src/core/lower/program.js";
import { verifySsa } from "../../src/core/lower/ssa/verify-ssa.js";
import { enginesDiffer, meaningOf } from "./agreement.js";
import { type Capability, isLockstep, nameOf } from "./capabilities.js";
import { interpret } from "./oracle.js";
import { checkedIr, checkedProgram } from "./run-case.js";
import type { KernelTree } from "./tree.js";

/** These work on what emission makes, or decide about it. */
const BEHIND: readonly StepName[] = [
  "predication",
  "register-coalescing",
  "collapse-jumps",
  "instruction-schedule",
  "slow-paths",
];

function faultOf(compile: () => Program, wrong: (program: Program) => string | null): string | null {
  try {
    return wrong(compile());
  } catch (error) {
    return String(error);
  }
}

/**
 * The first application of a pass after which the SSA is unsound or `wrong` says what is wrong with the program; null
 * where there is none. Names the later steps without which the whole compilation is right, too.
 */
export function firstWrongPass(
  ir: KernelIr,
  options: LoweringOptions,
  wrong: (program: Program) => string | null,
): string | null {
  const applied: StepName[] = [];
  const name = (count: number): string => {
    const step = applied[count - 1]!;
    const which = applied.slice(0, count).filter((each) => each === step).length;
    return `pass ${count}, ${step} (its application ${which})`;
  };
  let unsound: string | null = null;
  const after: PassInstrumentation["after"] = (step, fn) => {
    applied.push(step);
    const faults = verifySsa(fn);
    if (faults.length > 0) unsound ??= `Unsound SSA behind ${name(applied.length)}: ${faults.slice(0, 5).join("; ")}`;
  };
  const thrown = faultOf(
    () => lower(ir, options, { after }),
    () => null,
  );
  if (thrown !== null)
    unsound ??= `${applied.length === 0 ? "The builder" : `What follows ${name(applied.length)}`} throws: ${thrown}`;
  if (unsound !== null) return unsound;
  let before = "";
  for (let limit = 0; limit <= applied.length; limit++) {
    const found = faultOf(
      () => checkedProgram(ir, options, { limit }),
      (program) => {
        const meaning = meaningOf(program, false);
        if (meaning === before) return null;
        before = meaning;
        return wrong(program);
      },
    );
    if (found === null) continue;
    const where = limit === 0 ? "Wrong without any pass: the builder or emission" : `First wrong behind ${name(limit)}`;
    const right = BEHIND.filter((step) => {
      return faultOf(() => checkedProgram(ir, options, { without: [step] }), wrong) === null;
    });
    return `${where}: ${found}\n${right.length === 0 ? "Wrong without any one of" : "Right without"} ${(right.length === 0 ? BEHIND : right).join(", ")}`;
  }
  return null;
}

/** The first wrong pass over a random kernel on each of `capabilities`; null where all are right. */
export function verifyEach(tree: KernelTree, capabilities: readonly Capability[], defined: boolean): string | null {
  const ir = checkedIr(tree);
  const wanted = defined ? interpret(tree) : null;
  for (const computeCapability of capabilities) {
    const found = firstWrongPass(ir, { computeCapability, contractFma: !defined }, (program) =>
      enginesDiffer(tree, program, isLockstep(computeCapability), wanted),
    );
    if (found !== null) return `${nameOf(computeCapability)}: ${found}`;
  }
  return null;
}
