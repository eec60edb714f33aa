/** A stream trace as data, text, figure, Perfetto's JSON and nvprof's GPU trace. */
import { describe, expect, it } from "vitest";
import { h200, modifyDevice } from "../../../../src/core/device/index.js";
import { i32, type Kernel, kernel, ptr } from "../../../../src/core/frontend/index.js";
import { Gpu } from "../../../../src/core/host/gpu.js";
import { nvprof } from "../../../../src/core/profiler/nvprof/nvprof.js";
import { toPerfetto } from "../../../../src/core/profiler/perfetto.js";
import { streamsText } from "../../../../src/core/profiler/streams-text.js";
import { streamsFigure } from "../../../../src/core/show/figures/streams-figure.js";
import { toSvg } from "../../../../src/core/show/output/svg.js";

const add: Kernel = kernel("add", { params: { data: ptr(i32) } }, ({ data }, { threadIdx, blockIdx, blockDim }) => {
  data[blockIdx.x * blockDim.x + threadIdx.x] += 1;
});

const N = 1 << 16;

/** Two streams with a copy, a kernel and a copy back each, and a memset before in the default stream. */
function session(gpu: Gpu, pageable: boolean = false): void {
  const data = gpu.alloc(i32, 2 * N);
  const host = pageable ? new Int32Array(2 * N) : gpu.hostAlloc(i32, 2 * N);
  data.fill(0);
  for (const i of [0, 1]) {
    const stream = gpu.stream();
    const part = data.sub(i * N, N);
    stream.write(part, host.subarray(i * N, (i + 1) * N));
    stream.launch(add, { grid: N / 256, block: 256 }, { data: part });
    stream.read(part, host.subarray(i * N, (i + 1) * N));
  }
  gpu.synchronize();
}

const traced = (pageable: boolean = false) => {
  const gpu = new Gpu("h200", { memoryBytes: 1 << 22 });
  gpu.event();
  session(gpu, pageable);
  return gpu.trace();
};

describe("a stream trace", () => {
  it("has each operation once, within its stream one after the other", () => {
    const { operations } = traced();
    expect(operations.map(({ kind }) => kind)).toEqual(["memset", "HtoD", "kernel", "DtoH", "HtoD", "kernel", "DtoH"]);
    for (const number of [1, 2]) {
      const own = operations.filter(({ stream }) => stream.number === number);
      for (const [i, each] of own.entries()) {
        if (i > 0) expect(each.startMicroseconds).toBeGreaterThanOrEqual(own[i - 1]!.endMicroseconds);
      }
    }
  });

  it("prints in 60 columns, with a row an engine and a row a stream", () => {
    const text = streamsText(traced());
    const lines = text.split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
    for (const name of ["copies HtoD", "SMs", "copies DtoH", "default stream", "stream 1", "stream 2"]) {
      expect(lines.some((line) => line.startsWith(`${name} `))).toBe(true);
    }
    expect(lines.find((line) => line.startsWith("stream 1"))).toMatch(/>+\.*#+\.*<+/);
    expect(text).not.toContain("The host waited");
  });

  it("says for which asynchronous copies the host waited", () => {
    expect(streamsText(traced(true)).replaceAll("\n", " ")).toContain(
      "The host waited for 4 asynchronous copies: of pageable memory. Use gpu.hostAlloc for page-locked memory.",
    );
  });

  it("is drawn with a bar an operation in two rows, and has an alternative text with its times", () => {
    const trace = traced();
    const figure = streamsFigure(trace);
    const bars = figure.data.flatMap(({ x }) => x.filter((each) => each === null));
    expect(bars).toHaveLength(2 * trace.operations.length);
    expect(figure.alt).toContain("7 operations of streams on NVIDIA H200, predicted");
    expect(toSvg(figure)).toContain("stream 2");
  });

  it("opens in Perfetto with its microseconds, by engine and by stream", () => {
    const trace = traced();
    const { traceEvents } = JSON.parse(toPerfetto(trace)) as { traceEvents: { ph: string; ts: number; dur: number }[] };
    const slices = traceEvents.filter(({ ph }) => ph === "X");
    expect(slices).toHaveLength(2 * trace.operations.length);
    expect(Math.max(...slices.map(({ ts, dur }) => ts + dur))).toBeCloseTo(
      Math.max(...trace.operations.map(({ endMicroseconds }) => endMicroseconds)),
      6,
    );
  });

  it("begins again after a restart, and an empty one is named", () => {
    const gpu = new Gpu("h200", { memoryBytes: 1 << 22 });
    gpu.event();
    session(gpu);
    expect(gpu.trace({ restart: true }).operations).toHaveLength(7);
    expect(() => streamsText(gpu.trace())).toThrow("This trace has no operations.");
  });
});

describe("nvprof's GPU trace", () => {
  const lines = nvprof(() => session(new Gpu("v100", { memoryBytes: 1 << 22 })), { mode: "gpu-trace", csv: true })
    .split("\n")
    .filter((line) => /^[\d.]+,/.test(line))
    .map((line) => line.split(","));
  it("has starts in each stream in order, and streams by nvprof's numbers: 7, then from 13 on", () => {
    expect(lines.map((cells) => cells.at(-3))).toEqual(["7", "13", "13", "13", "14", "14", "14"].map((n) => `"${n}"`));
    const starts = lines.map(([start]) => Number(start));
    expect(starts[2]).toBeGreaterThan(starts[1]!);
    expect(starts[4]).toBeLessThan(starts[3]! + 1000);
  });
  it("names page-locked memory, and the throughput that follows from size and duration", () => {
    const copy = lines[1]!;
    expect(copy.slice(13, 15)).toEqual(['"Pinned"', '"Device"']);
    expect(Number(copy[12])).toBeCloseTo((N * 4) / (Number(copy[1]) * 1e3), 5);
  });
  it("names the calls of streams and events in the API trace", () => {
    const gpu = new Gpu("v100", { memoryBytes: 1 << 22 });
    const text = nvprof(
      () => {
        const stream = gpu.stream();
        const event = gpu.event();
        stream.wait(event.record(stream));
        event.synchronize();
        stream.synchronize();
        stream.fill(gpu.alloc(i32, 4), 0);
        stream.destroy();
      },
      { mode: "api-trace" },
    );
    const names = [...text.matchAll(/cuda\w+/g)].map(([name]) => name);
    expect(names).toEqual([
      "cudaStreamCreate",
      "cudaEventCreate",
      "cudaEventRecord",
      "cudaStreamWaitEvent",
      "cudaEventSynchronize",
      "cudaStreamSynchronize",
      "cudaMalloc",
      "cudaMemsetAsync",
      "cudaStreamDestroy",
    ]);
  });
});

describe("an allocation between two streams' kernels", () => {
  const gap = (device: typeof h200 | string, between: (gpu: Gpu) => unknown): number => {
    const gpu = new Gpu(device, { memoryBytes: 1 << 22 });
    const [a, b] = [gpu.stream(), gpu.stream()];
    const data = [gpu.alloc(i32, N), gpu.alloc(i32, N)];
    a.write(data[0]!, gpu.hostAlloc(i32, N));
    a.launch(add, { grid: 4, block: 256 }, { data: data[0]! });
    between(gpu);
    b.launch(add, { grid: 4, block: 256 }, { data: data[1]! });
    const { operations } = gpu.trace();
    return operations.at(-1)!.startMicroseconds - operations.at(-2)!.endMicroseconds;
  };
  it("keeps them apart by the Programming Guide's rule, but not on an H200, as measured", () => {
    for (const between of [(gpu: Gpu) => gpu.alloc(i32, 4), (gpu: Gpu) => gpu.hostAlloc(i32, 4)]) {
      expect(gap("v100", between)).toBeGreaterThanOrEqual(0);
      expect(gap("h200", between)).toBeLessThan(0);
    }
    expect(
      gap(modifyDevice(h200, { transfers: { allocationsWait: true } }), (gpu) => gpu.alloc(i32, 4)),
    ).toBeGreaterThanOrEqual(0);
  });
  it("is no matter where memory is freed: the host waits, as measured", () => {
    const spare = (gpu: Gpu): unknown => gpu.alloc(i32, 4).free();
    expect(gap("h200", spare)).toBeGreaterThanOrEqual(0);
  });
});
