/** Rules on the pipe that shared memory, shuffles and L1 have in common. */
import type { LaunchResult } from "../../host/launch-result.js";
import { areWide, busyShare, cyclesOf, loadsGlobal, usesShared } from "../data-stage.js";
import { type Cause, exact, lineWithMost, predicted, shortNumber } from "./finding.js";
import { timeLeft, withoutInstructions } from "./what-if/what-if.js";

/** Share of an SM's cycles from which on the pipe may bound a kernel. */
const BUSY = 0.5;

export function sharedBound(launch: LaunchResult): Cause | null {
  const share = busyShare(launch, usesShared);
  if (share < BUSY) return null;
  const { program, counters } = launch;
  const used = program.instructions.filter(usesShared);
  const fewer = "Keep values in registers, and compute several results from each value that is read.";
  return {
    rule: "shared memory bound",
    sentence: `Shared memory's pipe bounds the kernel: it is busy in ${shortNumber(100 * share)} % of the SM's cycles.`,
    advice: areWide(used)
      ? fewer
      : `${fewer} Accesses of several words a lane, such as float4, need fewer instructions.`,
    evidence: [
      predicted("share of the cycles that shared memory's pipe is busy", 100 * share, "%"),
      exact("shared wavefronts", counters.sharedLoadWavefronts + counters.sharedStoreWavefronts),
    ],
    line: lineWithMost(launch, (pc) => {
      const instruction = program.instructions[pc]!;
      return usesShared(instruction) ? cyclesOf(launch, instruction) : 0;
    }),
    without: "accesses to shared memory and shuffles",
    tryWithout: (tried) => timeLeft(tried, withoutInstructions(usesShared)),
  };
}

/** Half of the sectors hit. */
const HITS = 50;

export function l1Bound(launch: LaunchResult): Cause | null {
  const { program, time, counters } = launch;
  const share = busyShare(launch, loadsGlobal);
  if (share < BUSY || time.l1HitRatePercent === null || time.l1HitRatePercent < HITS) return null;
  const fewer = "Read a value once and keep it in a register.";
  return {
    rule: "L1 bound",
    sentence: `L1's pipe bounds the kernel: loads that mostly hit it keep it busy in ${shortNumber(100 * share)} % of the SM's cycles.`,
    advice: areWide(program.instructions.filter(loadsGlobal))
      ? fewer
      : `${fewer} Loads of several words a lane, such as float4, need fewer instructions.`,
    evidence: [
      predicted("share of the cycles that L1's pipe is busy", 100 * share, "%"),
      predicted("l1 hit rate", time.l1HitRatePercent, "%"),
      exact("global load requests", counters.globalLoadRequests),
    ],
    line: lineWithMost(launch, (pc) => {
      const instruction = program.instructions[pc]!;
      return loadsGlobal(instruction) ? cyclesOf(launch, instruction) : 0;
    }),
    without: "these loads",
    tryWithout: (tried) => timeLeft(tried, withoutInstructions(loadsGlobal)),
  };
}
