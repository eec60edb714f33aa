/** Counters and metrics on examples that are worked out by hand beside each, and on published profiles. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { float4, i32, type Kernel, kernel, ptr } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import type { LaunchResult } from "../../../src/core/host/launch-result.js";
import { metric } from "../../../src/core/profile/metric.js";
import { deriveMetrics } from "../../../src/core/profile/metrics.js";
import { inPlaceReductions } from "../../../src/course/reductions/in-place-kernels.js";
import { codeWithoutDivergence, divergenceCode } from "../../kernels/notes.js";

const v100 = new Gpu("v100", { memoryBytes: 16 << 20 });
const m2070 = new Gpu("m2070", { memoryBytes: 16 << 20 });

/** Four branches a warp: at three its lanes agree, at the last the even ones go another way. */
const fourBranches: Kernel = kernel(
  "fourBranches",
  { params: { data: ptr(i32) } },
  ({ data }, { threadIdx, blockIdx, atomicAdd }) => {
    if (blockIdx.x < 512) atomicAdd(data, 0, 1);
    if (blockIdx.x < 25) atomicAdd(data, 1, 1);
    if (threadIdx.x < 32) atomicAdd(data, 2, 1);
    if (threadIdx.x % 2 === 0) atomicAdd(data, 3, 1);
    data[4 + threadIdx.x] = 1;
  },
);

describe("branch efficiency", () => {
  const { counters, metrics } = v100.launch(fourBranches, { grid: 50, block: 32 }, { data: v100.alloc(i32, 64) });
  it("counts 200 branches of 50 warps with four each, of which 50 diverge", () => {
    expect([counters.warps, counters.branches, counters.divergentBranches]).toEqual([50, 200, 50]);
  });
  it("is 75 % of them, as in the notes' example", () => {
    expect(metrics.branchEfficiencyPercent).toBe(75);
  });
  it("is 100 (200 - 50) / 200, not (100 * 200 - 50) / 200 as the brackets of the notes' formula would have it", () => {
    const formula = deriveMetrics({ ...counters, branches: 200, divergentBranches: 50 }, v100.device);
    expect(formula.branchEfficiencyPercent).toBe((100 * (200 - 50)) / 200);
  });
  it("is none where there are no branches: the notes' two kernels store nothing, so a compiler leaves nothing", () => {
    for (const dead of [codeWithoutDivergence, divergenceCode]) {
      const result = v100.launch(dead, { grid: 64, block: 128 }, {});
      expect([result.counters.branches, result.metrics.branchEfficiencyPercent]).toEqual([0, null]);
    }
  });
});

describe("nvprof's metrics of global atomics", () => {
  const scatter: Kernel = kernel(
    "scatter",
    { params: { data: ptr(i32), step: i32 } },
    ({ data, step }, { threadIdx, atomicAdd }) => {
      atomicAdd(data, threadIdx.x * step, 1);
    },
  );
  const launched = (step: number): LaunchResult =>
    v100.launch(scatter, { grid: 10, block: 64 }, { data: v100.alloc(i32, 1024), step });
  it.each([
    [0, 1],
    [1, 4],
    [8, 32],
  ])("have 20 requests, each to the sectors that 32 words %i apart lie in", (step, sectors) => {
    const launch = launched(step);
    const value = (name: string): number | null => metric(launch, name).value;
    expect(value("atomic_transactions")).toBe(20 * sectors);
    expect(value("atomic_transactions_per_request")).toBe(sectors);
    expect(value("l2_atomic_transactions")).toBe(2 * 20 * sectors);
    const bytes = 2 * 20 * sectors * 32;
    expect(value("l2_atomic_throughput")).toBeCloseTo(bytes / (launch.time.durationMicroseconds * 1e-6), -1);
  });
  it("are none where there is no request, by the words of nvprof", () => {
    const launch = v100.launch(divergenceCode, { grid: 1, block: 32 }, {});
    expect(metric(launch, "atomic_transactions_per_request").reason).toContain("no atomics");
    expect(metric(launch, "l2_atomic_throughput").title).toBe("L2 Throughput (Atomic requests)");
  });
});

describe("active lanes", () => {
  const one: Kernel = kernel("one", { params: { data: ptr(i32) } }, ({ data }, { threadIdx }) => {
    data[threadIdx.x] = 1;
  });
  it("are all 32 in whole warps, 16 of 32 in a block of 16 threads, 42 of 64 in one of 42", () => {
    for (const [block, percent] of [
      [64, 100],
      [16, 50],
      [42, (100 * 42) / 64],
    ] as const) {
      const { metrics, counters } = v100.launch(one, { grid: 4, block }, { data: v100.alloc(i32, 64) });
      expect(metrics.warpExecutionEfficiencyPercent, `block ${block}`).toBeCloseTo(percent, 10);
      expect(counters.warps).toBe(4 * Math.ceil(block / 32));
    }
  });
  it("of a 40 x 2 block lie in three warps, as threads are numbered row by row, not in four as the notes list", () => {
    const { counters } = v100.launch(one, { grid: 1, block: [40, 2] }, { data: v100.alloc(i32, 64) });
    expect(counters.warps).toBe(3);
  });
});

const strideCopy: Kernel = kernel(
  "strideCopy",
  { params: { from: ptr(i32), to: ptr(i32), stride: i32, offset: i32 } },
  ({ from, to, stride, offset }, { threadIdx, blockIdx, blockDim, i32 }) => {
    const i = i32(blockIdx.x * blockDim.x + threadIdx.x);
    to[i] = from[i * stride + offset];
  },
);

function copy(gpu: Gpu, stride: number, offset: number): LaunchResult {
  const from = gpu.alloc(i32, 4 * 64 * Math.max(stride, 1) + 64);
  const to = gpu.alloc(i32, 256);
  const result = gpu.launch(strideCopy, { grid: 4, block: 64 }, { from, to, stride, offset });
  from.free();
  to.free();
  return result;
}

describe("a warp that reads ints `stride` apart, from a 256-byte boundary on", () => {
  // 32 lanes of 4 bytes over sectors of 32 bytes: 4 * stride of them, until each lane has its own.
  for (const [stride, sectors, efficiency] of [
    [0, 1, 400],
    [1, 4, 100],
    [2, 8, 50],
    [3, 12, 100 / 3],
    [4, 16, 25],
    [8, 32, 12.5],
    [16, 32, 12.5],
    [32, 32, 12.5],
  ] as const) {
    it(`asks for ${sectors} sectors at stride ${stride}: gld_efficiency ${efficiency.toFixed(1)} %`, () => {
      const { metrics, counters } = copy(v100, stride, 0);
      expect(metrics.globalLoadSectorsPerRequest).toBe(sectors);
      expect(metrics.globalLoadTransactionsPerRequest).toBe(sectors);
      // Above 100 % where lanes read the same word: each lane's bytes count as asked for.
      expect(metrics.globalLoadEfficiencyPercent).toBeCloseTo(efficiency, 10);
      expect([metrics.globalStoreSectorsPerRequest, metrics.globalStoreEfficiencyPercent]).toEqual([4, 100]);
      expect(counters.globalLoadRequests).toBe(8);
    });
  }
  it("asks for one sector more when it starts one int further", () => {
    const { metrics } = copy(v100, 1, 1);
    expect(metrics.globalLoadSectorsPerRequest).toBe(5);
    expect(metrics.globalLoadEfficiencyPercent).toBeCloseTo((100 * 128) / 160, 10);
  });
  it("asks for four sectors when it starts a whole sector further", () => {
    expect(copy(v100, 1, 8).metrics.globalLoadSectorsPerRequest).toBe(4);
  });
});

// 32 lanes of 4 bytes over lines of 128: as many as the stride; L1 brings whole lines, so what is not asked for is waste.
describe("Fermi's loads move lines of 128 bytes", () => {
  for (const [stride, offset, lines, efficiency] of [
    [0, 0, 1, 100],
    [1, 0, 1, 100],
    [1, 1, 2, 50],
    [1, 11, 2, 50],
    [1, 32, 1, 100],
    [2, 0, 2, 50],
    [4, 0, 4, 25],
    [8, 0, 8, 12.5],
    [16, 0, 16, 6.25],
    [32, 0, 32, 3.125],
    [64, 0, 32, 3.125],
  ] as const) {
    it(`${lines} a request at stride ${stride} from int ${offset} on: gld_efficiency ${efficiency} %`, () => {
      const { counters, metrics } = copy(m2070, stride, offset);
      expect(counters.globalLoadLines / counters.globalLoadRequests).toBe(lines);
      expect(metrics.globalLoadTransactionsPerRequest).toBe(lines);
      expect(metrics.globalLoadEfficiencyPercent).toBe(efficiency);
      expect([metrics.globalStoreTransactionsPerRequest, metrics.globalStoreEfficiencyPercent]).toEqual([1, 100]);
    });
  }
  it("and sectors where L1 is off for them (nvcc -Xptxas -dlcm=cg), as the book measures: 80 % eleven floats off", () => {
    const { counters } = copy(m2070, 1, 11);
    const uncached = { ...m2070.device, l1: { ...m2070.device.l1, cachesGlobalLoads: false } };
    expect(deriveMetrics(counters, uncached).globalLoadEfficiencyPercent).toBe(80);
    expect(deriveMetrics(counters, uncached).globalLoadTransactionsPerRequest).toBe(5);
  });
});

const offsetStore: Kernel = kernel(
  "offsetStore",
  { params: { to: ptr(i32), stride: i32, offset: i32 } },
  ({ to, stride, offset }, { threadIdx, i32 }) => {
    to[i32(threadIdx.x) * stride + offset] = 1;
  },
);

describe("a warp's store of ints", () => {
  const rows = [
    // stride, offset, 32-byte sectors, 128-byte lines
    [0, 0, 1, 1],
    [1, 0, 4, 1],
    [1, 11, 5, 2],
    [2, 0, 8, 2],
    [8, 0, 32, 8],
    [32, 0, 32, 32],
  ] as const;
  it.each(rows)("%i apart from int %i on moves %i segments of 32 bytes on every GPU", (stride, offset, sectors) => {
    for (const gpu of [m2070, v100]) {
      const to = gpu.alloc(i32, 1200);
      const { metrics } = gpu.launch(offsetStore, { grid: 1, block: 32 }, { to, stride, offset });
      to.free();
      expect(metrics.globalStoreEfficiencyPercent).toBe((100 * 128) / (32 * sectors));
      expect(metrics.globalStoreSectorsPerRequest).toBe(sectors);
    }
  });
  it.each(rows)(
    "%i apart from int %i on: %i transactions, but on Fermi %i of one to four segments",
    (stride, offset, sectors, lines) => {
      const of = (gpu: Gpu): number | null => {
        const to = gpu.alloc(i32, 1200);
        const { metrics } = gpu.launch(offsetStore, { grid: 1, block: 32 }, { to, stride, offset });
        to.free();
        return metrics.globalStoreTransactionsPerRequest;
      };
      expect([of(v100), of(m2070)]).toEqual([sectors, lines]);
    },
  );
});

const vectorCopy: Kernel = kernel(
  "vectorCopy",
  { params: { from: ptr(float4), to: ptr(float4) } },
  ({ from, to }, { threadIdx }) => {
    to[threadIdx.x] = from[threadIdx.x];
  },
);

describe("a warp that reads a float4 a lane", () => {
  it("makes one request of 16 sectors and four lines, and wastes nothing", () => {
    const config = { grid: 1, block: 32 };
    const args = { from: v100.alloc(float4, 32), to: v100.alloc(float4, 32) };
    const { counters, metrics } = v100.launch(vectorCopy, config, args);
    expect([counters.globalLoadRequests, counters.globalLoadSectors, counters.globalLoadLines]).toEqual([1, 16, 4]);
    expect([metrics.globalLoadEfficiencyPercent, metrics.globalStoreEfficiencyPercent]).toEqual([100, 100]);
  });
});

const sharedStrides: Kernel = kernel(
  "sharedStrides",
  { params: { output: ptr(i32), loadStride: i32, storeStride: i32 } },
  ({ output, loadStride, storeStride }, { threadIdx, shared, syncthreads, i32 }) => {
    const words = shared(i32, 2048);
    const lane = i32(threadIdx.x);
    words[lane * storeStride] = lane;
    syncthreads();
    output[lane] = words[lane * loadStride];
  },
);

function degrees(loadStride: number, storeStride: number): readonly (number | null)[] {
  const output = v100.alloc(i32, 32);
  const { metrics } = v100.launch(sharedStrides, { grid: 1, block: 32 }, { output, loadStride, storeStride });
  output.free();
  return [metrics.sharedLoadConflictDegree, metrics.sharedStoreConflictDegree];
}

describe("the conflict degree of a warp that reads shared ints `stride` apart", () => {
  // 32 banks: lanes meet in one bank every 32 / gcd(stride, 32) lanes.
  for (const [stride, degree] of [
    [0, 1],
    [1, 1],
    [2, 2],
    [3, 1],
    [4, 4],
    [8, 8],
    [16, 16],
    [32, 32],
    [33, 1],
    [48, 16],
    [63, 1],
  ] as const) {
    it(`is ${degree} at stride ${stride}${stride === 0 ? ", a broadcast" : ""}`, () => {
      expect(degrees(stride, 1)).toEqual([degree, 1]);
    });
  }
  it("is told apart from that of the stores", () => {
    expect(degrees(2, 8)).toEqual([2, 8]);
    expect(degrees(16, 1)).toEqual([16, 1]);
  });
  it("is null where nothing is read from shared memory", () => {
    expect(copy(v100, 1, 0).metrics.sharedLoadConflictDegree).toBeNull();
  });
});

interface PublishedTable {
  readonly id: string;
  readonly block: number;
  readonly rows: readonly { readonly version: string; readonly metrics: Readonly<Record<string, unknown>> }[];
}

const published: readonly PublishedTable[] = JSON.parse(
  readFileSync(new URL("../../reference/published/reductions.json", import.meta.url), "utf8"),
);

/** nvprof on a V100, published with Professional CUDA C Programming's kernels (published/reductions.json). */
const profile = published.find(({ id }) => id === "v100-in-place");

describe.each(inPlaceReductions.map((reduction) => [reduction.title, reduction] as const))("%s", (title, reduction) => {
  const row = profile?.rows.find(({ version }) => version === title);
  it("has the load and store efficiency that nvprof printed for a V100, to the second decimal", () => {
    const block = profile?.block ?? 0;
    const n = 64 * block;
    const input = v100.alloc(i32, n);
    const output = v100.alloc(i32, 64);
    const { metrics } = v100.launch(reduction.kernel, { grid: 64 / reduction.dataBlocks, block }, { input, output, n });
    input.free();
    output.free();
    expect({
      gld: metrics.globalLoadEfficiencyPercent?.toFixed(2),
      gst: metrics.globalStoreEfficiencyPercent?.toFixed(2),
    }).toEqual({
      gld: Number(row?.metrics.gld_efficiency_pct).toFixed(2),
      gst: Number(row?.metrics.gst_efficiency_pct).toFixed(2),
    });
  });
});
