/** Events: the plain counts that nvprof collects with --events, summed over all SMs. */
import { detailCounts } from "./detail-counts.js";
import { branches } from "./issue-metrics.js";
import { activeSms, elapsedCycles, type MetricSpec, type ProfiledLaunch } from "./metric-spec.js";
import { loadTransactions, storeTransactions } from "./transactions.js";

type EventRow = readonly [
  name: string,
  definition: string,
  ncu: readonly string[],
  value: (launch: ProfiledLaunch) => number,
];

const COUNTED: readonly EventRow[] = [
  [
    "branch",
    "Branches that warps execute; nvprof counts exits among them",
    ["smsp__sass_branch_targets.sum"],
    branches,
  ],
  [
    "divergent_branch",
    "Branches at which lanes of a warp go both ways",
    ["smsp__sass_branch_targets_threads_divergent.sum"],
    ({ counters }) => counters.divergentBranches,
  ],
  ["warps_launched", "Warps launched", ["smsp__warps_launched.sum"], ({ counters }) => counters.warps],
  [
    "threads_launched",
    "Threads launched",
    ["smsp__threads_launched.sum"],
    ({ grid, block }) => [...grid, ...block].reduce((product, extent) => product * extent, 1),
  ],
  ["sm_cta_launched", "Blocks launched", ["sm__ctas_launched.sum"], ({ counters }) => counters.blocks],
  ["inst_executed", "Instructions that warps execute", ["smsp__inst_executed.sum"], (l) => l.counters.warpInstructions],
  [
    "thread_inst_executed",
    "Instructions that threads execute, whatever their predicate",
    ["smsp__thread_inst_executed.sum"],
    ({ counters }) => counters.threadInstructions,
  ],
  [
    "not_predicated_off_thread_inst_executed",
    "Instructions that threads execute with a true predicate",
    ["smsp__thread_inst_executed_pred_on.sum"],
    ({ counters }) => counters.threadInstructionsPredicatedOn,
  ],
  [
    "gld_request",
    "Global loads of warps",
    ["smsp__inst_executed_op_global_ld.sum"],
    ({ counters }) => counters.globalLoadInstructions,
  ],
  [
    "gst_request",
    "Global stores of warps",
    ["smsp__inst_executed_op_global_st.sum"],
    ({ counters }) => counters.globalStoreInstructions,
  ],
  [
    "global_load",
    "Global loads of warps",
    ["smsp__inst_executed_op_global_ld.sum"],
    ({ counters }) => counters.globalLoadInstructions,
  ],
  [
    "global_store",
    "Global stores of warps",
    ["smsp__inst_executed_op_global_st.sum"],
    ({ counters }) => counters.globalStoreInstructions,
  ],
  [
    "global_ld_transactions",
    "Transactions of global loads",
    ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"],
    (launch) => loadTransactions(launch).count,
  ],
  [
    "global_st_transactions",
    "Transactions of global stores",
    ["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"],
    (launch) => storeTransactions(launch).count,
  ],
  [
    "shared_load",
    "Shared loads of warps",
    ["smsp__inst_executed_op_shared_ld.sum"],
    ({ counters }) => counters.sharedLoadInstructions,
  ],
  [
    "shared_store",
    "Shared stores of warps",
    ["smsp__inst_executed_op_shared_st.sum"],
    ({ counters }) => counters.sharedStoreInstructions,
  ],
  [
    "local_load",
    "Local loads of warps",
    ["smsp__inst_executed_op_local_ld.sum"],
    (launch) => detailCounts(launch).localLoadInstructions,
  ],
  [
    "local_store",
    "Local stores of warps",
    ["smsp__inst_executed_op_local_st.sum"],
    (launch) => detailCounts(launch).localStoreInstructions,
  ],
  [
    "shared_ld_transactions",
    "Wavefronts of shared loads",
    ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"],
    ({ counters }) => counters.sharedLoadWavefronts,
  ],
  [
    "shared_st_transactions",
    "Wavefronts of shared stores",
    ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"],
    ({ counters }) => counters.sharedStoreWavefronts,
  ],
  [
    "shared_ld_bank_conflict",
    "Wavefronts of shared loads beyond the least possible",
    ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"],
    ({ counters }) => counters.sharedLoadBankConflicts,
  ],
  [
    "shared_st_bank_conflict",
    "Wavefronts of shared stores beyond the least possible",
    ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"],
    ({ counters }) => counters.sharedStoreBankConflicts,
  ],
  [
    "atom_count",
    "Global atomics of warps",
    ["smsp__sass_inst_executed_op_global_atom.sum", "smsp__inst_executed_op_global_red.sum"],
    ({ counters }) => counters.globalAtomicInstructions,
  ],
];

const TIMED: readonly EventRow[] = [
  [
    "active_cycles",
    "Cycles in which an SM has at least one warp",
    ["sm__cycles_active.sum"],
    (launch) => launch.time.cycles * activeSms(launch),
  ],
  [
    "active_warps",
    "Warps on an SM, added up over its active cycles",
    ["sm__warps_active.sum"],
    (launch) => {
      const { time, device } = launch;
      return (time.achievedOccupancyPercent / 100) * device.limits.maxWarpsPerSm * time.cycles * activeSms(launch);
    },
  ],
  [
    "elapsed_cycles_sm",
    "Cycles of the launch, added up over the SMs",
    ["sm__cycles_elapsed.sum"],
    (launch) => elapsedCycles(launch) * launch.device.smCount,
  ],
  [
    "inst_issued",
    "Instructions issued, those repeated included",
    ["smsp__inst_issued.sum"],
    ({ counters, time }) => counters.warpInstructions * (1 + time.repeatedShare),
  ],
];

function eventOf([name, definition, ncu, value]: EventRow, kind: MetricSpec["kind"]): MetricSpec {
  return { name, title: name, definition, unit: "count", formula: "a count", ncu, kind, value };
}

export const EVENTS: readonly MetricSpec[] = [
  ...COUNTED.map((row) => eventOf(row, "exact")),
  ...TIMED.map((row) => eventOf(row, "predicted")),
];
