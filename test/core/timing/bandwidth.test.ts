import { describe, expect, it } from "vitest";
import { devices } from "../../../src/core/device/index.js";
import type { DeviceSpec } from "../../../src/core/device/spec.js";
import { predictLaunch } from "../../../src/core/timing/index.js";
import { assemble } from "../engine/assembler.js";
import { Buffers, traceLaunch } from "./traced-launch.js";

const buffers = new Buffers(560);
const input = buffers.allocate(256 << 20);
const output = buffers.allocate(256 << 20);
const VALUES = 2 ** 26;

/** Each thread writes one of `n` values. */
const write = assemble(`
  param in ptr i32
  param out ptr i32
  param n i32
  b = mul.i32 blockIdx.x, blockDim.x
  i = add.i32 b, threadIdx.x
  p = setp.lt.i32 i, n
  @p a = addr out[i]
  @p st.i32 out[a], i
`);

/** Each thread copies one of `n` values. */
const copy = assemble(`
  param in ptr i32
  param out ptr i32
  param n i32
  b = mul.i32 blockIdx.x, blockDim.x
  i = add.i32 b, threadIdx.x
  p = setp.lt.i32 i, n
  @p a = addr in[i]
  @p v = ld.i32 in[a]
  @p c = addr out[i]
  @p st.i32 out[c], v
`);

function gigabytesPerSecond(device: DeviceSpec, program: typeof write, bytesAValue: number, threads: number): number {
  const shape = {
    program: { ...program, registersPerThread: 16 },
    grid: [Math.ceil(VALUES / threads), 1, 1],
    block: [threads, 1, 1],
    dynamicSharedBytes: 0,
    args: [input, output, VALUES],
    memory: buffers.memory,
  } as const;
  const time = predictLaunch({ ...shape, device, traces: traceLaunch(shape), cacheState: "warm" });
  return (VALUES * bytesAValue) / (time.timeMs * 1e6);
}

describe.each(devices.map((device) => [device.id, device] as const))("on %s", (_id, device) => {
  const { peakBandwidthGBps, achievableWriteFraction, achievableReadFraction } = device.dram;
  // Lines that are still in L2 at the end have not been written to DRAM.
  const keptInL2 = VALUES * 4 - device.l2.sizeBytes;

  it.each([256, 768])(
    "data of which L2 holds little are written no faster than DRAM takes them, blocks of %i",
    (threads) => {
      const written = gigabytesPerSecond(device, write, 4, threads) * (keptInL2 / (VALUES * 4));
      expect(written).toBeLessThan(peakBandwidthGBps * achievableWriteFraction);
    },
  );

  it.each([256, 768])("a copy is no faster than DRAM, blocks of %i", (threads) => {
    const copied = gigabytesPerSecond(device, copy, 8, threads) * ((keptInL2 + VALUES * 4) / (VALUES * 8));
    expect(copied).toBeLessThan(peakBandwidthGBps * Math.max(achievableReadFraction, achievableWriteFraction));
  });
});
