/** Branches that divide a warp, against an exercise's limit. */
import type { LaunchResult } from "../../core/host/launch-result.js";
import { whereMost } from "./figures.js";
import type { Finding } from "./finding.js";
import { counted } from "./source-line.js";
import { type CheckSpec, limitFor } from "./spec.js";

export type DivergenceSpec = Extract<CheckSpec, { readonly kind: "divergent-branches" }>;

/** `whole`: the input's end divides no warp, so that no branch may. */
export function divergenceFinding({ most }: DivergenceSpec, launch: LaunchResult, whole: boolean): Finding {
  const { divergentBranches, warps } = launch.counters;
  const limit = whole ? 0 : limitFor(most, launch.block[0]);
  if (divergentBranches === 0) return { passed: true, sentence: "No branch divides a warp." };
  const found = `The lanes of a warp go both ways ${counted(divergentBranches, "time")}, in ${counted(warps, "warp")}`;
  if (divergentBranches <= limit) return { passed: true, sentence: `${found}.` };
  const where = whereMost(launch, (line) => line.divergentBranches);
  return {
    passed: false,
    sentence: `${found}; ${whole ? "none is needed, as the input ends with a block" : `${limit} are enough, where the input ends`}${where}.`,
  };
}
