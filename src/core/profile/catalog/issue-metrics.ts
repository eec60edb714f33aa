/** Metrics of warps, branches, instructions and issue. */
import { detailCounts, type FlopKind, type InstructionClass } from "./detail-counts.js";
import {
  activeSms,
  capability,
  elapsedCycles,
  type MetricSpec,
  type ProfiledLaunch,
  percentOf,
  ratio,
} from "./metric-spec.js";

/** Schedulers of an SM in every GPU that Nsight Compute knows; it gives warps a scheduler where nvprof gives them an SM. */
const SCHEDULERS = 4;

/** From here on counts follow Nsight Compute's rules. */
const FIRST_WITHOUT_NVPROF = 7.5;

function hasNvprof({ device }: ProfiledLaunch): boolean {
  return capability(device.computeCapability) < FIRST_WITHOUT_NVPROF;
}

/**
 * nvprof counts EXIT among branches: Professional CUDA's mathKernel1 of two warps shows 12 of them unoptimised, 2 divergent,
 * and its optimised code, which has no jump, has 100 %. Nsight Compute counts jumps alone.
 */
export function branches(launch: ProfiledLaunch): number {
  const jumps = launch.counters.branches;
  return hasNvprof(launch) ? jumps + detailCounts(launch).exits : jumps;
}

const WARPS: readonly MetricSpec[] = [
  {
    name: "sm_efficiency",
    title: "Multiprocessor Activity",
    definition: "Share of the time in which an SM has at least one warp, in the mean of all SMs",
    unit: "percent",
    formula: "100 x active cycles / elapsed cycles x SMs with blocks / SMs",
    ncu: ["smsp__cycles_active.avg.pct_of_peak_sustained_elapsed"],
    kind: "predicted",
    value: (launch) => {
      const share = activeSms(launch) / launch.device.smCount;
      return percentOf(launch.time.cycles * share, elapsedCycles(launch));
    },
  },
  {
    name: "achieved_occupancy",
    title: "Achieved Occupancy",
    definition: "Mean warps on an SM that is active, over the most that it can hold: 0 to 1",
    unit: "ratio",
    formula: "active warps / active cycles / most warps of an SM",
    ncu: ["sm__warps_active.avg.pct_of_peak_sustained_active"],
    inNcu: { unit: "percent", factor: 100 },
    kind: "predicted",
    value: ({ time }) => time.achievedOccupancyPercent / 100,
  },
  {
    name: "branch_efficiency",
    title: "Branch Efficiency",
    definition: "Branches at which all lanes of a warp go one way, of all branches; nvprof counts exits among them",
    unit: "percent",
    formula: "100 x (branch - divergent_branch) / branch",
    ncu: ["smsp__sass_average_branch_targets_threads_uniform.pct"],
    kind: "exact",
    value: (launch) => {
      const all = branches(launch);
      return percentOf(all - launch.counters.divergentBranches, all);
    },
    none: "the kernel has no branch",
  },
  {
    name: "warp_execution_efficiency",
    title: "Warp Execution Efficiency",
    definition: "Mean active lanes of an executed instruction, over the 32 of a warp",
    unit: "percent",
    formula: "100 x thread instructions / (warp instructions x 32)",
    ncu: ["smsp__thread_inst_executed_per_inst_executed.ratio"],
    inNcu: { unit: "ratio", factor: 0.32 },
    kind: "exact",
    value: ({ metrics }) => metrics.warpExecutionEfficiencyPercent,
    none: "no instruction was executed",
  },
  {
    name: "warp_nonpred_execution_efficiency",
    title: "Warp Non-Predicated Execution Efficiency",
    definition: "The same, lanes whose predicate is false left out",
    unit: "percent",
    formula: "100 x thread instructions with a true predicate / (warp instructions x 32)",
    ncu: ["smsp__average_thread_inst_executed_pred_on_per_inst_executed.ratio"],
    inNcu: { unit: "ratio", factor: 0.32 },
    kind: "exact",
    since: 3,
    value: ({ metrics }) => metrics.warpNonPredicatedExecutionEfficiencyPercent,
    none: "no instruction was executed",
  },
  {
    name: "eligible_warps_per_cycle",
    title: "Eligible Warps Per Active Cycle",
    definition: "Mean warps of an SM that could issue in a cycle: those selected and those not selected",
    unit: "ratio",
    formula: "ipc x (1 + warps not selected for each issue)",
    ncu: ["smsp__warps_eligible.avg.per_cycle_active"],
    inNcu: { unit: "ratio", factor: 1 / SCHEDULERS },
    kind: "predicted",
    since: 3,
    value: ({ time }) => time.ipc * (time.stalls.selected + time.stalls.not_selected),
  },
];

const INSTRUCTIONS: readonly MetricSpec[] = [
  {
    name: "inst_per_warp",
    title: "Instructions per warp",
    definition: "Mean instructions that a warp executes",
    unit: "ratio",
    formula: "inst_executed / warps_launched",
    ncu: ["smsp__average_inst_executed_per_warp.ratio"],
    kind: "exact",
    value: ({ counters: c }) => ratio(c.warpInstructions, c.warps),
    none: "no warp was launched",
  },
  {
    name: "inst_executed",
    title: "Instructions Executed",
    definition: "Instructions that warps execute, each warp's counted once",
    unit: "count",
    formula: "warp instructions",
    ncu: ["smsp__inst_executed.sum"],
    kind: "exact",
    value: ({ counters }) => counters.warpInstructions,
  },
  {
    name: "inst_issued",
    title: "Instructions Issued",
    definition: "Instructions issued, those included that go round again where shared atomics collide",
    unit: "count",
    formula: "inst_executed x (1 + repeated share)",
    ncu: ["smsp__inst_issued.sum"],
    kind: "predicted",
    value: ({ counters, time }) => counters.warpInstructions * (1 + time.repeatedShare),
  },
  {
    name: "ipc",
    title: "Executed IPC",
    definition: "Instructions of warps that an SM executes a cycle in which it is active",
    unit: "ratio",
    formula: "inst_executed / active cycles",
    ncu: ["sm__inst_executed.avg.per_cycle_active"],
    kind: "predicted",
    value: ({ time }) => time.ipc / (1 + time.repeatedShare),
  },
  {
    name: "issued_ipc",
    title: "Issued IPC",
    definition: "Instructions of warps that an SM issues a cycle in which it is active",
    unit: "ratio",
    formula: "inst_issued / active cycles",
    ncu: ["sm__inst_issued.avg.per_cycle_active"],
    kind: "predicted",
    value: ({ time }) => time.ipc,
  },
  {
    name: "issue_slot_utilization",
    title: "Issue Slot Utilization",
    definition: "Share of the schedulers' cycles in which they issue",
    unit: "percent",
    formula: "100 x issued / (active cycles x schedulers x issue width)",
    ncu: ["smsp__issue_active.avg.pct_of_peak_sustained_active"],
    kind: "predicted",
    value: ({ time }) => time.issueSlotUtilizationPercent,
  },
  {
    name: "cf_executed",
    title: "Executed Control-Flow Instructions",
    definition: "Jumps, points of reconvergence and exits that warps execute",
    unit: "count",
    formula: "control instructions",
    ncu: ["smsp__inst_executed_op_branch.sum"],
    kind: "exact",
    value: ({ counters }) => counters.controlInstructions,
  },
  {
    name: "ldst_executed",
    title: "Executed Load/Store Instructions",
    definition:
      "Loads, stores and atomics that warps execute; Nsight Compute counts all that the LSU pipe runs, shuffles too",
    unit: "count",
    formula: "memory instructions of warps; from 7.5 on also shuffles and reads of threadIdx",
    ncu: ["smsp__inst_executed_pipe_lsu.sum"],
    kind: "exact",
    value: (launch) => {
      const { counters: c } = launch;
      const { localLoadInstructions, localStoreInstructions, otherLsuInstructions } = detailCounts(launch);
      const global = c.globalLoadInstructions + c.globalStoreInstructions + c.globalAtomicInstructions;
      const shared = c.sharedLoadInstructions + c.sharedStoreInstructions + c.sharedAtomicRequests;
      const others = hasNvprof(launch) ? 0 : otherLsuInstructions;
      return global + shared + localLoadInstructions + localStoreInstructions + others;
    },
  },
];

const OF_SPACE: readonly (readonly [
  name: string,
  words: string,
  ncu: string,
  count: (launch: ProfiledLaunch) => number,
])[] = [
  ["global_loads", "global loads", "global_ld", ({ counters }) => counters.globalLoadInstructions],
  ["global_stores", "global stores", "global_st", ({ counters }) => counters.globalStoreInstructions],
  ["global_atomics", "global atom and atom cas", "global_atom", (launch) => detailCounts(launch).globalAtomics],
  ["global_reductions", "global reductions", "global_red", (launch) => detailCounts(launch).globalReductions],
  ["shared_loads", "shared loads", "shared_ld", ({ counters }) => counters.sharedLoadInstructions],
  ["shared_stores", "shared stores", "shared_st", ({ counters }) => counters.sharedStoreInstructions],
  ["shared_atomics", "shared atom and atom CAS", "shared_atom", ({ counters }) => counters.sharedAtomicRequests],
  ["local_loads", "local loads", "local_ld", (launch) => detailCounts(launch).localLoadInstructions],
  ["local_stores", "local stores", "local_st", (launch) => detailCounts(launch).localStoreInstructions],
];

const BY_SPACE: readonly MetricSpec[] = OF_SPACE.map(([name, words, ncu, value]) => ({
  name: `inst_executed_${name}`,
  title: `Warp level instructions for ${words}`,
  definition: `Instructions of warps that are ${words}`,
  unit: "count",
  formula: `warp instructions that are ${words}`,
  ncu: [`smsp__${ncu === "global_atom" ? "sass_" : ""}inst_executed_op_${ncu}.sum`],
  kind: "exact",
  since: 5,
  value,
}));

const OF_CLASS: readonly (readonly [name: string, title: string, ncu: string, which: InstructionClass])[] = [
  ["inst_fp_32", "FP Instructions(Single)", "fp32", "fp32"],
  ["inst_fp_64", "FP Instructions(Double)", "fp64", "fp64"],
  ["inst_integer", "Integer Instructions", "integer", "integer"],
  ["inst_bit_convert", "Bit-Convert Instructions", "conversion", "bitConvert"],
  ["inst_control", "Control-Flow Instructions", "control", "control"],
  ["inst_compute_ld_st", "Load/Store Instructions", "memory", "loadStore"],
  ["inst_inter_thread_communication", "Inter-Thread Instructions", "inter_thread_communication", "interThread"],
  ["inst_misc", "Misc Instructions", "misc", "misc"],
];

const BY_CLASS: readonly MetricSpec[] = OF_CLASS.map(([name, title, ncu, which]) => ({
  name,
  title,
  definition: `Instructions of that class that threads execute with a true predicate`,
  unit: "count",
  formula: `thread instructions of the class, by mnemonic`,
  ncu: [`smsp__sass_thread_inst_executed_op_${ncu}_pred_on.sum`],
  kind: "exact",
  value: (launch) => detailCounts(launch).threads[which],
}));

/** A fused multiply-add is two operations in the sum, and one in its own row. */
function flopRows(precision: "sp" | "dp", words: string, letter: "f" | "d"): readonly MetricSpec[] {
  const flops = (launch: ProfiledLaunch, kind: "Add" | "Mul" | "Fma"): number =>
    detailCounts(launch).flops[`${precision}${kind}` satisfies FlopKind];
  const ncu = (op: string): string => `smsp__sass_thread_inst_executed_op_${letter}${op}_pred_on.sum`;
  const rows = (["Add", "Mul", "Fma"] as const).map((kind): MetricSpec => {
    const op = kind.toLowerCase();
    const title = `Floating Point Operations(${words} ${kind === "Fma" ? "FMA" : kind})`;
    return {
      name: `flop_count_${precision}_${op}`,
      title,
      definition: `Operations that threads execute with a true predicate`,
      unit: "count",
      formula: `thread executions of ${letter.toUpperCase()}${op.toUpperCase()}`,
      ncu: [ncu(op)],
      kind: "exact",
      value: (launch) => flops(launch, kind),
    };
  });
  return [
    {
      name: `flop_count_${precision}`,
      title: `Floating Point Operations(${words})`,
      definition: "Additions, multiplications and fused multiply-adds of threads; the latter count twice",
      unit: "count",
      formula: `add + mul + 2 x fma`,
      ncu: [ncu("add"), ncu("mul"), `2 x ${ncu("fma")}`],
      kind: "exact",
      value: (launch) => flops(launch, "Add") + flops(launch, "Mul") + 2 * flops(launch, "Fma"),
    },
    ...rows,
  ];
}

const SPECIAL: MetricSpec = {
  name: "flop_count_sp_special",
  title: "Floating Point Operations(Single Precision Special)",
  definition: "Reciprocals, roots, sines and the like that threads execute with a true predicate",
  unit: "count",
  formula: "thread executions of MUFU",
  ncu: [],
  kind: "exact",
  value: (launch) => detailCounts(launch).flops.spSpecial,
};

const FLOPS: readonly MetricSpec[] = [
  ...flopRows("dp", "Double Precision", "d"),
  ...flopRows("sp", "Single Precision", "f"),
  SPECIAL,
];

export const ISSUE_METRICS: readonly MetricSpec[] = [...WARPS, ...INSTRUCTIONS, ...BY_SPACE, ...BY_CLASS, ...FLOPS];
