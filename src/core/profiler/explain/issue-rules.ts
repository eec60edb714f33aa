/** Rules on instructions: a pipe or the schedulers bound a kernel, or its warps wait for results. */
import type { LaunchResult } from "../../host/launch-result.js";
import type { Program } from "../../lower/program.js";
import type { PipeName, StallReason } from "../../timing/index.js";
import { areWide, usesShared } from "../data-stage.js";
import { sharedBound } from "./data-stage-rules.js";
import { type Cause, exact, lineWithMost, predicted, shortNumber } from "./finding.js";
import { gainsByUnrolling } from "./loop-overhead.js";
import { lineOfStall } from "./warp-rules.js";
import {
  endlessIssue,
  endlessQueues,
  promptArithmetic,
  promptMemory,
  promptShared,
  timeLeft,
  type WhatIf,
  withoutInstructions,
  withoutSlots,
} from "./what-if/what-if.js";

/** Share of the time from which on a pipe or the schedulers may bound a kernel, in percent. */
const BUSY = 60;

interface PipeCause {
  /** As a pipe, and as the instructions that take it. */
  readonly pipe: string;
  readonly instructions: string;
  readonly advice: string;
}

const LESS_INTEGER = "Compute fewer indices: hoist them out of loops, and step a pointer instead.";

/** Memory's pipes have rules of their own; those that are not here never bound a kernel alone. */
const CAUSE_OF_PIPE: Partial<Record<PipeName, PipeCause>> = {
  fma: {
    pipe: "pipe of fp32 arithmetic",
    instructions: "fp32 instructions",
    advice: "Only fewer fp32 operations help: fuse a multiplication and an addition, and reuse results.",
  },
  imad: { pipe: "pipe of integer multiplication", instructions: "integer multiplications", advice: LESS_INTEGER },
  alu: { pipe: "pipe of integer arithmetic", instructions: "integer and logic instructions", advice: LESS_INTEGER },
  fp64: {
    pipe: "pipe of fp64 arithmetic",
    instructions: "fp64 instructions",
    advice: "Compute in 32 bits where the precision allows it.",
  },
  xu: {
    pipe: "pipe of special functions and conversions",
    instructions: "special functions and conversions",
    advice: "Only fewer of them help: reuse results, or approximate by multiplications and additions.",
  },
  special: {
    pipe: "unit of special registers",
    instructions: "reads of special registers",
    advice: "Read threadIdx, blockIdx and clocks once, outside of loops.",
  },
  vote: { pipe: "pipe of votes", instructions: "votes", advice: "Vote once for several conditions." },
  match: { pipe: "unit of matches", instructions: "matches", advice: "Match once, and keep the mask." },
  redux: { pipe: "unit of warp reductions", instructions: "warp reductions", advice: "Add in each lane first." },
  cbu: { pipe: "unit of branches", instructions: "branches", advice: "Branch less often." },
};

function divides({ instructions }: Program): boolean {
  return instructions.some(({ op, type }) => (op === "div" || op === "rem") && !type.startsWith("f"));
}

/** Names only the cures that the kernel has no part of yet. */
function adviceOnIssue(launch: LaunchResult): string {
  const { program } = launch;
  const cures = [
    ...(divides(program) ? ["no integer division or modulo in loops"] : []),
    ...(gainsByUnrolling(launch) ? ["unrolling"] : []),
    ...(areWide(program.instructions) ? [] : ["wider loads"]),
  ];
  return `Only fewer or cheaper instructions help${cures.length === 0 ? "" : `: ${cures.join(", ")}`}.`;
}

export function computeBound(launch: LaunchResult): Cause | null {
  const { time, rawCounters: raw, program } = launch;
  const { issueSlotUtilizationPercent: issue, pipeBusyPercent: busy, busiestPipe } = time;
  if (Math.max(issue, busy) < BUSY) return null;
  const ofPipe = busy >= issue || time.bound === "pipe" ? CAUSE_OF_PIPE[busiestPipe] : undefined;
  if (ofPipe === undefined && issue < BUSY) return null;
  const slotsOf = (pc: number): number =>
    (program.instructions[pc]?.issue ?? []).filter(({ pipe }) => ofPipe === undefined || pipe === busiestPipe).length;
  const whatIf = ofPipe === undefined ? endlessIssue : withoutSlots(({ pipe }) => pipe === busiestPipe);
  const integer = busiestPipe === "alu" || busiestPipe === "imad";
  return {
    rule: "compute bound",
    sentence:
      ofPipe === undefined
        ? `Instructions bound the kernel: the schedulers issue in ${shortNumber(issue)} % of the cycles.`
        : `Instructions bound the kernel: its ${ofPipe.pipe} is busy in ${shortNumber(busy)} % of the cycles.`,
    advice:
      ofPipe === undefined || (integer && divides(program))
        ? adviceOnIssue(launch)
        : busiestPipe === "cbu" && gainsByUnrolling(launch)
          ? "Unroll loops, so that they branch less often."
          : ofPipe.advice,
    evidence: [
      predicted("issue_slot_utilization", issue, "%"),
      ...(ofPipe === undefined ? [] : [predicted(`time that the ${busiestPipe} pipe is busy`, busy, "%")]),
      exact("inst_per_warp", launch.metrics.instructionsPerWarp),
    ],
    line: lineWithMost(launch, (pc) => (raw.executed[pc] ?? 0) * slotsOf(pc)),
    without: ofPipe === undefined ? "a limit on the instructions issued a cycle" : ofPipe.instructions,
    tryWithout: (tried) => timeLeft(tried, whatIf),
  };
}

interface Waiting {
  readonly waits: string;
  readonly advice: (launch: LaunchResult) => string;
  readonly without: string;
  readonly whatIf: WhatIf;
}

const moreWarps = ({ time }: LaunchResult): string => (time.theoreticalOccupancyPercent < 100 ? ", or more warps" : "");

function accesses(launch: LaunchResult, space: "shared" | "global") {
  return launch.program.instructions.filter((each) => each.space === space);
}

const wider = (launch: LaunchResult, space: "shared" | "global"): string =>
  areWide(accesses(launch, space)) ? "" : ", or wider ones, such as float4";

const WAITING: Partial<Record<StallReason, Waiting>> = {
  long_scoreboard: {
    waits: "for data from global memory",
    advice: (launch) =>
      `Have more loads in flight: several independent loads a thread before their first use${moreWarps(launch)}.`,
    without: "the latency of global memory",
    whatIf: promptMemory,
  },
  short_scoreboard: {
    waits: "for shared memory, shuffles or special functions",
    advice: () =>
      "Keep values in registers, and put independent work between such an instruction and the use of its result.",
    without: "the latency of shared memory, shuffles and special functions",
    whatIf: promptShared,
  },
  wait: {
    waits: "for the fixed latency of arithmetic",
    advice: (launch) =>
      `Give a thread independent chains of operations, such as two sums instead of one${moreWarps(launch)}.`,
    without: "the latency of arithmetic",
    whatIf: promptArithmetic,
  },
  mio_throttle: {
    waits: "for room in the queue to shared memory",
    advice: (launch) => `Issue fewer shared-memory accesses and shuffles${wider(launch, "shared")}.`,
    without: "accesses to shared memory and shuffles",
    whatIf: withoutInstructions(usesShared),
  },
  lg_throttle: {
    waits: "for room in the queue to global memory",
    advice: (launch) => `Issue fewer loads and stores${wider(launch, "global")}.`,
    without: "that queue",
    whatIf: endlessQueues,
  },
};

/** The reason for which warps wait most, of those that a rule here is about. */
function mostWaitedFor({ time }: LaunchResult): StallReason | null {
  const reasons = (Object.keys(WAITING) as StallReason[]).sort((a, b) => time.stalls[b] - time.stalls[a]);
  return reasons[0] ?? null;
}

export function latencyBound(launch: LaunchResult): Cause | null {
  const { time } = launch;
  const { issueSlotUtilizationPercent: issue, stalls } = time;
  const reason = mostWaitedFor(launch);
  const waiting = reason === null ? undefined : WAITING[reason];
  if (issue >= BUSY || reason === null || waiting === undefined) return null;
  if (reason === "mio_throttle" && sharedBound(launch) !== null) return null;
  const eligible = ((stalls.selected + stalls.not_selected) * issue) / 100;
  return {
    rule: "latency bound",
    sentence: `Latency bounds the kernel: the schedulers issue in ${shortNumber(issue)} % of the cycles, and warps wait mostly ${waiting.waits}, ${shortNumber(stalls[reason])} cycles an instruction.`,
    advice: waiting.advice(launch),
    evidence: [
      predicted("issue_slot_utilization", issue, "%"),
      predicted(`stall ${reason}`, stalls[reason], "cycles an instruction"),
      predicted("eligible_warps_per_cycle of a scheduler", eligible),
    ],
    line: lineOfStall(launch, reason),
    without: waiting.without,
    tryWithout: (tried) => timeLeft(tried, waiting.whatIf),
  };
}
