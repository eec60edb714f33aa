/** Metrics of global memory, shared memory, caches and DRAM. */
import { detailCounts } from "./detail-counts.js";
import { type MetricSpec, percentOf, ratio, seconds } from "./metric-spec.js";
import { loadTransactions, storeTransactions, wavefrontBytes } from "./transactions.js";

const SECTOR_BYTES = 32;
const NO_LOADS = "the kernel loads nothing from global memory";
const NO_STORES = "the kernel stores nothing to global memory";
const NO_SHARED_LOADS = "the kernel loads nothing from shared memory";
const NO_SHARED_STORES = "the kernel stores nothing to shared memory";

const GLOBAL: readonly MetricSpec[] = [
  {
    name: "gld_transactions_per_request",
    title: "Global Load Transactions Per Request",
    definition: "Mean transactions of one warp's global load: lines of 128 bytes on Fermi, else sectors of 32 bytes",
    unit: "ratio",
    formula: "gld_transactions / global load requests",
    ncu: ["l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"],
    kind: "exact",
    value: (launch) => ratio(loadTransactions(launch).count, launch.counters.globalLoadRequests),
    none: NO_LOADS,
  },
  {
    name: "gst_transactions_per_request",
    title: "Global Store Transactions Per Request",
    definition: "Mean transactions of one warp's global store: lines of 128 bytes on Fermi, else sectors of 32 bytes",
    unit: "ratio",
    formula: "gst_transactions / global store requests",
    ncu: ["l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"],
    kind: "exact",
    value: (launch) => ratio(storeTransactions(launch).count, launch.counters.globalStoreRequests),
    none: NO_STORES,
  },
  {
    name: "gld_transactions",
    title: "Global Load Transactions",
    definition: "Transactions of all global loads",
    unit: "count",
    formula: "128-byte lines (Fermi) or 32-byte sectors that the loads' requests touch",
    ncu: ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"],
    kind: "exact",
    value: (launch) => loadTransactions(launch).count,
  },
  {
    name: "gst_transactions",
    title: "Global Store Transactions",
    definition: "Transactions of all global stores",
    unit: "count",
    formula: "128-byte lines (Fermi) or 32-byte sectors that the stores' requests touch",
    ncu: ["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"],
    kind: "exact",
    value: (launch) => storeTransactions(launch).count,
  },
  {
    name: "gld_efficiency",
    title: "Global Memory Load Efficiency",
    definition: "Bytes that threads ask for over bytes that their transactions move; above 100 % where lanes share",
    unit: "percent",
    formula: "100 x requested load bytes / (gld_transactions x bytes of a transaction)",
    ncu: ["smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct"],
    kind: "exact",
    value: ({ metrics }) => metrics.globalLoadEfficiencyPercent,
    none: NO_LOADS,
  },
  {
    name: "gst_efficiency",
    title: "Global Memory Store Efficiency",
    definition: "Bytes that threads store over bytes that their transactions move",
    unit: "percent",
    formula: "100 x requested store bytes / (32-byte segments x 32)",
    ncu: ["smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct"],
    kind: "exact",
    value: ({ metrics }) => metrics.globalStoreEfficiencyPercent,
    none: NO_STORES,
  },
  {
    name: "gld_requested_throughput",
    title: "Requested Global Load Throughput",
    definition: "Bytes that threads ask global memory for, a second",
    unit: "bytes/s",
    formula: "requested load bytes / duration",
    ncu: [],
    kind: "predicted",
    value: (launch) => ratio(launch.counters.globalLoadBytes, seconds(launch)),
  },
  {
    name: "gst_requested_throughput",
    title: "Requested Global Store Throughput",
    definition: "Bytes that threads store to global memory, a second",
    unit: "bytes/s",
    formula: "requested store bytes / duration",
    ncu: [],
    kind: "predicted",
    value: (launch) => ratio(launch.counters.globalStoreBytes, seconds(launch)),
  },
  {
    name: "gld_throughput",
    title: "Global Load Throughput",
    definition: "Bytes that global loads move between SM and caches, a second",
    unit: "bytes/s",
    formula: "gld_transactions x bytes of a transaction / duration",
    ncu: ["l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second"],
    kind: "predicted",
    value: (launch) => ratio(loadTransactions(launch).bytes, seconds(launch)),
  },
  {
    name: "gst_throughput",
    title: "Global Store Throughput",
    definition: "Bytes that global stores move between SM and caches, a second",
    unit: "bytes/s",
    formula: "bytes of the stores' 32-byte segments / duration",
    ncu: ["l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum.per_second"],
    kind: "predicted",
    value: (launch) => ratio(storeTransactions(launch).bytes, seconds(launch)),
  },
  {
    name: "global_load_requests",
    title: "Global Load Requests",
    definition: "Global loads of warps in which a lane takes part",
    unit: "count",
    formula: "global load requests",
    ncu: ["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"],
    kind: "exact",
    since: 5,
    value: ({ counters }) => counters.globalLoadRequests,
  },
  {
    name: "global_store_requests",
    title: "Global Store Requests",
    definition: "Global stores of warps in which a lane takes part, without atomics",
    unit: "count",
    formula: "global store requests",
    ncu: ["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"],
    kind: "exact",
    since: 5,
    value: ({ counters }) => counters.globalStoreRequests,
  },
];

const SHARED: readonly MetricSpec[] = [
  {
    name: "shared_load_transactions_per_request",
    title: "Shared Memory Load Transactions Per Request",
    definition: "Mean wavefronts of one warp's shared load; above 1 where lanes meet in a bank",
    unit: "ratio",
    formula: "shared_load_transactions / shared load requests",
    ncu: [
      "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum / smsp__inst_executed_op_shared_ld_pred_on_any.sum",
    ],
    kind: "exact",
    value: ({ counters: c }) => ratio(c.sharedLoadWavefronts, c.sharedLoadRequests),
    none: NO_SHARED_LOADS,
  },
  {
    name: "shared_store_transactions_per_request",
    title: "Shared Memory Store Transactions Per Request",
    definition: "Mean wavefronts of one warp's shared store; above 1 where lanes meet in a bank",
    unit: "ratio",
    formula: "shared_store_transactions / shared store requests",
    ncu: [
      "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum / smsp__inst_executed_op_shared_st_pred_on_any.sum",
    ],
    kind: "exact",
    value: ({ counters: c }) => ratio(c.sharedStoreWavefronts, c.sharedStoreRequests),
    none: NO_SHARED_STORES,
  },
  {
    name: "shared_load_transactions",
    title: "Shared Load Transactions",
    definition: "Wavefronts of all shared loads",
    unit: "count",
    formula: "shared load wavefronts",
    ncu: ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"],
    kind: "exact",
    value: ({ counters }) => counters.sharedLoadWavefronts,
  },
  {
    name: "shared_store_transactions",
    title: "Shared Store Transactions",
    definition: "Wavefronts of all shared stores",
    unit: "count",
    formula: "shared store wavefronts",
    ncu: ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"],
    kind: "exact",
    value: ({ counters }) => counters.sharedStoreWavefronts,
  },
  {
    name: "shared_efficiency",
    title: "Shared Memory Efficiency",
    definition: "Bytes that threads ask shared memory for over the bytes that its wavefronts could move",
    unit: "percent",
    formula: "100 x requested shared bytes / (wavefronts x 128)",
    ncu: ["smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct"],
    kind: "exact",
    value: (launch) => {
      const { sharedLoadWavefronts, sharedStoreWavefronts, sharedAtomicWavefronts } = launch.counters;
      const wavefronts = sharedLoadWavefronts + sharedStoreWavefronts + sharedAtomicWavefronts;
      return percentOf(detailCounts(launch).sharedBytes, wavefronts * wavefrontBytes(launch));
    },
    none: "the kernel does not access shared memory",
  },
  {
    name: "shared_load_throughput",
    title: "Shared Memory Load Throughput",
    definition: "Bytes that wavefronts of shared loads could move, a second",
    unit: "bytes/s",
    formula: "shared_load_transactions x 128 / duration",
    ncu: ["128 x l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum.per_second"],
    kind: "predicted",
    value: (launch) => ratio(launch.counters.sharedLoadWavefronts * wavefrontBytes(launch), seconds(launch)),
  },
  {
    name: "shared_store_throughput",
    title: "Shared Memory Store Throughput",
    definition: "Bytes that wavefronts of shared stores could move, a second",
    unit: "bytes/s",
    formula: "shared_store_transactions x 128 / duration",
    ncu: ["128 x l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum.per_second"],
    kind: "predicted",
    value: (launch) => ratio(launch.counters.sharedStoreWavefronts * wavefrontBytes(launch), seconds(launch)),
  },
];

const CACHES: readonly MetricSpec[] = [
  {
    name: "global_hit_rate",
    title: "Global Hit Rate in unified l1/tex",
    definition: "Sectors of global accesses that L1 holds, of all that it looks up",
    unit: "percent",
    formula: "100 x L1 sector hits / L1 sectors looked up",
    ncu: ["l1tex__t_sector_hit_rate.pct"],
    kind: "predicted",
    since: 5,
    value: ({ time }) => time.l1HitRatePercent,
    none: "nothing was looked up in L1",
  },
  {
    name: "l1_cache_global_hit_rate",
    title: "L1 Global Hit Rate",
    definition: "Global loads that L1 holds, of all that it looks up",
    unit: "percent",
    formula: "100 x L1 hits / L1 lines looked up",
    ncu: ["l1tex__t_sector_hit_rate.pct"],
    kind: "predicted",
    until: 3.7,
    value: ({ time }) => time.l1HitRatePercent,
    none: "nothing was looked up in L1",
  },
  {
    name: "l2_tex_hit_rate",
    title: "L2 Cache Hit Rate",
    definition: "Sectors that L2 holds, of all that the SMs ask it for",
    unit: "percent",
    formula: "100 x L2 sector hits / L2 sectors looked up",
    ncu: ["lts__t_sector_hit_rate.pct"],
    kind: "predicted",
    since: 5,
    value: ({ time }) => time.l2HitRatePercent,
    none: "nothing was looked up in L2",
  },
  {
    name: "l2_l1_read_hit_rate",
    title: "L2 Hit Rate (L1 Reads)",
    definition: "Reads from L1 that L2 holds; the model counts all accesses",
    unit: "percent",
    formula: "100 x L2 sector hits / L2 sectors looked up",
    ncu: ["lts__t_sector_hit_rate.pct"],
    kind: "predicted",
    until: 3.7,
    value: ({ time }) => time.l2HitRatePercent,
    none: "nothing was looked up in L2",
  },
];

const NO_ATOMICS = "the kernel has no atomics on global memory";
/**
 * An atomic's sector goes to L2 and comes back. Nsight Compute's table of nvprof's metrics counts it twice. Its own
 * names for these were not measured, so there are none here.
 */
const BOTH_WAYS = 2;

const ATOMICS: readonly MetricSpec[] = [
  {
    name: "atomic_transactions",
    title: "Atomic Transactions",
    definition: "Global memory atomic and reduction transactions: sectors of 32 bytes",
    unit: "count",
    formula: "32-byte sectors that the atomics' requests touch",
    ncu: [],
    kind: "exact",
    since: 3,
    value: ({ counters }) => counters.globalAtomicSectors,
  },
  {
    name: "atomic_transactions_per_request",
    title: "Atomic Transactions Per Request",
    definition: "Mean atomic and reduction transactions of one warp's atomic or reduction instruction",
    unit: "ratio",
    formula: "atomic_transactions / global atomic requests",
    ncu: [],
    kind: "exact",
    since: 3,
    value: ({ counters: c }) => ratio(c.globalAtomicSectors, c.globalAtomicRequests),
    none: NO_ATOMICS,
  },
  {
    name: "l2_atomic_throughput",
    title: "L2 Throughput (Atomic requests)",
    definition: "Bytes that L2 moves for atomic and reduction requests, a second",
    unit: "bytes/s",
    formula: "l2_atomic_transactions x 32 / duration",
    ncu: [],
    kind: "predicted",
    since: 3,
    value: (launch) => ratio(BOTH_WAYS * launch.counters.globalAtomicSectors * SECTOR_BYTES, seconds(launch)),
  },
  {
    name: "l2_atomic_transactions",
    title: "L2 Transactions (Atomic requests)",
    definition: "Transactions at L2 for atomic and reduction requests: each sector there and back",
    unit: "count",
    formula: "2 x atomic_transactions",
    ncu: [],
    kind: "exact",
    since: 3,
    value: ({ counters }) => BOTH_WAYS * counters.globalAtomicSectors,
  },
];

function dram(way: "read" | "write"): readonly MetricSpec[] {
  const bytes = (launch: Parameters<MetricSpec["value"]>[0]): number =>
    way === "read" ? launch.time.dramBytesRead : launch.time.dramBytesWritten;
  const Way = way === "read" ? "Read" : "Write";
  const words = way === "read" ? "read from DRAM" : "written to DRAM";
  return [
    {
      name: `dram_${way}_throughput`,
      title: `Device Memory ${Way} Throughput`,
      definition: `Bytes ${words}, a second`,
      unit: "bytes/s",
      formula: `bytes ${words} / duration`,
      ncu: [`dram__bytes_${way}.sum.per_second`],
      kind: "predicted",
      value: (launch) => ratio(bytes(launch), seconds(launch)),
    },
    {
      name: `dram_${way}_transactions`,
      title: `Device Memory ${Way} Transactions`,
      definition: `Sectors of 32 bytes ${words}`,
      unit: "count",
      formula: `bytes ${words} / 32`,
      ncu: [`dram__sectors_${way}.sum`],
      kind: "predicted",
      value: (launch) => bytes(launch) / 32,
    },
    {
      name: `dram_${way}_bytes`,
      title: `Total bytes ${way === "read" ? "read from DRAM to L2 cache" : "written from L2 cache to DRAM"}`,
      definition: `Bytes ${words}`,
      unit: "bytes",
      formula: `bytes ${words}`,
      ncu: [`dram__bytes_${way}.sum`],
      kind: "predicted",
      since: 7,
      value: bytes,
    },
  ];
}

export const MEMORY_METRICS: readonly MetricSpec[] = [
  ...GLOBAL,
  ...SHARED,
  ...CACHES,
  ...ATOMICS,
  ...dram("read"),
  ...dram("write"),
];
