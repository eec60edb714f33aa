/** Tries one mutant of the compiler on the corpus, in a process of its own, until it is found to be wrong. */
import { readFileSync } from "node:fs";
import { deserialize } from "node:v8";
import { lower } from "../../../src/core/lower/lower.js";
import type { LoweringOptions } from "../../../src/core/lower/program.js";
import { verifySsa } from "../../../src/core/lower/ssa/verify-ssa.js";
import { enginesDiffer } from "../agreement.js";
import { isLockstep, nameOf } from "../capabilities.js";
import { interpret } from "../oracle.js";
import { checkedProgram } from "../run-case.js";
import type { KernelTree } from "../tree.js";
import { type Corpus, type CorpusKernel, programHash } from "./corpus.js";

export interface Verdict {
  /** "unsound": the verifiers of SSA and programs, or an exception. "value": memory or counters. */
  readonly killed: "unsound" | "value" | null;
  /** The kernel and what is wrong with it. */
  readonly why: string | null;
  /** The first kernel of the count tests and the course whose code differs. */
  readonly code: string | null;
  /** The first random kernel whose code differs. */
  readonly randomCode: string | null;
  /** Random kernels tried. */
  readonly kernels: number;
}

function unsound({ ir }: CorpusKernel, options: LoweringOptions): string | null {
  let found: string | null = null;
  try {
    checkedProgram(ir, options, {
      after(step, fn) {
        if (found !== null) return;
        const [fault] = verifySsa(fn);
        if (fault !== undefined) found = `SSA behind ${step}: ${fault}`;
      },
    });
  } catch (error) {
    found ??= String(error);
  }
  return found;
}

/** Whether the mutant's program is that of the compiler without a change. */
function compiled(kernel: CorpusKernel, options: LoweringOptions, hash: string | null): "same" | "other" {
  try {
    return programHash(lower(kernel.ir, options)) === hash ? "same" : "other";
  } catch (error) {
    return hash === null && error instanceof Error && error.name === "CompileError" ? "same" : "other";
  }
}

/** What is wrong with the program that the mutant makes of a random kernel. */
function wrongValue(kernel: CorpusKernel, tree: KernelTree, options: LoweringOptions): string | null {
  const { computeCapability } = options;
  return enginesDiffer(tree, checkedProgram(kernel.ir, options), isLockstep(computeCapability), interpret(tree));
}

function tried(kernels: Iterable<CorpusKernel>, until: () => boolean, alive: () => void): Verdict {
  let [code, randomCode]: (string | null)[] = [null, null];
  let count = 0;
  for (const kernel of kernels) {
    const { tree, name } = kernel;
    if (until()) break;
    if (tree === null && code !== null) continue;
    count++;
    for (const { options, hash } of kernel.compilations) {
      alive();
      if (compiled(kernel, options, hash) === "same") continue;
      const on = `${name} on ${nameOf(options.computeCapability)}${options.debug === true ? ", debug" : ""}`;
      if (tree === null) code ??= on;
      else randomCode ??= on;
      const fault = unsound(kernel, options);
      const value = fault !== null || tree === null ? null : wrongValue(kernel, tree, options);
      if (fault === null && value === null) continue;
      const why = `${on}: ${fault ?? value}`.slice(0, 300);
      return { killed: fault === null ? "value" : "unsound", why, code, randomCode, kernels: count };
    }
  }
  return { killed: null, why: null, code, randomCode, kernels: count };
}

/** The kernels, each read when its turn comes: the random ones stand first, and take turns with the others. */
function* read({ kernels, random }: Corpus, indices: readonly number[]): Generator<CorpusKernel> {
  const values = indices.filter((index) => index < random);
  const code = indices.filter((index) => index >= random);
  for (let turn = 0; turn < Math.max(values.length, code.length); turn++) {
    for (const index of [values[turn], code[turn]]) {
      if (index !== undefined) yield deserialize(kernels[index]!) as CorpusKernel;
    }
  }
}

/** Arguments: the corpus's file, seconds of the processor, the place or nothing. Answers its parent with a verdict. */
export function main([file = "", seconds = "8", place = ""]: readonly string[]): void {
  const corpus = deserialize(readFileSync(file)) as Corpus;
  const limit = Number(seconds) * 1e6;
  const start = process.cpuUsage();
  const spent = (): boolean => {
    const { user, system } = process.cpuUsage(start);
    return user + system > limit;
  };
  const indices = place === "" ? [...corpus.kernels.keys()] : (corpus.reaching.get(place) ?? []);
  const verdict = tried(read(corpus, indices), spent, () => process.send?.("alive"));
  process.send?.(verdict, () => process.exit(0));
}
