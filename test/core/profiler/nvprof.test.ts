/** nvprof's layout: heads and columns are those that nvprof 10 to 12 print, taken from published sessions. */
import { describe, expect, it } from "vitest";
import { float4, i32, type Kernel, kernel, ptr } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import { nvprof } from "../../../src/core/profiler/nvprof/nvprof.js";

const SUMMARY = "            Type  Time(%)      Time     Calls       Avg       Min       Max  Name";
const GPU_TRACE =
  "   Start  Duration            Grid Size      Block Size     Regs*    SSMem*    DSMem*      Size  Throughput  SrcMemType  DstMemType           Device   Context    Stream  Name";
const METRICS =
  "Invocations                               Metric Name                        Metric Description         Min         Max         Avg";
const WIDE_METRICS =
  "Invocations                               Metric Name                            Metric Description         Min         Max         Avg";
const EVENTS = "Invocations                                Event Name         Min         Max         Avg       Total";
/** A GeForce GTX 1070's and a GTX 1060's sessions. */
const METRIC_LINE =
  "        999                         branch_efficiency                         Branch Efficiency     100.00%     100.00%     100.00%";
const EVENT_LINE =
  "          1                                    branch          12          12          12          12";
const COPY_LINE =
  "347.74ms  169.24us                    -               -         -         -         -  256.00KB  1.4426GB/s    Pageable      Device  GeForce GT 1030         1         7  [CUDA memcpy HtoD]";

const v100 = new Gpu("v100", { memoryBytes: 1 << 20 });

const store: Kernel = kernel("store", { params: { data: ptr(i32) } }, ({ data }, { threadIdx, blockIdx, blockDim }) => {
  data[blockIdx.x * blockDim.x + threadIdx.x] = 1;
});
const double: Kernel = kernel(
  "double",
  { params: { data: ptr(i32) } },
  ({ data }, { threadIdx, blockIdx, blockDim }) => {
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] *= 2;
  },
);
const vectors: Kernel = kernel("vectors", { params: { to: ptr(float4), n: i32 } }, ({ to, n }, { threadIdx }) => {
  if (threadIdx.x < n) to[threadIdx.x]!.x = 1;
});

function session(gpu: Gpu): void {
  const data = gpu.upload(new Int32Array(65536));
  gpu.launch(store, { grid: 256, block: 256 }, { data });
  gpu.launch(double, { grid: 64, block: 128 }, { data });
  gpu.launch(double, { grid: 256, block: 256 }, { data });
  data.read();
  data.free();
}

const lines = (text: string): readonly string[] => text.split("\n");
/** Where the columns of a line end. */
const ends = (line: string): readonly number[] => [...line.matchAll(/\S(?= {2,}|$)/g)].map(({ index }) => index);

describe("nvprof's summary", () => {
  const text = nvprof(() => session(v100));
  it("has its head, copies and kernels by time, and the API calls by number", () => {
    expect(text).toContain(SUMMARY);
    const shown = lines(text).slice(lines(text).indexOf(SUMMARY) + 1);
    const names = shown.map((line) => line.slice(SUMMARY.length - "Name".length));
    expect(names.slice(0, 4)).toEqual(["[CUDA memcpy HtoD]", "[CUDA memcpy DtoH]", "double(int*)", "store(int*)"]);
    expect(shown[0]).toMatch(/^ GPU activities: {2,3}\d+\.\d\d% {2}\d\d\.\d{3}us {9}1 {2}/);
    expect(shown[2]).toMatch(/^ {17}\s*\d\.\d\d% {2}\d\.\d{4}us {9}2 {2}/);
    expect(shown.slice(4, 6).map((line) => line.trim())).toEqual([
      expect.stringMatching(/^API calls: .* 3 .*cudaLaunchKernel$/),
      expect.stringMatching(/ 2 .*cudaMemcpy$/),
    ]);
  });
  it("shares 100 % of the time of kernels and copies, and says that it is predicted", () => {
    const shares = [...text.matchAll(/(\d+\.\d\d)%/g)].map(([, share]) => Number(share));
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(100, 1);
    expect(text).toContain("Times of kernels and copies are predicted.");
  });
  it("is one line a name as CSV, with units below the head", () => {
    const csv = lines(nvprof(() => session(v100), { csv: true }));
    expect(csv).toContain('"Type","Time(%)","Time","Calls","Avg","Min","Max","Name"');
    expect(csv.filter((line) => line.startsWith('"GPU activities"'))).toHaveLength(4);
    expect(csv.find((line) => line.endsWith('"[CUDA memcpy HtoD]"'))).toMatch(/^"GPU activities",[\d.]+,[\d.]+,1,/);
  });
});

describe("nvprof's traces", () => {
  it("of the GPU line up as nvprof's do", () => {
    const text = lines(nvprof(() => session(v100), { mode: "gpu-trace" }));
    expect(text).toContain(GPU_TRACE);
    const copy = text.find((line) => line.endsWith("[CUDA memcpy HtoD]"))!;
    expect(ends(copy)).toEqual(ends(COPY_LINE));
    expect(copy).toContain("256.00KB");
    expect(text.find((line) => line.endsWith("store(int*) [2]") || line.endsWith("store(int*) [3]"))).toMatch(
      /\(256 1 1\) {7}\(256 1 1\) +\d+ +0B +0B/,
    );
  });
  it("of the API have a call for each allocation, copy and launch, without times", () => {
    const text = lines(nvprof(() => session(v100), { mode: "api-trace" }));
    const at = text.indexOf("   Start  Duration  Name");
    expect(text.slice(at + 1, at + 4)).toEqual([
      "       -         -  cudaMalloc",
      "       -         -  cudaMemcpy",
      "       -         -  cudaLaunchKernel (store(int*) [3])",
    ]);
  });
  it("as CSV has nvprof's fields", () => {
    const text = nvprof(() => session(v100), { mode: "gpu-trace", csv: true });
    expect(text).toContain(
      '"Start","Duration","Grid X","Grid Y","Grid Z","Block X","Block Y","Block Z","Registers Per Thread","Static SMem","Dynamic SMem","Size","Throughput","SrcMemType","DstMemType","Device","Context","Stream","Name","Correlation_ID"',
    );
    expect(text).toMatch(/^[\d.]+,[\d.]+,256,1,1,256,1,1,\d+,0,0,,,,,"[^"]+ \(0\)","1","7","store\(int\*\) \[3\]",3$/m);
  });
});

describe("nvprof's metrics and events", () => {
  it("line up as nvprof's do, by kernel in the order of names", () => {
    const text = lines(nvprof(() => session(v100), { metrics: ["branch_efficiency", "gst_efficiency"] }));
    expect(text).toContain(METRICS);
    const kernels = text.filter((line) => line.startsWith("    Kernel: "));
    expect(kernels).toEqual(["    Kernel: double(int*)", "    Kernel: store(int*)"]);
    const line = text.find((each) => each.includes("branch_efficiency"))!;
    expect(line.replace("          2", "        999")).toBe(METRIC_LINE);
  });
  it("have a wider description where the longest needs it", () => {
    const text = nvprof(() => session(v100), {
      metrics: "shared_load_transactions,shared_load_transactions_per_request",
    });
    // "Shared Memory Load Transactions Per Request" has 43 letters, 13 more than nvprof's narrowest column was read with.
    expect(lines(text)).toContain(WIDE_METRICS);
    expect(text).toContain(
      "n/a: shared_load_transactions_per_request of store(int*): the kernel loads nothing from shared",
    );
  });
  it("have events with their total", () => {
    const text = lines(nvprof(() => session(v100), { events: "warps_launched" }));
    expect(text).toContain(EVENTS);
    const line = text.find((each) => each.includes("warps_launched") && each.includes("2304"))!;
    expect(ends(line)).toEqual(ends(EVENT_LINE));
    expect(line.trim().split(/ {2,}/)).toEqual(["2", "warps_launched", "256", "2048", "1152", "2304"]);
  });
  it("go a line a launch with the GPU trace, and as CSV", () => {
    const trace = nvprof(() => session(v100), { mode: "gpu-trace", events: "warps_launched" });
    expect(trace).toMatch(/double\(int\*\) \[4\] +256$/m);
    const csv = nvprof(() => session(v100), { metrics: "gst_efficiency", csv: true });
    expect(csv).toContain('"Device","Kernel","Invocations","Metric Name","Metric Description","Min","Max","Avg"');
    expect(csv).toMatch(
      /"store\(int\*\)",1,"gst_efficiency","Global Memory Store Efficiency",100.000000%,100.000000%,100.000000%/,
    );
  });
  it("have Nsight Compute's names on GPUs that nvprof does not support, and say so", () => {
    const h200 = new Gpu("h200", { memoryBytes: 1 << 20 });
    const text = nvprof(() => session(h200), { metrics: "gst_efficiency" });
    expect(text).toContain("Warning: nvprof does not support NVIDIA H200");
    expect(text).toContain("smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct");
  });
  it("have Nsight Compute's units there: percent of the most warps, lanes of a warp", () => {
    const h200 = new Gpu("h200", { memoryBytes: 1 << 20 });
    const metrics = "achieved_occupancy,warp_execution_efficiency";
    const text = nvprof(() => session(h200), { metrics });
    expect(text).toMatch(/sm__warps_active\.avg\.pct_of_peak_sustained_active .*\d\d\.\d\d%\n/);
    // All 32 lanes of a warp take part.
    expect(text).toMatch(/smsp__thread_inst_executed_per_inst_executed\.ratio .* 32\.000000\n/);
    const trace = nvprof(() => session(h200), { metrics, mode: "gpu-trace" });
    expect(trace).toMatch(/store\(int\*\) \[3\].*\d%.* 32\.000000$/m);
  });
  it("are refused with the nearest names before anything runs", () => {
    let ran = false;
    const work = (): void => {
      ran = true;
    };
    expect(() => nvprof(work, { metrics: "achieved_occupanci" })).toThrow(/Did you mean achieved_occupancy/);
    expect(() => nvprof(work, { events: "gld_efficiency" })).toThrow(/is a metric/);
    expect(() => nvprof(work, { metric: "ipc" } as object)).toThrow(/Did you mean metrics/);
    expect(ran).toBe(false);
  });
  it("say that there are none where nothing was launched", () => {
    expect(nvprof(() => undefined, { metrics: "ipc" })).toContain("No kernels were profiled.");
  });
  it("name parameters as C++ does", () => {
    const to = v100.alloc(float4, 32);
    expect(nvprof(() => v100.launch(vectors, { grid: 1, block: 32 }, { to, n: 32 }))).toContain(
      "vectors(float4*, int)",
    );
  });
});

describe("recording", () => {
  it("ends with the callback, also where that throws, and may be nested", () => {
    const data = v100.alloc(i32, 256);
    const launch = (): unknown => v100.launch(store, { grid: 1, block: 256 }, { data });
    expect(() =>
      nvprof(() => {
        throw new Error("mine");
      }),
    ).toThrow("mine");
    let inner = "";
    const outer = nvprof(() => {
      inner = nvprof(launch, { events: "sm_cta_launched" });
      launch();
    });
    expect(inner).toMatch(/ {10}1 +sm_cta_launched +1 +1 +1 +1$/m);
    expect(outer).toMatch(/ 2 .*store\(int\*\)$/m);
  });
});
