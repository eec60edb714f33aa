/** A launch of a kernel that needs more registers than a Fermi GPU gives a thread, through the package's own words. */
import { describe, expect, it } from "vitest";
import {
  blockDim,
  blockIdx,
  event,
  Gpu,
  i32,
  kernel,
  local,
  ptr,
  ptxasReport,
  sanitize,
  syncthreads,
  threadIdx,
  unroll,
} from "../../../src/index.js";

const THREADS = 128;
const ROUNDS = 4;
const LIVE = 70;

const mixed = kernel("mixed", { data: ptr(i32), rounds: i32, n: i32 }, ({ data, rounds, n }) => {
  const i = i32(blockIdx.x * blockDim.x + threadIdx.x);
  const v = local(i32, 70);
  for (let k = 0; k < 70; k++) {
    unroll();
    v[k] = data[k * n + i];
  }
  for (let r = 0; r < rounds; r++) {
    for (let k = 0; k < 70; k++) {
      unroll();
      v[k] = v[k] * 3 + v[(k + 1) % 70];
    }
    syncthreads();
  }
  for (let k = 0; k < 70; k++) {
    unroll();
    data[k * n + i] = v[k];
  }
});

const start = (): Int32Array => Int32Array.from({ length: LIVE * THREADS }, (_, at) => (at * 7919) % 1009);

function expected(): Int32Array {
  const data = start();
  for (let t = 0; t < THREADS; t++) {
    for (let r = 0; r < ROUNDS; r++) {
      for (let k = 0; k < LIVE; k++) {
        data[k * THREADS + t] = Math.imul(data[k * THREADS + t]!, 3) + data[((k + 1) % LIVE) * THREADS + t]!;
      }
    }
  }
  return data;
}

function launch(options: object = {}) {
  const gpu = new Gpu("m2070");
  const data = gpu.upload(start());
  const result = gpu.launch(mixed, { grid: 2, block: 64, ...options }, { data, rounds: ROUNDS, n: THREADS });
  return { result, data: data.read() };
}

describe("a kernel of 70 live values on a Tesla M2070, which has 63 registers for a thread", () => {
  it.each([{}, { debug: true }, { schedule: { seed: 3 } }])("computes what JavaScript does with %o", (options) => {
    const { result, data } = launch(options);
    expect(data).toEqual(expected());
    expect(result.registersPerThread).toBeLessThanOrEqual(63);
  });

  it("has the spills in the report, in the profiler's counts, and in its time", () => {
    const report = ptxasReport(mixed, { device: "m2070" });
    expect(report.spillStoreBytes).toBeGreaterThan(0);
    expect(report.registers).toBe(63);
    expect(report.stackFrameBytes).toBeGreaterThanOrEqual(4 * (LIVE - 63));
    const { result } = launch();
    // Each of 4 warps runs the code's stores, of 4 or 8 bytes, once, or once a round.
    const stores = Number(event(result, "local_store").value);
    expect(stores).toBeGreaterThanOrEqual((4 * report.spillStoreBytes) / 8);
    expect(stores).toBeLessThanOrEqual((4 * report.spillStoreBytes * ROUNDS) / 4);
    // L1 is asked for the spilled values too.
    expect(result.time.l1HitRatePercent).toBeGreaterThan(0);
  });

  it("is clean for the sanitizer's tools", () => {
    expect(sanitize(() => launch(), { tool: "memcheck" }).errors).toBe(0);
    expect(sanitize(() => launch(), { tool: "racecheck" }).errors).toBe(0);
    expect(sanitize(() => launch(), { tool: "initcheck" }).errors).toBe(0);
  });

  it("can be stepped forwards and backwards", () => {
    const gpu = new Gpu("m2070");
    const data = gpu.upload(start());
    const stepper = gpu.step(mixed, { grid: 2, block: 64 }, { data, rounds: ROUNDS, n: THREADS });
    while (stepper.step());
    for (let back = 0; back < 500; back++) stepper.back();
    while (stepper.step());
    const columns = (all: ArrayLike<number>): number[] => Array.from(all).filter((_, at) => at % THREADS < 64);
    expect(columns(data.read())).toEqual(columns(expected()));
  });

  it("needs none of them on a V100, but 1024 threads of its registers are refused there", () => {
    const report = ptxasReport(mixed, { device: "v100" });
    expect(report.spillStoreBytes).toBe(0);
    expect(report.registers).toBeGreaterThan(63);
    const gpu = new Gpu("v100");
    const data = gpu.alloc(i32, LIVE * 1024);
    expect(() => gpu.launch(mixed, { grid: 1, block: 1024 }, { data, rounds: 1, n: 1024 })).toThrow(
      /too many resources requested for launch/,
    );
  });
});
