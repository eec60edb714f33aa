/**
 * Divisions against an H200 (test/reference/h200/micro/set-9.json, remChain): their time and the stall reasons of their
 * warps.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { deviceById } from "../../../../src/core/device/index.js";
import { readCuda } from "../../../../src/core/frontend/cuda/read-cuda.js";
import { lower } from "../../../../src/core/lower/lower.js";
import { dominantStall } from "../../../../src/core/timing/base/stalls.js";
import { type LaunchTime, predictLaunch } from "../../../../src/core/timing/index.js";
import { Buffers, traceLaunch } from "../traced-launch.js";

interface Row {
  readonly kernel: string;
  readonly threads: number;
  readonly blocksPerSM: number;
  readonly rounds: number;
  readonly cyclesActive: number;
  readonly stalls: Readonly<Record<string, number>>;
}

const { rows } = JSON.parse(
  readFileSync(new URL("../../../reference/h200/micro/set-9.json", import.meta.url), "utf8"),
) as {
  readonly rows: readonly Row[];
};

const text = `
__global__ void remChain(unsigned int *out, unsigned int n) {
  unsigned int x = threadIdx.x + n; unsigned int z = x * 5 + 2; unsigned int y = (x * 7 + 3) * 77777u;
#pragma unroll 1
  for (unsigned int i = 0; i < n; i++) { x = (y % x) | z; x = (y % x) | z; x = (y % x) | z; x = (y % x) | z; }
  if (x == 12345) out[threadIdx.x] = x;
}`;

const device = deviceById("h200");
const buffers = new Buffers(8);
const out = buffers.allocate(1 << 16);

function predict({ threads, blocksPerSM, rounds }: Row): LaunchTime {
  const kernel = new Map(readCuda(text, "remChain.cu")).get("remChain");
  if (kernel === undefined) throw new Error("the text has no kernel remChain");
  const program = lower(kernel, { computeCapability: device.computeCapability, contractFma: true });
  const launch = {
    program,
    grid: [device.smCount * blocksPerSM, 1, 1],
    block: [threads, 1, 1],
    dynamicSharedBytes: 0,
  } as const;
  const traces = traceLaunch({ ...launch, args: [out, rounds], memory: buffers.memory });
  return predictLaunch({ ...launch, device, traces, cacheState: "cold" });
}

describe("a chain of divisions", () => {
  const measured = rows.filter(({ kernel }) => kernel === "remChain");

  for (const row of measured.filter(({ threads }) => threads <= 512)) {
    it(`of ${row.threads / 128} warps a scheduler takes the H200's cycles within 3 %`, () => {
      const { cycles } = predict(row);
      expect(Math.abs(cycles / row.cyclesActive - 1)).toBeLessThan(0.03);
    });
  }

  for (const row of measured.filter(({ threads, blocksPerSM }) => threads * blocksPerSM !== 1024)) {
    const warps = (row.threads * row.blocksPerSM) / 128;
    it(`of ${warps} warps a scheduler waits most for what it waits most for on the H200`, () => {
      const most = Object.entries(row.stalls).reduce((a, b) => (b[1] > a[1] ? b : a))[0];
      expect(dominantStall(predict(row).stalls)).toBe(most);
    });
  }
});
