import type { IssueSlot } from "../program.js";

/** Operations that begin or end a block, or that nothing moves across. */
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
 * An operation that jumps to a slow path or calls a function ends a basic block: ptxas loads nothing across it (nvcc 13.0,
 * an unrolled loop of loads and sqrtf: each load stands behind the root before it).
 */
export function branchesInside(issue: readonly IssueSlot[]): boolean {
  return issue.some(({ mnemonic }) => /^(BRA|CALL)\b/.test(mnemonic));
}
