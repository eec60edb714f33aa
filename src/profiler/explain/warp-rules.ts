/** Rules on warps: how many there are, what they wait for, and how many of their lanes work. */
import type { LimitingFactor } from "../../device/index.js";
import type { LaunchResult } from "../../host/launch-result.js";
import { STALL_REASONS, type StallReason } from "../../timing/index.js";
import { exact, type Finding, lineWithMost, predicted, shortNumber } from "./finding.js";
import { dramShare } from "./memory-rules.js";

/** A scheduler that issues in this share of its cycles is well used. */
const BUSY = 60;
const NEAR_PEAK = 0.6;
const LOW_OCCUPANCY = 65;
const LOW_EFFICIENCY = 85;
/** Below it lanes that have ended matter: a guard of the last store alone costs less. */
const LOW_WITHOUT_BRANCHES = 70;
const TAIL = 0.15;
/** Share of the time that the dispatcher gives out blocks. */
const DISPATCHING = 0.6;
const BARRIER_SHARE = 0.15;
const COMPUTE = 75;

export function tooFewBlocks({ counters, device, time }: LaunchResult): Finding | null {
  const { blocks } = counters;
  if (blocks >= device.smCount) return null;
  return {
    rule: "too few blocks",
    sentence: `The grid has ${blocks} ${blocks === 1 ? "block" : "blocks"} for ${device.smCount} SMs: ${device.smCount - blocks} of them do nothing.`,
    advice: `Launch at least ${device.smCount} blocks: smaller blocks, or less work for each thread.`,
    evidence: [
      exact("blocks", blocks),
      predicted("achieved_occupancy of an SM that works", time.achievedOccupancyPercent, "%"),
    ],
    line: null,
    weight: 1 - blocks / device.smCount,
  };
}

/** Waves of blocks, the last of which fills the GPU only in part. */
export function tailEffect({ counters, device, occupancy }: LaunchResult): Finding | null {
  const places = device.smCount * occupancy.activeBlocksPerSm;
  const waves = counters.blocks / places;
  const rounds = Math.ceil(waves);
  const lost = (rounds - waves) / rounds;
  if (waves <= 1 || lost < TAIL) return null;
  return {
    rule: "tail effect",
    sentence: `The grid is ${shortNumber(waves)} waves of ${places} blocks: in the last one ${shortNumber(100 * (rounds - waves))} % of the places stand empty.`,
    advice: `Choose the grid such that the last wave is full, or loop over the data with ${places} blocks.`,
    evidence: [exact("waves", waves), exact("empty places, of all rounds", 100 * lost, "%")],
    line: null,
    weight: lost,
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
  const { registersPerThread, staticSharedBytes, dynamicSharedBytes, block } = launch;
  const threads = block[0] * block[1] * block[2];
  switch (limit) {
    case "registers":
      return `${registersPerThread} registers a thread`;
    case "shared":
      return `${staticSharedBytes + dynamicSharedBytes} bytes of shared memory a block`;
    case "blocks":
      return `the blocks that an SM holds, of ${threads} threads each`;
    case "barriers":
      return "the barriers of an SM";
    case "warps":
      return `blocks of ${threads} threads`;
  }
}

export function lowOccupancy(launch: LaunchResult): Finding | null {
  const { time, occupancy } = launch;
  const { theoreticalOccupancyPercent: percent, issueSlotUtilizationPercent: issue } = time;
  const [limit] = occupancy.limitingFactors;
  if (percent > LOW_OCCUPANCY || limit === undefined || issue >= BUSY || dramShare(launch) >= NEAR_PEAK) return null;
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
    weight: (1 - percent / 100) * (1 - issue / 100),
  };
}

export function divergence(launch: LaunchResult): Finding | null {
  const { counters, metrics, rawCounters: raw } = launch;
  const { branchEfficiencyPercent: branches, warpExecutionEfficiencyPercent: lanes } = metrics;
  if (counters.divergentBranches === 0 || branches === null || lanes === null || lanes >= LOW_EFFICIENCY) return null;
  return {
    rule: "divergence",
    sentence: `Lanes of a warp take different branches: on average only ${shortNumber((lanes * 32) / 100)} of 32 lanes are active in an instruction.`,
    advice: "Let whole warps take one side: branch on the warp's number, or give neighbouring lanes like work.",
    evidence: [exact("branch_efficiency", branches, "%"), exact("warp_execution_efficiency", lanes, "%")],
    line: lineWithMost(launch, (pc) => raw.divergent[pc] ?? 0),
    weight: (1 - lanes / 100) * Math.max(0.3, launch.time.issueSlotUtilizationPercent / 100),
  };
}

/** Lanes that are missing without a divergent branch: threads that have ended, and places of a warp without a thread. */
export function idleLanes(launch: LaunchResult): Finding | null {
  const { counters, metrics, rawCounters: raw, time, program, device } = launch;
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
    weight: (1 - lanes / 100) * Math.max(0.3, time.issueSlotUtilizationPercent / 100),
  };
}

/** Share of all warp cycles but the issues. */
function stallShare({ time }: LaunchResult, reason: StallReason): number {
  const all = STALL_REASONS.reduce((sum, each) => sum + (each === "selected" ? 0 : time.stalls[each]), 0);
  return all === 0 ? 0 : time.stalls[reason] / all;
}

/** The line at which warps wait most for the reason. */
function lineOfStall(launch: LaunchResult, reason: StallReason) {
  const index = STALL_REASONS.indexOf(reason);
  return lineWithMost(launch, (pc) => launch.stallSamples.byPc[pc]?.[index] ?? 0);
}

export function barrierStalls(launch: LaunchResult): Finding | null {
  const share = stallShare(launch, "barrier");
  if (share < BARRIER_SHARE) return null;
  return {
    rule: "barrier stalls",
    sentence: `Warps spend ${shortNumber(100 * share)} % of their waiting at barriers, until the slowest warp of the block arrives.`,
    advice: "Use fewer barriers (warp shuffles need none), even work between them, or smaller blocks.",
    evidence: [
      predicted("stall_sync (barrier)", 100 * share, "%"),
      exact("barriers a warp", launch.counters.barriers / Math.max(1, launch.counters.warps)),
    ],
    line: lineOfStall(launch, "barrier"),
    weight: share,
  };
}

export function shortBlocks({ counters, device, time }: LaunchResult): Finding | null {
  const dispatchMicroseconds = (counters.blocks * device.launch.blockDispatchNanoseconds) / 1000;
  const share = dispatchMicroseconds / time.durationMicroseconds;
  if (share < DISPATCHING || time.bound !== "dispatch") return null;
  return {
    rule: "short blocks",
    sentence: `The blocks are so short that giving them out bounds the kernel: ${counters.blocks} blocks take the dispatcher ${shortNumber(dispatchMicroseconds)} of ${shortNumber(time.durationMicroseconds)} microseconds.`,
    advice: "Launch fewer blocks that do more each: larger blocks, or a loop over several elements a thread.",
    evidence: [
      exact("blocks", counters.blocks),
      predicted("share of the time that blocks are given out", 100 * share, "%"),
    ],
    line: null,
    weight: Math.min(1, share),
  };
}

export function computeBound(launch: LaunchResult): Finding | null {
  const { time, rawCounters: raw, program } = launch;
  if ((time.bound !== "issue" && time.bound !== "pipe") || time.issueSlotUtilizationPercent < COMPUTE / 2) return null;
  const what = time.bound === "issue" ? "the schedulers issue" : "a pipe is busy";
  return {
    rule: "compute bound",
    sentence: `Instructions bound the kernel: ${what} nearly all the time.`,
    advice: "Only fewer or cheaper instructions help: no integer division or modulo in loops, unrolling, wider loads.",
    evidence: [
      predicted("issue_slot_utilization", time.issueSlotUtilizationPercent, "%"),
      exact("inst_per_warp", launch.metrics.instructionsPerWarp),
    ],
    line: lineWithMost(launch, (pc) => (raw.executed[pc] ?? 0) * (program.instructions[pc]?.issue.length ?? 0)),
    weight: time.issueSlotUtilizationPercent / 100,
  };
}

const CAUSE: Partial<Record<StallReason, readonly [waits: string, advice: string]>> = {
  long_scoreboard: [
    "for data from global memory",
    "Have more loads under way: several independent loads a thread before their first use, or more warps.",
  ],
  short_scoreboard: [
    "for shared memory, shuffles or special functions",
    "Keep values in registers, and put independent work between such an instruction and the use of its result.",
  ],
  wait: [
    "for the fixed latency of arithmetic",
    "Give a thread independent chains of operations, such as two sums instead of one.",
  ],
  mio_throttle: [
    "for room in the queue to shared memory",
    "Issue fewer shared-memory accesses and shuffles, or wider ones.",
  ],
  lg_throttle: ["for room in the queue to global memory", "Issue fewer but wider loads and stores, such as float4."],
  math_pipe_throttle: ["for an arithmetic pipe", "Use cheaper operations, or spread the work over other pipes."],
  barrier: ["at barriers", "Use fewer barriers, or smaller blocks."],
};

export function latencyBound(launch: LaunchResult): Finding | null {
  const { time } = launch;
  const { issueSlotUtilizationPercent: issue, dominantStall: reason, stalls } = time;
  if (issue >= BUSY || dramShare(launch) >= NEAR_PEAK || shortBlocks(launch) !== null) return null;
  if (time.bound !== "latency" && time.bound !== "dispatch") return null;
  const cause = CAUSE[reason];
  if (cause === undefined) return null;
  const eligible = ((stalls.selected + stalls.not_selected) * issue) / 100;
  return {
    rule: "latency bound",
    sentence: `Latency bounds the kernel: the schedulers issue in ${shortNumber(issue)} % of the cycles, and warps wait mostly ${cause[0]}, ${shortNumber(stalls[reason])} cycles an instruction.`,
    advice: cause[1],
    evidence: [
      predicted("issue_slot_utilization", issue, "%"),
      predicted(`stall ${reason}`, stalls[reason], "cycles an instruction"),
      predicted("eligible_warps_per_cycle of a scheduler", eligible),
    ],
    line: lineOfStall(launch, reason),
    weight: 0.5 * (1 - issue / 100) * stallShare(launch, reason),
  };
}
