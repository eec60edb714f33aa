/** The grids that a learner's kernel launches itself, against an exercise's limits. */
import type { LaunchResult } from "../../core/host/launch-result.js";
import type { Finding } from "./finding.js";
import { number } from "./finding.js";
import { counted, instructionLine } from "./source-line.js";
import type { CheckSpec } from "./spec.js";

export type ChildGridSpec = Extract<CheckSpec, { readonly kind: "child-grids" }>;

/** The line that launches, as the beginning of a sentence; nothing where the kernel has none. */
function launchingLine({ program, rawCounters }: LaunchResult): string {
  const launching = program.instructions.find(({ op, pc }) => op === "launch" && (rawCounters.executed[pc] ?? 0) > 0);
  return launching === undefined ? "" : `${instructionLine(program, launching)}: `;
}

/** A sentence where a launch starts more grids than are asked for; null where it does not. */
export function tooManyGrids({ most }: ChildGridSpec, launch: LaunchResult): string | null {
  const count = launch.children?.count ?? 0;
  if (count <= most) return null;
  const size = `${counted(launch.grid[0], "block")} of ${counted(launch.block[0], "thread")}`;
  return `${launchingLine(launch)}${size} launch ${counted(count, "child grid")} in all, ${most} are enough.`;
}

/** The measured launch: does it launch at all, has the host's grid done its part, and do the threads of the others share theirs? */
export function childGridFinding({ least, loadShare, activeShare }: ChildGridSpec, launch: LaunchResult): Finding {
  const { children, counters } = launch;
  const count = children?.count ?? 0;
  const size = `${counted(launch.grid[0], "block")} of ${counted(launch.block[0], "thread")}`;
  if (count < least) {
    return {
      passed: false,
      sentence: `${size} launch ${counted(count, "child grid")}; the kernel is to launch ${least === 1 ? "one" : `${least} of them`} at least.`,
    };
  }
  const sumOf = (name: "globalLoadRequests" | "warpInstructions" | "threadInstructions"): number =>
    (children?.kernels ?? []).reduce((sum, each) => sum + each.counters[name], 0);
  const byChildren = sumOf("globalLoadRequests");
  const share = byChildren / Math.max(1, byChildren + counters.globalLoadRequests);
  if (share > loadShare) {
    return {
      passed: false,
      sentence: `${launchingLine(launch)}the child grids make ${number(100 * share)} % of the requests to load from global memory, ${number(100 * loadShare)} % are enough: the blocks of the first grid are to add their elements before.`,
    };
  }
  const active = sumOf("threadInstructions") / Math.max(1, 32 * sumOf("warpInstructions"));
  if (count > 0 && active < activeShare) {
    return {
      passed: false,
      sentence: `${launchingLine(launch)}in the child grids ${number(100 * active)} % of the lanes are active, ${number(100 * activeShare)} % at least are asked for: their threads are to share the additions out.`,
    };
  }
  return {
    passed: true,
    sentence: `${size} launch ${counted(count, "child grid")}, with ${number(100 * share)} % of the requests to load.`,
  };
}
