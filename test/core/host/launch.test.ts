/** What a launch promises: the same result and counters each time, in either engine, on the device as it was given. */
import { describe, expect, it } from "vitest";
import { modifyDevice } from "../../../src/core/device/index.js";
import { createRawCounters, type PreparedLaunch } from "../../../src/core/engine/engine.js";
import { fastEngine } from "../../../src/core/engine/fast/index.js";
import { createDeviceMemory } from "../../../src/core/engine/memory.js";
import { referenceEngine } from "../../../src/core/engine/reference/index.js";
import { i32, type Kernel, kernel, ptr } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import type { LaunchResult } from "../../../src/core/host/launch-result.js";
import { countEvents } from "../../../src/core/profile/counters.js";
import * as labs from "../../kernels/labs.js";
import { neighbored, unrollingBlocks4 } from "../../kernels/notes.js";
import { warpShuffleReduction } from "../../kernels/warp-examples.js";

const BLOCK = 256;
const BLOCKS = 12;
const data = Int32Array.from({ length: 4 * BLOCKS * BLOCK }, (_, i) => Math.imul(i, 0x9e3779b1));

interface Case {
  readonly kernel: Kernel;
  readonly args: "inOut" | "sized" | "temp";
  readonly sharedBytes: number;
  readonly device: string;
}

const cases: readonly Case[] = [
  { kernel: labs.divergent, args: "inOut", sharedBytes: 4 * BLOCK, device: "h200" },
  { kernel: labs.nonDivergent, args: "inOut", sharedBytes: 4 * BLOCK, device: "m2070" },
  { kernel: labs.firstAdd, args: "inOut", sharedBytes: 4 * BLOCK, device: "rtx3080" },
  { kernel: labs.lastWarp, args: "inOut", sharedBytes: 4 * BLOCK, device: "v100" },
  { kernel: warpShuffleReduction, args: "sized", sharedBytes: 0, device: "rtx4080-laptop" },
  { kernel: neighbored, args: "temp", sharedBytes: 0, device: "m2070" },
  { kernel: unrollingBlocks4, args: "temp", sharedBytes: 0, device: "v100" },
];

interface Ran {
  readonly result: LaunchResult;
  readonly output: Int32Array;
  readonly input: Int32Array;
}

function run({ kernel: launched, args, sharedBytes, device }: Case, gpu: Gpu = new Gpu(device)): Ran {
  const input = gpu.upload(data);
  const output = gpu.alloc(i32, BLOCKS);
  const length = data.length;
  const named = {
    inOut: { input, output },
    sized: { input, output, n: length },
    temp: { input, temp: output, size: length },
  }[args];
  const result = gpu.launch(launched, { grid: BLOCKS, block: BLOCK, sharedBytes }, named);
  return { result, output: output.read(), input: input.read() };
}

describe.each(cases.map((one) => [one.kernel.name, one] as const))("a launch of %s", (_, one) => {
  const first = run(one);

  it("repeated on another GPU gives the same memory, counters and time", () => {
    const second = run(one);
    expect(second.output).toEqual(first.output);
    expect(second.input).toEqual(first.input);
    expect(second.result.counters).toEqual(first.result.counters);
    expect(second.result.time).toEqual(first.result.time);
  });

  it("does not depend on where its buffers lie, nor on what was launched before", () => {
    const gpu = new Gpu(one.device);
    gpu.alloc(i32, 12_345).fill(-1);
    run(one, gpu);
    const later = run(one, gpu);
    expect(later.output).toEqual(first.output);
    expect(later.result.counters).toEqual(first.result.counters);
  });

  it("gives the same memory and counters in the reference engine and in the fast one", () => {
    const { program, grid, block, dynamicSharedBytes, device } = first.result;
    for (const engine of [referenceEngine, fastEngine]) {
      const memory = createDeviceMemory({ initialBytes: 8 << 20, maximumBytes: 8 << 20, shared: true });
      const start = memory.firstFreeAddress;
      const outputAt = start + data.byteLength;
      new Int32Array(memory.buffer, start, data.length).set(data);
      const input = { address: start, byteLength: data.byteLength };
      const output = { address: outputAt, byteLength: 4 * BLOCKS };
      const launch: PreparedLaunch = {
        program,
        grid,
        block,
        dynamicSharedBytes,
        args: one.args === "inOut" ? [input, output] : [input, output, data.length],
        memory,
        stepLimit: 1e6,
        sharedBanks: device.sharedMemory.banks,
        lockstep: device.computeCapability.major < 7,
      };
      if (engine === fastEngine) expect(fastEngine.supports(launch)).toBe(true);
      const counters = createRawCounters(program);
      engine.run(launch, { first: 0, end: BLOCKS, step: 1 }, counters);
      expect(new Int32Array(memory.buffer, outputAt, BLOCKS).slice(), engine.name).toEqual(first.output);
      expect(new Int32Array(memory.buffer, start, data.length).slice(), engine.name).toEqual(first.input);
      expect(countEvents(program, counters), engine.name).toEqual(first.result.counters);
    }
  });
});

/** Each lane reads the word `stride` words behind that of the lane before it. */
const strided: Kernel = kernel(
  "strided",
  { params: { output: ptr(i32), stride: i32 } },
  ({ output, stride }, { threadIdx, shared, syncthreads, i32 }) => {
    const words = shared(i32, 2048);
    for (let i = i32(threadIdx.x); i < 2048; i += 32) words[i] = i;
    syncthreads();
    output[threadIdx.x] = words[i32(threadIdx.x) * stride];
  },
);

describe("a modified device", () => {
  const h200 = new Gpu("h200");
  const wide = new Gpu(modifyDevice(h200.device, { sharedMemory: { banks: 64 } }));
  const narrow = new Gpu(modifyDevice(h200.device, { sharedMemory: { banks: 16 } }));
  const degree = (gpu: Gpu, stride: number): number | null => {
    const output = gpu.alloc(i32, 32);
    const { metrics } = gpu.launch(strided, { grid: 1, block: 32 }, { output, stride });
    expect([...output.read()]).toEqual(Array.from({ length: 32 }, (_, lane) => lane * stride));
    return metrics.sharedLoadConflictDegree;
  };

  it("of 64 banks halves the conflicts of strides above 1, of 16 banks doubles them", () => {
    for (const stride of [2, 4, 8, 16]) {
      expect(degree(h200, stride), `stride ${stride}`).toBe(stride);
      expect(degree(wide, stride), `stride ${stride}, 64 banks`).toBe(stride / 2);
      expect(degree(narrow, stride), `stride ${stride}, 16 banks`).toBe(Math.min(32, stride * 2));
    }
  });

  it("of 64 banks leaves other counters and the result as they are, and Lab 25's second version gets faster", () => {
    const one: Case = { kernel: labs.nonDivergent, args: "inOut", sharedBytes: 4 * BLOCK, device: "h200" };
    const [stock, more] = [h200, wide].map((gpu) => run(one, gpu));
    expect(more.output).toEqual(stock.output);
    expect(more.result.counters.warpInstructions).toBe(stock.result.counters.warpInstructions);
    expect(more.result.counters.sharedLoadBankConflicts).toBeLessThan(stock.result.counters.sharedLoadBankConflicts);
    expect(more.result.time.durationMicroseconds).toBeLessThan(stock.result.time.durationMicroseconds);
  });

  it("says in its name that it was modified", () => {
    expect(wide.device.name).toContain("modified");
  });

  it("of 12 banks, or with a field that no device has, is refused", () => {
    expect(() => modifyDevice(h200.device, { sharedMemory: { banks: 12 } })).toThrow(/banks/);
    const wrong: unknown = { sharedMemory: { bank: 64 } };
    expect(() => modifyDevice(h200.device, wrong as { smCount: number })).toThrow(/sharedMemory\.bank\./);
  });
});
