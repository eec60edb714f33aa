import type { IssueSlot } from "../program.js";

/** Operations that start or end a block, or across which nothing moves. */
export const FIXED_PLACE: ReadonlySet<string> = new Set([
  "bra",
  "exit",
  "bssy",
  "bsync",
  "bar",
  "fence",
  "gridsync",
  "syncwarp",
  "printf",
  "launch",
  "deviceSynchronize",
  "atom",
]);

/**
 * An operation that branches to a slow path or calls a function ends a basic block: ptxas moves no load across it.
 * In an unrolled loop of loads and sqrtf each load follows the previous root (nvcc 13.0).
 */
export function branchesInside(issue: readonly IssueSlot[]): boolean {
  return issue.some(({ mnemonic }) => /^(BRA|CALL)\b/.test(mnemonic));
}
