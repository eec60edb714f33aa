/**
 * One random kernel on many GPUs: its lowering for each compute capability, in both engines, against the direct
 * interpretation of its tree. Where nothing else defines the result (wild kernels) the two engines are compared.
 */
import { createHash } from "node:crypto";
import { serialize } from "node:v8";
import { type Engine, RAW_COUNTER_ARRAYS, type RawCounters } from "../../src/core/engine/engine.js";
import { createFastEngine, fastEngine } from "../../src/core/engine/fast/index.js";
import { createReferenceEngine, referenceEngine } from "../../src/core/engine/reference/index.js";
import type { KernelIr } from "../../src/core/ir/ir.js";
import type { Program } from "../../src/core/lower/program.js";
import { CAPABILITIES, type Capability, capabilityOf, isLockstep, nameOf, oneOfEachTarget } from "./capabilities.js";
import { interpretIr } from "./ir-interpreter/interpret.js";
import { interpret } from "./oracle.js";
import { checkedIr, checkedProgram, type Memory, memoryDifference, runProgram, runSupported } from "./run-case.js";
import type { KernelTree } from "./tree.js";

/** First difference of two launches' counters, as text; null where all are equal. */
export function counterDifference(a: RawCounters, b: RawCounters): string | null {
  for (const name of RAW_COUNTER_ARRAYS) {
    const pc = a[name].findIndex((count, at) => count !== b[name][at]);
    if (pc >= 0) return `${name} of pc ${pc}: ${a[name][pc]} against ${b[name][pc]}`;
  }
  if (a.warps !== b.warps) return `warps: ${a.warps} against ${b.warps}`;
  return a.blocks === b.blocks ? null : `blocks: ${a.blocks} against ${b.blocks}`;
}

/** Blocks that are proven to be independent are run by three threads. */
const helped = createFastEngine(referenceEngine, { helpers: 2, leastSharedThreads: 0 });

/** Runs every second block, then the others. */
const halves: Engine = {
  name: "fast, in two halves",
  run(launch, blocks, counters) {
    const { end } = blocks;
    const first = fastEngine.run(launch, { first: 0, end, step: 2 }, counters);
    const second = fastEngine.run(launch, { first: 1, end, step: 2 }, counters);
    return { printed: [...first.printed, ...second.printed] };
  },
};

/** What differs in the two engines where the fast one takes the launch, as text; the memory must also be `wanted`, where that is given. */
export function enginesDiffer(
  tree: KernelTree,
  program: Program,
  lockstep: boolean,
  wanted: Memory | null,
): string | null {
  const reference = runProgram(tree, program, referenceEngine, lockstep);
  const asWanted = wanted === null ? null : memoryDifference(tree, wanted, reference.memory, false);
  if (asWanted !== null) return `lowering or reference engine, interpretation first: ${asWanted}`;
  const engine = [fastEngine, halves, helped][tree.seed % 3] ?? fastEngine;
  const fast = runSupported(tree, program, engine, lockstep);
  if (fast === null) return null;
  const memory = memoryDifference(tree, reference.memory, fast.memory, true);
  const difference = memory ?? counterDifference(reference.counters, fast.counters);
  return difference === null ? null : `fast engine, reference engine first: ${difference}`;
}

/**
 * The first capability that offers a kernel more operations than those before it. A kernel made for one of these is
 * tried on it and on all after it.
 */
export const RICHER: readonly Capability[] = ["2.0", "3.5", "6.0", "7.0", "8.0"].map(capabilityOf);

/** `least` and all that have what it has. */
export function capabilitiesFrom(least: Capability): readonly Capability[] {
  const first = CAPABILITIES.findIndex((capability) => nameOf(capability) === nameOf(least));
  return CAPABILITIES.slice(first);
}

/** What an engine runs, without what the machine instructions cost: those that are equal give the same memory. */
export function meaningOf(program: Program, lockstep: boolean): string {
  const instructions = program.instructions.map(({ issue, ...rest }) => rest);
  return createHash("sha256")
    .update(serialize([lockstep, instructions]))
    .digest("base64");
}

/** The memory that the text means and its IR means, too; or what differs, which is the front end's fault. */
export function meaning(tree: KernelTree, ir: KernelIr): Memory | string {
  const ofText = interpret(tree);
  const difference = memoryDifference(tree, ofText, interpretIr(ir, tree), false);
  return difference === null ? ofText : `front end: interpretation of the text, that of the IR second: ${difference}`;
}

/** How a kernel is tried besides the usual way: built like nvcc -G, in another order of its lanes and warps. */
export interface Trial {
  readonly debug?: boolean;
  readonly seeded?: boolean;
}

/** What another legal order of lanes and warps changes in what is defined, as text. */
function otherOrder(
  tree: KernelTree,
  program: Program,
  lockstep: boolean,
  { seeded }: Trial,
  wanted: Memory | null,
): string | null {
  if (wanted === null || seeded !== true) return null;
  const engine = createReferenceEngine({ schedule: { kind: "adversarial", seed: tree.seed } });
  const difference = memoryDifference(tree, wanted, runProgram(tree, program, engine, lockstep).memory, false);
  return difference === null ? null : `another order, interpretation first: ${difference}`;
}

/**
 * What is wrong with the kernel on one of `capabilities`, as text that begins with its number; null where nothing is.
 * Programs of one meaning are run once: the engines are deterministic.
 */
export function disagreement(
  tree: KernelTree,
  capabilities: readonly Capability[],
  defined: boolean,
  how: Trial = {},
): string | null {
  const ir = checkedIr(tree);
  const wanted = defined ? meaning(tree, ir) : null;
  if (typeof wanted === "string") return wanted;
  const seen = new Set<string>();
  for (const computeCapability of oneOfEachTarget(capabilities)) {
    const lockstep = isLockstep(computeCapability);
    const program = checkedProgram(ir, { computeCapability, contractFma: !defined, debug: how.debug ?? false });
    const known = meaningOf(program, lockstep);
    if (seen.has(known)) continue;
    seen.add(known);
    const found = enginesDiffer(tree, program, lockstep, wanted) ?? otherOrder(tree, program, lockstep, how, wanted);
    if (found !== null) return `${nameOf(computeCapability)}: ${found}`;
  }
  return null;
}
