/** Rules on warps: how many there are, how many of their lanes work, and how they wait for each other. */
import type { LimitingFactor } from "../../device/index.js";
import type { LaunchResult } from "../../host/launch-result.js";
import { STALL_REASONS, type StallReason } from "../../timing/index.js";
import { isShuffle } from "../data-stage.js";
import type { SourceLine } from "../source-lines.js";
import { type Cause, exact, lineWithMost, predicted, shortNumber } from "./finding.js";
import { withFullWarps } from "./what-if/full-warps.js";
import { freeDispatch, fullOccupancy, timeLeft, timeLeftIfBalanced, withoutInstructions } from "./what-if/what-if.js";

/** A scheduler that issues in this share of its cycles is well used. */
const BUSY = 80;
const LOW_OCCUPANCY = 65;
const LOW_EFFICIENCY = 85;
/** Below it lanes that have ended matter: a guard of the last store alone costs less. */
const LOW_WITHOUT_BRANCHES = 70;
const TAIL = 0.15;
/** Share of the time that the dispatcher gives out blocks. */
const DISPATCHING = 0.3;
const BARRIER_SHARE = 0.15;

function threads({ block }: LaunchResult): number {
  return block[0] * block[1] * block[2];
}

export function tooFewBlocks(launch: LaunchResult): Cause | null {
  const { counters, device, time } = launch;
  const { blocks } = counters;
  if (blocks >= device.smCount) return null;
  return {
    rule: "too few blocks",
    sentence: `The grid has ${blocks} ${blocks === 1 ? "block" : "blocks"} for ${device.smCount} SMs: ${device.smCount - blocks} of them do nothing.`,
    advice: `Launch at least ${device.smCount} blocks: ${threads(launch) > device.warpSize ? "smaller blocks, or " : ""}less work for each thread.`,
    evidence: [
      exact("blocks", blocks),
      predicted("achieved_occupancy of an SM that works", time.achievedOccupancyPercent, "%"),
    ],
    line: null,
    without: "idle SMs",
    tryWithout: (tried) => timeLeftIfBalanced(tried, device.smCount),
  };
}

/** Waves of blocks, the last of which fills the GPU only in part. */
/** A kernel that asks for the grid's size most likely loops over the data already. */
function readsGridSize({ program }: LaunchResult): boolean {
  return program.instructions.some(({ src }) =>
    src.some((operand) => operand.kind === "special" && operand.special.name === "gridDim"),
  );
}

export function tailEffect(launch: LaunchResult): Cause | null {
  const { counters, device, occupancy } = launch;
  const places = device.smCount * occupancy.activeBlocksPerSm;
  const waves = counters.blocks / places;
  const rounds = Math.ceil(waves);
  const lost = (rounds - waves) / rounds;
  if (waves <= 1 || lost < TAIL) return null;
  return {
    rule: "tail effect",
    sentence: `The grid is ${shortNumber(waves)} waves of ${places} blocks: in the last one ${shortNumber(100 * (rounds - waves))} % of the places stand empty.`,
    advice: readsGridSize(launch)
      ? `Launch a multiple of ${places} blocks, so that the last wave is full.`
      : `Choose the grid such that the last wave is full, or loop over the data with ${places} blocks.`,
    evidence: [exact("waves", waves), exact("empty places, of all waves", 100 * lost, "%")],
    line: null,
    without: "empty places in the last wave",
    tryWithout: (tried) => timeLeftIfBalanced(tried, places),
  };
}

const CURE_OF_LIMIT: Readonly<Record<LimitingFactor, string>> = {
  warps: "Choose a block size that divides the warps of an SM.",
  registers: "Use fewer registers a thread: fewer live values, less unrolling, or __launch_bounds__.",
  shared: "Use less shared memory a block, or larger blocks that share it.",
  blocks: "Use larger blocks: an SM holds a limited number of them, however small they are.",
  barriers: "Use larger blocks: an SM has a limited number of barriers.",
};

function limitText(launch: LaunchResult, limit: LimitingFactor): string {
  const { registersPerThread, staticSharedBytes, dynamicSharedBytes } = launch;
  switch (limit) {
    case "registers":
      return `${registersPerThread} registers a thread`;
    case "shared":
      return `${staticSharedBytes + dynamicSharedBytes} bytes of shared memory a block`;
    case "blocks":
      return `the blocks that an SM holds, of ${threads(launch)} threads each`;
    case "barriers":
      return "the barriers of an SM";
    case "warps":
      return `blocks of ${threads(launch)} threads`;
  }
}

export function lowOccupancy(launch: LaunchResult): Cause | null {
  const { time, occupancy } = launch;
  const { theoreticalOccupancyPercent: percent, issueSlotUtilizationPercent: issue } = time;
  const [limit] = occupancy.limitingFactors;
  if (percent > LOW_OCCUPANCY || limit === undefined || issue >= BUSY) return null;
  return {
    rule: "low occupancy",
    sentence: `An SM holds only ${occupancy.activeWarpsPerSm} warps, ${shortNumber(percent)} % of its places, limited by ${limitText(launch, limit)}; they are too few to hide the latencies.`,
    advice: CURE_OF_LIMIT[limit],
    evidence: [
      exact("theoretical occupancy", percent, "%"),
      predicted("achieved_occupancy", time.achievedOccupancyPercent, "%"),
      predicted("issue_slot_utilization", issue, "%"),
    ],
    line: null,
    without: "that limit",
    tryWithout: (tried) => timeLeft(tried, fullOccupancy),
  };
}

export function divergence(launch: LaunchResult): Cause | null {
  const { counters, metrics, rawCounters: raw } = launch;
  const { branchEfficiencyPercent: branches, warpExecutionEfficiencyPercent: lanes } = metrics;
  if (counters.divergentBranches === 0 || branches === null || lanes === null || lanes >= LOW_EFFICIENCY) return null;
  return {
    rule: "divergence",
    sentence: `Lanes of a warp take different branches: on average only ${shortNumber((lanes * 32) / 100)} of 32 lanes are active in an instruction.`,
    advice: "Let whole warps take one side: branch on the warp's number, or give neighbouring lanes like work.",
    evidence: [exact("branch_efficiency", branches, "%"), exact("warp_execution_efficiency", lanes, "%")],
    line: lineWithMost(launch, (pc) => raw.divergent[pc] ?? 0),
    without: "divergence",
    tryWithout: (tried) => timeLeft(tried, withFullWarps(tried)),
  };
}

/** Lanes that are missing without a divergent branch: threads that have ended, and places of a warp without a thread. */
export function idleLanes(launch: LaunchResult): Cause | null {
  const { counters, metrics, rawCounters: raw, program, device } = launch;
  const { branchEfficiencyPercent: branches, warpExecutionEfficiencyPercent: lanes } = metrics;
  if (counters.divergentBranches > 0 || lanes === null || lanes >= LOW_WITHOUT_BRANCHES) return null;
  const missing = (pc: number): number =>
    ((raw.executed[pc] ?? 0) * device.warpSize - (raw.activeLanes[pc] ?? 0)) *
    (program.instructions[pc]?.issue.length ?? 0);
  return {
    rule: "idle lanes",
    sentence: `Lanes are missing: on average only ${shortNumber((lanes * 32) / 100)} of 32 lanes are active in an instruction, though no branch divides a warp.`,
    advice:
      "Share the work out among all lanes: lanes that have ended, or never had a thread, cost a warp's full time.",
    evidence: [
      exact("warp_execution_efficiency", lanes, "%"),
      ...(branches === null ? [] : [exact("branch_efficiency", branches, "%")]),
    ],
    line: lineWithMost(launch, missing),
    without: "idle lanes",
    tryWithout: (tried) => timeLeft(tried, withFullWarps(tried)),
  };
}

/** Share of all warp cycles but the issues. */
export function stallShare({ time }: LaunchResult, reason: StallReason): number {
  const all = STALL_REASONS.reduce((sum, each) => sum + (each === "selected" ? 0 : time.stalls[each]), 0);
  return all === 0 ? 0 : time.stalls[reason] / all;
}

/** The line at which warps wait most for the reason. */
export function lineOfStall(launch: LaunchResult, reason: StallReason): SourceLine | null {
  const index = STALL_REASONS.indexOf(reason);
  return lineWithMost(launch, (pc) => launch.stallSamples.byPc[pc]?.[index] ?? 0);
}

export function barrierStalls(launch: LaunchResult): Cause | null {
  const share = stallShare(launch, "barrier");
  if (share < BARRIER_SHARE) return null;
  const shuffles = launch.program.instructions.some(isShuffle) ? "" : " (warp shuffles need none)";
  const smaller = threads(launch) > 2 * launch.device.warpSize ? ", or smaller blocks" : "";
  return {
    rule: "barrier stalls",
    sentence: `Warps spend ${shortNumber(100 * share)} % of their waiting at barriers, until the slowest warp of the block arrives.`,
    advice: `Use fewer barriers${shuffles}, even work between them${smaller}.`,
    evidence: [
      predicted("stall_sync (barrier)", 100 * share, "%"),
      exact("barriers a warp", launch.counters.barriers / Math.max(1, launch.counters.warps)),
    ],
    line: lineOfStall(launch, "barrier"),
    without: "barriers",
    tryWithout: (tried) =>
      timeLeft(
        tried,
        withoutInstructions(({ op }) => op === "bar"),
      ),
  };
}

export function shortBlocks(launch: LaunchResult): Cause | null {
  const { counters, device, time } = launch;
  const dispatchMicroseconds = (counters.blocks * device.launch.blockDispatchNanoseconds) / 1000;
  const share = dispatchMicroseconds / time.durationMicroseconds;
  if (share < DISPATCHING || time.bound !== "dispatch") return null;
  return {
    rule: "short blocks",
    sentence: `The blocks are so short that the dispatcher bounds the kernel: to start ${counters.blocks} blocks takes it ${shortNumber(dispatchMicroseconds)} of the kernel's ${shortNumber(time.durationMicroseconds)} microseconds.`,
    advice: `Launch fewer blocks that do more each: ${threads(launch) < device.limits.maxThreadsPerBlock ? "larger blocks, or " : ""}a loop over several elements a thread.`,
    evidence: [
      exact("blocks", counters.blocks),
      predicted("share of the time in which blocks are started", 100 * share, "%"),
    ],
    line: null,
    without: "the time to start blocks",
    tryWithout: (tried) => timeLeft(tried, freeDispatch),
  };
}
