/** The compute capabilities that random kernels are tried for, and what a kernel may use on each. */
import { targetOf } from "../../src/core/lower/machine/target.js";
import type { LoweringOptions } from "../../src/core/lower/program.js";
import type { AtomicName, Numeric } from "./tree.js";

export type Capability = LoweringOptions["computeCapability"];

const NAMES = ["2.0", "3.5", "6.0", "7.0", "7.5", "8.0", "8.6", "8.9", "9.0"] as const;

/** "7.5" and the like. @throws RangeError for text that names none of those tried. */
export function capabilityOf(name: string): Capability {
  const [major, minor] = name.split(".").map(Number);
  if (!(NAMES as readonly string[]).includes(name) || major === undefined || minor === undefined) {
    throw new RangeError(`There is no compute capability ${name} here. Name one of ${NAMES.join(", ")}, or all.`);
  }
  return { major, minor };
}

export const CAPABILITIES: readonly Capability[] = NAMES.map(capabilityOf);

export const nameOf = ({ major, minor }: Capability): string => `${major}.${minor}`;

const has = (capability: Capability, major: number, minor: number): boolean =>
  capability.major > major || (capability.major === major && capability.minor >= minor);

/**
 * The first of each target. A kernel is lowered for a target, and gets no other code on the next capability that has it
 * (test/core/lower/machine/target.test.ts).
 */
export function oneOfEachTarget(capabilities: readonly Capability[]): readonly Capability[] {
  const byTarget = new Map<string, Capability>();
  for (const capability of capabilities) {
    const target = JSON.stringify(targetOf(capability));
    if (!byTarget.has(target)) byTarget.set(target, capability);
  }
  return [...byTarget.values()];
}

/** Lanes of a warp run in lockstep: before Volta. */
export const isLockstep = ({ major }: Capability): boolean => major < 7;

/** Source: CUDA C++ Programming Guide, feature table by compute capability. */
export const hasShuffles = (capability: Capability): boolean => has(capability, 3, 0);
export const hasMatch = (capability: Capability): boolean => has(capability, 7, 0);
export const hasWarpReduce = (capability: Capability): boolean => has(capability, 8, 0);

export function hasAtomic(capability: Capability, op: AtomicName, t: Numeric): boolean {
  if (t === "f64") return has(capability, 6, 0);
  const sums = op === "atomicAdd" || op === "atomicExch" || op === "atomicCAS";
  return (t === "i64" || t === "u64") && !sums ? has(capability, 3, 5) : true;
}
