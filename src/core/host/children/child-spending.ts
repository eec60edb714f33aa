/**
 * The part of a launch's budget that its child grids take. A warp issues an instruction at least, so grids that are started and have
 * not run yet count with their warps. The number of grids is bounded too: each is kept, for its time and for the tree.
 */
import type { LaunchBudget } from "../../engine/budget.js";
import type { ChildLaunch } from "../../engine/engine.js";
import { budgetPassed, childLaunchRefused, type FaultSite } from "../../engine/faults.js";

/** Grids of one launch that the simulator keeps. */
const MOST_GRIDS = 2 ** 19;

export class ChildSpending {
  #grids = 0;
  #pendingWarps = 0;

  /** `budget`: null where the launch has none. */
  constructor(private readonly budget: LaunchBudget | null) {}

  /** Counts a grid that is started. Throws KernelFault where the launch's limits do not allow it. */
  start(request: ChildLaunch, site: FaultSite): void {
    const { budget } = this;
    this.add(request);
    if (this.#grids > MOST_GRIDS) {
      throw childLaunchRefused(
        site,
        request,
        "cudaErrorLaunchTimeout",
        `the launch has started ${MOST_GRIDS} child grids already, and the simulator keeps no more of one launch`,
        "launch fewer grids with more blocks each, or end the recursion earlier",
      );
    }
    if (budget === null) return;
    if (budget.isLate) throw budgetPassed(site, "time");
    if (this.#pendingWarps <= budget.left) return;
    throw childLaunchRefused(
      site,
      request,
      "cudaErrorLaunchTimeout",
      `the child grids that wait have ${this.#pendingWarps} warps, which issue an instruction each at the least. The launch may issue ${budget.stepLimit} warp instructions with all its child grids, and ${Math.max(0, budget.left)} are left`,
      { cure: "launch smaller grids", hostCure: "raise the GPU's limit: new Gpu(id, { stepLimit })" },
    );
  }

  add(request: ChildLaunch): void {
    this.#grids++;
    this.#pendingWarps += warpsOf(request);
  }

  /** A stepper goes back before the launch. */
  takeBack(request: ChildLaunch): void {
    this.#grids--;
    this.#pendingWarps -= warpsOf(request);
  }

  /** A grid that was started begins to run. */
  begin(request: ChildLaunch): void {
    this.#pendingWarps -= warpsOf(request);
  }
}

/** Warps of a grid. */
export function warpsOf({ grid, block }: Pick<ChildLaunch, "grid" | "block">): number {
  return grid[0] * grid[1] * grid[2] * Math.ceil((block[0] * block[1] * block[2]) / 32);
}
