/**
 * The work of a launch against the reference solution's: instructions and loads for each 32 elements. Ratios, such as
 * sectors a request, mean nothing where a kernel adds requests that only improve the mean.
 */
import type { LaunchResult } from "../../core/host/launch-result.js";
import type { Counters } from "../../core/profile/counters.js";
import { whereMost } from "./figures.js";
import { number } from "./finding.js";
import type { WorkSpec } from "./spec.js";

type Measured = Omit<WorkSpec, "times">;

const PER = 32;

/** The work of the launched grid and of those that it launched. */
export function workOf({ counters, children }: LaunchResult, elements: number): Measured {
  const all: readonly Counters[] = [counters, ...(children?.kernels ?? []).map((child) => child.counters)];
  const per = (name: keyof Counters): number => (PER * all.reduce((sum, each) => sum + each[name], 0)) / elements;
  return {
    warpInstructions: per("warpInstructions"),
    loadRequests: per("globalLoadRequests"),
    loadSectors: per("globalLoadSectors"),
  };
}

const WORDS: Readonly<Record<keyof Measured, readonly [does: string, what: string]>> = {
  warpInstructions: ["executes", "warp instructions"],
  loadRequests: ["makes", "requests to load from global memory"],
  loadSectors: ["loads", "sectors of 32 bytes"],
};

/** A sentence where a launch does more than so many times the reference's work; null where it does not. */
export function wastedWork(work: WorkSpec, launch: LaunchResult, elements: number): string | null {
  const found = workOf(launch, elements);
  for (const name of ["loadRequests", "loadSectors", "warpInstructions"] as const) {
    if (found[name] <= work.times * work[name]) continue;
    const [does, what] = WORDS[name];
    const where = whereMost(launch, (line) =>
      name === "warpInstructions" ? line.warpInstructions : line.globalRequests,
    );
    return `The kernel ${does} ${number(found[name])} ${what} for each ${PER} elements; the solution needs ${number(work[name])}, and ${number(work.times)} times as many are allowed${where}.`;
  }
  return null;
}
