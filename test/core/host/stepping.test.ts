/** Stepping through a block as a learner does, by the public words. */
import { beforeEach, describe, expect, it } from "vitest";
import { RAW_COUNTER_ARRAYS } from "../../../src/core/engine/engine.js";
import { atomicExch, blockIdx, f32, Gpu, i32, kernel, type LaunchStepper, ptr, volatile } from "../../../src/index.js";

const gpus = ["m2070", "v100", "h200"].map((id) => new Gpu(id, { memoryBytes: 1 << 20 }));

const sum = kernel(
  "sum",
  { params: { input: ptr(i32), output: ptr(i32) } },
  ({ input, output }, { threadIdx, blockIdx, blockDim, shared, syncthreads, i32 }) => {
    const sdata = shared(i32, 64);
    const tid = threadIdx.x;
    sdata[tid] = input[blockIdx.x * blockDim.x + tid];
    syncthreads();
    for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
      if (tid < s) sdata[tid] += sdata[tid + s];
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = sdata[0];
  },
);

/** Everything a learner can see. */
function snapshot(stepper: LaunchStepper, memory: Int32Array): string {
  return JSON.stringify({
    position: stepper.position === null ? null : { ...stepper.position, instruction: null, source: null },
    warps: stepper.warps,
    registers: [0, 1].map((warp) => stepper.registers(warp, true).map(({ values }) => values.map(String))),
    shared: stepper.sharedNames.map((name) => [...stepper.shared(name)].map(String)),
    printed: stepper.printed,
    counters: RAW_COUNTER_ARRAYS.map((name) => [...stepper.counters[name]]),
    memory: [...memory],
  });
}

describe.each(gpus.map((gpu) => [gpu.device.id, gpu] as const))("stepping on %s", (_, gpu) => {
  beforeEach(() => gpu.reset());
  const start = (): { readonly stepper: LaunchStepper; readonly read: () => Int32Array } => {
    const input = gpu.upload(Int32Array.from({ length: 128 }, (_, i) => i + 1));
    const output = gpu.alloc(i32, 2);
    return {
      stepper: gpu.step(sum, { grid: 2, block: 64 }, { input, output }, { block: 1 }),
      read: () => output.read(),
    };
  };

  it("ends with the block's result in memory, and with the others' places untouched", () => {
    const { stepper, read } = start();
    while (stepper.step());
    expect(stepper.position).toBeNull();
    expect([...read()]).toEqual([0, (65 + 128) * 32]);
  });

  it("goes back through exactly the states it came through, memory too", () => {
    const { stepper, read } = start();
    const states = [snapshot(stepper, read())];
    while (stepper.step()) states.push(snapshot(stepper, read()));
    states.pop();
    while (stepper.back()) expect(snapshot(stepper, read())).toBe(states.pop());
    expect(stepper.steps).toBe(0);
    expect(states).toEqual([]);
  });

  it("shows the shared array half as long at each round of the sum", () => {
    const { stepper } = start();
    const sums: number[] = [];
    while (stepper.step()) {
      const sdata = stepper.shared("sdata") as Int32Array;
      if (sdata[0] !== sums.at(-1)) sums.push(sdata[0] ?? 0);
    }
    // 65; then the sums of 2, 4 ... 64 values that stand 64/2, 64/4 ... apart.
    const expected = [1, 2, 4, 8, 16, 32, 64].map((count) =>
      Array.from({ length: count }, (_, k) => 65 + (64 / count) * k).reduce((a, b) => a + b, 0),
    );
    expect(sums.filter((value) => value !== 0)).toEqual(expected);
  });

  it("shows variables by name, the source line, and unsigned masks", () => {
    const { stepper } = start();
    const lines = new Set<string>();
    const masks = new Set<number>();
    while (stepper.position !== null) {
      lines.add(stepper.sourceLine);
      masks.add(stepper.position.guardMask);
      stepper.step();
    }
    expect([...lines].some((line) => line.startsWith("if (tid < s) sdata[tid] +="))).toBe(true);
    expect(Math.max(...masks)).toBe(0xffffffff);
    // The last rounds act in 16, 8, 4, 2 lanes and in one.
    for (const count of [16, 8, 4, 2, 1]) expect(masks, `${count} lanes`).toContain(2 ** count - 1);
    while (stepper.back());
    while (stepper.step()) {
      if (!stepper.registers(1).some(({ name }) => name === "tid")) continue;
      if (stepper.steps > 40) break;
    }
    expect(stepper.register("tid", 1)).toEqual(Array.from({ length: 32 }, (_, lane) => 32 + lane));
  });

  it("steps by source lines too", () => {
    const { stepper } = start();
    const lines: number[] = [];
    do lines.push(stepper.position?.line ?? 0);
    while (stepper.stepLine());
    expect(lines.every((line, i) => i === 0 || line > 0)).toBe(true);
    expect(lines.length).toBeLessThan(200);
  });
});

describe("stepping", () => {
  const gpu = gpus[2] as Gpu;

  it("shows both sides of a branch, one after the other, with their lanes", () => {
    const sides = kernel("sides", { params: { out: ptr(f32) } }, ({ out }, { threadIdx, sinf, cosf, f32 }) => {
      const lane = threadIdx.x;
      if (lane < 10) {
        for (let i = 0; i < lane; i++) out[lane] += sinf(f32(i));
      } else {
        for (let i = lane; i < 40; i++) out[lane] -= cosf(f32(i));
      }
    });
    const stepper = gpu.step(sides, { grid: 1, block: 32 }, { out: gpu.alloc(f32, 32) });
    const seen = new Set<number>();
    while (stepper.position !== null) {
      for (const { mask } of stepper.warps[0]?.groups ?? []) seen.add(mask);
      stepper.step();
    }
    expect(seen).toContain(0x3ff);
    expect(seen).toContain(0xfffffc00);
  });

  it("runs a chosen warp alone and the others as barriers ask", () => {
    const [input, output] = [gpu.upload(new Int32Array(64).fill(1)), gpu.alloc(i32, 1)];
    const stepper = gpu.step(sum, { grid: 1, block: 64 }, { input, output }, { warp: 1 });
    while (stepper.position !== null) {
      expect(stepper.position.warp).toBe(1);
      stepper.step();
    }
    expect([...output.read()]).toEqual([64]);
  });

  it("shows what the next instruction reads: a store's addresses and values, a lane each", () => {
    const store = kernel("store", { params: { out: ptr(i32) } }, ({ out }, { threadIdx, i32 }) => {
      out[threadIdx.x] = i32(threadIdx.x) * 3;
    });
    const out = gpu.alloc(i32, 32);
    const stepper = gpu.step(store, { grid: 1, block: 32 }, { out });
    while (stepper.position?.instruction.op !== "st") stepper.step();
    const offset = stepper.position.instruction.offset ?? 0;
    const lanes = Array.from({ length: 32 }, (_, lane) => lane);
    expect(stepper.operand(0).map((address) => Number(address) + offset)).toEqual(
      lanes.map((lane) => out.address + 4 * lane),
    );
    expect(stepper.operand(1)).toEqual(lanes.map((lane) => 3 * lane));
    expect(stepper.operand(2)).toEqual([]);
    while (stepper.step());
    expect(stepper.operand(0)).toEqual([]);
  });

  it("forgets its steps where it is told to, and ends with the same", () => {
    const [input, output] = [gpu.upload(new Int32Array(64).fill(1)), gpu.alloc(i32, 1)];
    const stepper = gpu.step(sum, { grid: 1, block: 64 }, { input, output }, { history: false });
    while (stepper.step());
    expect(stepper.back()).toBe(false);
    expect([...output.read()]).toEqual([64]);
  });

  it.each([1, 31, 32, 33, 63])("passes the barriers of a block of %i threads", (block) => {
    const [input, output] = [gpu.upload(new Int32Array(block).fill(1)), gpu.alloc(i32, 1)];
    const counted = kernel("counted", { params: { input: ptr(i32), output: ptr(i32) } }, (a, c) => {
      const own = a.input[c.threadIdx.x];
      const ones = c.syncthreadsCount(own === 1);
      if (c.threadIdx.x === 0) a.output[0] = ones;
    });
    const stepper = gpu.step(counted, { grid: 1, block }, { input, output });
    while (stepper.step());
    expect([...output.read()]).toEqual([block]);
    gpu.launch(counted, { grid: 1, block, schedule: { seed: 1 } }, { input, output: output.fill(0) });
    expect([...output.read()]).toEqual([block]);
  });

  it("names what there is where a name is wrong, and refuses a block that is none", () => {
    const args = { input: gpu.upload(new Int32Array(64)), output: gpu.alloc(i32, 1) };
    const stepper = gpu.step(sum, { grid: 1, block: 64 }, args);
    expect(() => stepper.shared("tile")).toThrow("sdata");
    expect(() => stepper.register("nobody")).toThrow("tid");
    expect(() => gpu.step(sum, { grid: 1, block: 64 }, args, { block: 1 })).toThrow("no block 1");
    expect(() => gpu.step(sum, { grid: 1, block: 64 }, args, { warp: 2 })).toThrow("no warp 2");
    expect(() => gpu.step(sum, { grid: 1, block: 2048 }, args)).toThrow("cudaErrorInvalidConfiguration");
  });

  it("leaves a fault's state as it was before it", () => {
    const [input, output] = [gpu.upload(new Int32Array(10)), gpu.alloc(i32, 1)];
    const stepper = gpu.step(sum, { grid: 1, block: 64 }, { input, output });
    expect(() => {
      while (stepper.step());
    }).toThrow("reads input[10]");
    expect(stepper.sourceLine).toContain("sdata[tid] = input[");
    expect(stepper.back()).toBe(true);
  });

  it("says of a block that waits for another one that no other runs, and goes on once the value is there", () => {
    const waits = kernel("waits", { o: ptr(i32), flag: ptr(i32) }, ({ o, flag }) => {
      if (blockIdx.x === 0) {
        const seen = volatile(flag);
        while (seen[0] === 0) {}
        o[0] = 7;
      } else atomicExch(flag, 0, 1);
    });
    const [o, flag] = [gpu.alloc(i32, 1), gpu.alloc(i32, 1)];
    const through = (block: number): void => {
      const stepper = gpu.step(waits, { grid: 2, block: 1 }, { o, flag }, { block });
      while (stepper.step());
    };
    expect(() => through(0)).toThrow("no other block of the grid runs while this one is stepped through");
    expect(() => through(0)).toThrow("step through the block that writes it first");
    through(1);
    through(0);
    expect(o.read()[0]).toBe(7);
  });
});
