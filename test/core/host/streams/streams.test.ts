/** Streams, events and copies of a Gpu: what a CUDA program sees of them. */
import { describe, expect, it } from "vitest";
import { h200, modifyDevice } from "../../../../src/core/device/index.js";
import { f32, float4, i32, type Kernel, kernel, ptr } from "../../../../src/core/frontend/index.js";
import { Gpu } from "../../../../src/core/host/gpu.js";
import { sanitize } from "../../../../src/core/sanitizer/sanitize.js";

const add: Kernel = kernel(
  "add",
  { params: { data: ptr(i32), n: i32 } },
  ({ data, n }, { threadIdx, blockIdx, blockDim }) => {
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += 1;
  },
);
const launch = { grid: 64, block: 256 } as const;
const N = 64 * 256;

const gpuOf = (device: string | typeof h200 = "h200", options: ConstructorParameters<typeof Gpu>[1] = {}): Gpu =>
  new Gpu(device, { memoryBytes: 1 << 22, ...options });

describe("a stream", () => {
  it("copies, launches and copies back in order, into page-locked memory", () => {
    const gpu = gpuOf();
    const stream = gpu.stream();
    const data = gpu.alloc(i32, N);
    const pinned = gpu.hostAlloc(i32, N);
    pinned.fill(41);
    stream.write(data, pinned);
    stream.launch(add, launch, { data, n: N });
    expect(stream.read(data, pinned)).toBe(pinned);
    stream.synchronize();
    expect(new Set(pinned)).toEqual(new Set([42]));
  });

  it("fills, copies on the GPU and takes parts of buffers", () => {
    const gpu = gpuOf();
    const stream = gpu.stream();
    const [from, to] = [gpu.alloc(i32, 100), gpu.alloc(i32, 200)];
    stream.fill(from, 7).copy(to.sub(50, 100), from);
    const all = [...stream.read(to)];
    expect(all.slice(0, 50)).toEqual(Array(50).fill(0));
    expect(all.slice(50, 150)).toEqual(Array(100).fill(7));
    expect(all.slice(150)).toEqual(Array(50).fill(0));
  });

  it("predicts the events around one launch to be the launch's own time apart", () => {
    for (const cache of ["cold", "warm"] as const) {
      const gpu = gpuOf();
      const stream = gpu.stream();
      const data = gpu.alloc(i32, N);
      const [start, stop] = [gpu.event(), gpu.event()];
      start.record(stream);
      const { timeMs } = stream.launch(add, { ...launch, cache }, { data, n: N });
      stop.record(stream);
      stop.synchronize();
      expect(start.elapsedMs(stop)).toBeCloseTo(timeMs, 9);
    }
  });

  it("lets the host go on with page-locked memory, and wait with pageable", () => {
    const gpu = gpuOf();
    const stream = gpu.stream();
    const data = gpu.alloc(i32, 1 << 18);
    stream.write(data, gpu.hostAlloc(i32, 1 << 18));
    expect(stream.idle).toBe(false);
    stream.synchronize();
    expect(stream.idle).toBe(true);
    stream.write(data, new Int32Array(1 << 18));
    expect(stream.idle).toBe(true);
    expect(gpu.trace().pageableAsyncCopies).toBe(1);
  });
});

/** Four parts, each copied, worked on and copied back in a stream of its own. */
function pipeline(gpu: Gpu, order: "depth" | "breadth") {
  const part = 1 << 16;
  const data = gpu.alloc(i32, 4 * part);
  const pinned = gpu.hostAlloc(i32, 4 * part);
  const streams = [0, 1, 2, 3].map(() => gpu.stream());
  const stages = [
    (i: number) => streams[i]!.write(data.sub(i * part, part), pinned.subarray(i * part, (i + 1) * part)),
    (i: number) =>
      streams[i]!.launch(add, { grid: part / 256, block: 256 }, { data: data.sub(i * part, part), n: part }),
    (i: number) => streams[i]!.read(data.sub(i * part, part), pinned.subarray(i * part, (i + 1) * part)),
  ];
  if (order === "depth") for (const i of streams.keys()) for (const stage of stages) stage(i);
  else for (const stage of stages) for (const i of streams.keys()) stage(i);
  gpu.synchronize();
  return { pinned, trace: gpu.trace() };
}

describe("four streams", () => {
  it("give the right values, whatever the order of the calls", () => {
    for (const order of ["depth", "breadth"] as const) {
      expect(new Set(pipeline(gpuOf(), order).pinned)).toEqual(new Set([1]));
    }
  });

  it("take less time than one after the other, and a copy engine is never in two copies at a time", () => {
    const { trace } = pipeline(gpuOf(), "breadth");
    expect(trace.operations).toHaveLength(12);
    expect(trace.microseconds).toBeLessThan(0.75 * trace.aloneMicroseconds);
    const copies = trace.operations.filter(({ engine }) => engine === "HtoD");
    for (const [i, copy] of copies.entries()) {
      if (i > 0) expect(copy.startMicroseconds).toBeGreaterThanOrEqual(copies[i - 1]!.endMicroseconds - 1e-6);
    }
  });

  it("do not overlap copies depth first with one copy engine, as the Programming Guide says", () => {
    const one = modifyDevice(h200, { transfers: { copyEngines: 1 } });
    const { operations } = pipeline(gpuOf(one), "depth").trace;
    const streams = [1, 2, 3, 4].map((number) => operations.filter(({ stream }) => stream.number === number));
    for (const [i, own] of streams.entries()) {
      if (i === 0) continue;
      expect(own[0]!.startMicroseconds).toBeGreaterThanOrEqual(streams[i - 1]![2]!.endMicroseconds - 1e-6);
    }
  });
});

describe("the default stream", () => {
  const starts = (gpu: Gpu, nonBlocking: boolean): readonly number[] => {
    const [a, b] = [gpu.stream({ nonBlocking }), gpu.stream({ nonBlocking })];
    const data = [0, 1, 2].map(() => gpu.alloc(i32, N));
    a.launch(add, launch, { data: data[0]!, n: N });
    gpu.launch(add, launch, { data: data[1]!, n: N });
    b.launch(add, launch, { data: data[2]!, n: N });
    const { operations } = gpu.trace();
    return operations.map((each, i) => each.startMicroseconds - (operations[i - 1]?.endMicroseconds ?? 0));
  };
  const slow = modifyDevice(h200, { launch: { backToBackMicroseconds: 0.1 } });

  it("waits for blocking streams, which wait for it", () => {
    const [, second, third] = starts(gpuOf(slow), false);
    expect(second).toBeGreaterThanOrEqual(0);
    expect(third).toBeGreaterThanOrEqual(0);
  });
  it("runs beside non-blocking streams, and beside all if it is a thread's own", () => {
    for (const gaps of [starts(gpuOf(slow), true), starts(gpuOf(slow, { defaultStream: "per-thread" }), false)]) {
      expect(gaps[1]).toBeLessThan(0);
      expect(gaps[2]).toBeLessThan(0);
    }
  });
});

describe("an event", () => {
  it("orders two streams", () => {
    const gpu = gpuOf();
    const [a, b] = [gpu.stream(), gpu.stream()];
    const data = gpu.alloc(i32, N);
    a.launch(add, launch, { data, n: N });
    b.wait(gpu.event({ timing: false }).record(a));
    b.launch(add, launch, { data, n: N });
    const [first, second] = gpu.trace().operations;
    expect(second!.startMicroseconds).toBeGreaterThanOrEqual(first!.endMicroseconds);
  });
  it("is not ready before the GPU has reached it", () => {
    const gpu = gpuOf();
    const stream = gpu.stream();
    const start = gpu.event().record(stream);
    stream.write(gpu.alloc(i32, 1 << 18), gpu.hostAlloc(i32, 1 << 18));
    const stop = gpu.event().record(stream);
    expect([start.done, stop.done]).toEqual([true, false]);
    expect(() => start.elapsedMs(stop)).toThrow("cudaErrorNotReady");
    stop.synchronize();
    // 1 MiB at 55.5 GB/s, and 2.5 us.
    expect(start.elapsedMs(stop)).toBeCloseTo(0.0025 + 2 ** 20 / 55.5e6, 6);
  });
  it("without a record, without timing or of another GPU has no elapsed time", () => {
    const gpu = gpuOf();
    const recorded = gpu.event().record();
    expect(() => recorded.elapsedMs(gpu.event())).toThrow(/cudaErrorInvalidResourceHandle.*never recorded/s);
    expect(() => recorded.elapsedMs(gpu.event({ timing: false }).record())).toThrow(/without timing/);
    expect(() => recorded.elapsedMs(gpuOf().event().record())).toThrow(/another GPU/);
    expect(() => gpu.event({ timming: false } as never)).toThrow("Did you mean timing?");
  });
});

describe("wrong calls", () => {
  const gpu = gpuOf();
  const stream = gpu.stream();
  const data = gpu.alloc(i32, 100);
  it("name a destroyed stream, and one of another GPU", () => {
    const gone = gpu.stream({ name: "gone" });
    gone.destroy();
    expect(() => gone.fill(data, 0)).toThrow(/cudaErrorInvalidResourceHandle.*gone, which was destroyed/);
    expect(() => gpu.event().record(gone)).toThrow(/destroyed/);
    expect(() => gpuOf().stream().fill(data, 0)).toThrow(/another GPU/);
    expect(() => gpuOf().stream().wait(gpu.event())).toThrow(/another GPU/);
    expect(() => gpu.defaultStream.destroy()).toThrow(/default stream cannot be destroyed/);
  });
  it("name copies beyond a buffer or an array", () => {
    expect(() => stream.write(data, new Int32Array(101))).toThrow("cudaErrorInvalidValue");
    expect(() => stream.read(data, new Int32Array(99))).toThrow("cudaErrorInvalidValue");
    expect(() => stream.copy(data.sub(1), data)).toThrow("cudaErrorInvalidValue");
    expect(() => data.sub(90, 11)).toThrow("cudaErrorInvalidValue");
    expect(() => data.sub(0, 10).free()).toThrow(/part of a buffer cannot be freed/);
    expect(() => gpu.hostAlloc(i32, -1)).toThrow("cudaErrorInvalidValue");
    expect(() => gpu.allocPitch(i32, 0, 3)).toThrow("cudaErrorInvalidValue");
  });
  it("find a part of freed memory", () => {
    const whole = gpu.alloc(i32, 10);
    const part = whole.sub(2, 3);
    whole.free();
    expect(() => part.read()).toThrow("This buffer was freed.");
    expect(() => stream.launch(add, launch, { data: part, n: 3 })).toThrow(/was freed/);
  });
  it("stop a kernel that leaves the part that it was given", () => {
    const part = gpu.alloc(i32, 64).sub(32, 16);
    expect(() => stream.launch(add, { grid: 1, block: 32 }, { data: part, n: 17 })).toThrow();
  });
});

describe("a pitched buffer", () => {
  it("has rows at multiples of 512 bytes, as measured on an H200", () => {
    const gpu = gpuOf();
    const pitches = [1, 100, 512, 513, 1000, 4096, 5000].map(
      (bytes) => gpu.allocPitch(f32, Math.ceil(bytes / 4), 2).pitchBytes,
    );
    expect(pitches).toEqual([512, 512, 512, 1024, 1024, 4096, 5120]);
  });
  it("copies rows without the gaps, and gives rows to kernels", () => {
    const gpu = gpuOf();
    const image = gpu.allocPitch(i32, 5, 3);
    const values = Int32Array.from({ length: 15 }, (_, i) => i);
    image.write(values);
    gpu.stream().launch(add, { grid: 1, block: 32 }, { data: image.row(1), n: 5 });
    expect([...image.read()]).toEqual([0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 10, 11, 12, 13, 14]);
    expect([...image.buffer.sub(image.pitch, 6).read()]).toEqual([6, 7, 8, 9, 10, 0]);
    const vectors = gpu.allocPitch(float4, 3, 2);
    expect(vectors.read()).toHaveLength(24);
    expect(() => image.write(new Int32Array(14))).toThrow("cudaErrorInvalidValue");
  });
});

describe("the sanitizer", () => {
  const total: Kernel = kernel("total", { params: { data: ptr(i32), out: ptr(i32), n: i32 } }, ({ data, out, n }) => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += data[i];
    out[0] = sum;
  });
  const errors = (fill: (gpu: Gpu) => void): number => sanitize(() => fill(gpuOf()), { tool: "initcheck" }).errors;

  it("knows what copies on the GPU have written, and what was unwritten before", () => {
    const program = (written: number) => (gpu: Gpu) => {
      const [from, to, out] = [gpu.alloc(i32, 8), gpu.alloc(i32, 8), gpu.alloc(i32, 1)];
      const stream = gpu.stream();
      stream.fill(from.sub(0, written), 1).copy(to, from);
      stream.launch(total, { grid: 1, block: 1 }, { data: to, out, n: 8 });
    };
    expect(errors(program(8))).toBe(0);
    expect(errors(program(7))).toBe(1);
  });
  it("knows that the gaps between rows stay unwritten", () => {
    const program = (n: number) => (gpu: Gpu) => {
      const image = gpu.allocPitch(i32, 4, 2);
      image.write(new Int32Array(8));
      gpu.launch(total, { grid: 1, block: 1 }, { data: image.buffer, out: gpu.alloc(i32, 1), n });
    };
    expect(errors(program(4))).toBe(0);
    expect(errors(program(5))).toBe(1);
  });
});

describe("device properties", () => {
  it("are deviceQuery's of an H200 (test/reference/h200/micro/transfers.json) and of a Tesla M2070", () => {
    const { asyncEngineCount, memoryBusWidth, memoryClockRate, clockRate, warpSize } = gpuOf().properties;
    expect({ asyncEngineCount, memoryBusWidth, clockRate, warpSize }).toEqual({
      asyncEngineCount: 3,
      memoryBusWidth: 6016,
      clockRate: 1_980_000,
      warpSize: 32,
    });
    expect(Math.abs(memoryClockRate / 3_201_000 - 1)).toBeLessThan(0.001);
    const m2070 = gpuOf("m2070").properties;
    expect(m2070.multiProcessorCount).toBe(14);
    expect(m2070.clockRate).toBe(1_147_000);
    expect(m2070.maxThreadsPerMultiProcessor).toBe(1536);
    expect(m2070.memoryClockRate).toBeCloseTo(1_566_000, -4);
  });
});
