/**
 * nvprof's stall reasons: shares of the warp cycles in which a warp could not issue. Each takes one or more of Nsight
 * Compute's reasons, as its guide's comparison of both tools has it. Cycles in which a warp issues are no stall.
 */
import type { StallReason } from "../../timing/index.js";
import { capability, type MetricSpec, type ProfiledLaunch, percentOf } from "./metric-spec.js";

interface StallRow {
  readonly name: string;
  readonly words: string;
  readonly because: string;
  readonly reasons: readonly StallReason[];
  /** Fermi's counters do not tell it apart. */
  readonly since?: number;
}

const ROWS: readonly StallRow[] = [
  {
    name: "stall_inst_fetch",
    words: "Instructions Fetch",
    because: "the next instruction has not been fetched",
    reasons: ["no_instruction"],
  },
  {
    name: "stall_exec_dependency",
    words: "Execution Dependency",
    because: "an operand of the instruction is not ready: a result of arithmetic, or of shared memory",
    reasons: ["wait", "short_scoreboard", "branch_resolving"],
  },
  {
    name: "stall_memory_dependency",
    words: "Data Request",
    because: "a value that was asked of global or local memory has not come",
    reasons: ["long_scoreboard"],
  },
  {
    name: "stall_sync",
    words: "Synchronization",
    because: "the warp waits at __syncthreads() or a memory fence",
    reasons: ["barrier", "membar"],
  },
  {
    name: "stall_pipe_busy",
    words: "Pipe Busy",
    because: "the pipe of the instruction has no room",
    reasons: ["math_pipe_throttle", "mio_throttle"],
    since: 3,
  },
  {
    name: "stall_memory_throttle",
    words: "Memory Throttle",
    because: "the queue of memory instructions is full, or stores have to drain before the warp ends",
    reasons: ["lg_throttle", "drain"],
    since: 3,
  },
  {
    name: "stall_not_selected",
    words: "Not Selected",
    because: "the warp could issue, and its scheduler has issued from another one",
    reasons: ["not_selected"],
    since: 3,
  },
  { name: "stall_sleeping", words: "Sleeping", because: "the warp sleeps", reasons: ["sleeping"], since: 7 },
];

const OTHER: readonly StallReason[] = ["dispatch_stall"];

function warpCycles({ time }: ProfiledLaunch, reasons: readonly StallReason[]): number {
  return reasons.reduce((sum, reason) => sum + time.stalls[reason], 0);
}

/** Warp cycles without an issue, for each issue. */
function allStalls({ time }: ProfiledLaunch): number {
  return Object.entries(time.stalls).reduce((sum, [reason, cycles]) => sum + (reason === "selected" ? 0 : cycles), 0);
}

/** The rest: on Fermi also what its counters do not tell apart. */
function otherReasons(launch: ProfiledLaunch): readonly StallReason[] {
  const has = capability(launch.device.computeCapability);
  return [...OTHER, ...ROWS.filter(({ since }) => since !== undefined && has < since).flatMap((row) => row.reasons)];
}

const ncuName = (reason: StallReason): string => `smsp__warp_issue_stalled_${reason}_per_warp_active.pct`;

function stallMetric({ name, words, because, reasons, since }: StallRow): MetricSpec {
  return {
    name,
    title: `Issue Stall Reasons (${words})`,
    definition: `Share of all stalls in which ${because}`,
    unit: "percent",
    formula: `100 x warp cycles in ${reasons.join(", ")} / warp cycles without an issue`,
    ncu: reasons.map(ncuName),
    kind: "predicted",
    ...(since === undefined ? {} : { since }),
    value: (launch) => percentOf(warpCycles(launch, reasons), allStalls(launch)),
    none: "no warp ever stalled",
  };
}

export const STALL_METRICS: readonly MetricSpec[] = [
  ...ROWS.map(stallMetric),
  {
    name: "stall_other",
    title: "Issue Stall Reasons (Other)",
    definition: "Share of all stalls with another reason; on Fermi also of a busy pipe, of throttles and not selected",
    unit: "percent",
    formula: "100 x warp cycles in the other states / warp cycles without an issue",
    ncu: OTHER.map(ncuName),
    kind: "predicted",
    value: (launch) => percentOf(warpCycles(launch, otherReasons(launch)), allStalls(launch)),
    none: "no warp ever stalled",
  },
];
