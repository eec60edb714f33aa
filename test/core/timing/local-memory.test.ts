/** Local memory beside an H200's (test/reference/h200/micro/local.json): the sectors of its requests, exactly, and times. */
import { describe, expect, it } from "vitest";
import { deviceById } from "../../../src/core/device/index.js";
import { programFor } from "../../../src/core/host/timed-launch.js";
import { recordOf } from "../../../src/core/timing/program/microcode.js";
import { walkLocal } from "../../../src/core/timing/trace/trace-requests.js";
import { Gpu, i32, kernel, local, ptr, threadIdx } from "../../../src/index.js";
import { MicroSimulator } from "../../../src/tools/accuracy/calibrate/groups/benchmark-launch.js";
import { kernelOfText } from "../../../src/tools/accuracy/calibrate/kernel-text.js";
import { readReference } from "../../../src/tools/accuracy/measured-table.js";
import { Buffers, traceLaunch } from "./traced-launch.js";

interface Row {
  readonly kernel: string;
  readonly words: number;
  readonly lane: number;
  readonly blocks: number;
  readonly threads: number;
  readonly us320: number;
  readonly loadSectors: number;
  readonly storeSectors: number;
}

const { rows } = readReference("h200/micro/local.json") as { readonly rows: readonly Row[] };
const h200 = deviceById("h200");

function rowOf(name: string): Row {
  const found = rows.find(
    ({ kernel: each, words, lane, blocks, threads }) => `${each} ${words} ${lane} ${blocks} ${threads}` === name,
  );
  if (found === undefined) throw new Error(name);
  return found;
}

/** Sectors that a warp's loads and stores of local memory name in 64 rounds. */
function sectorsOf({ kernel: name, words, lane }: Row): { readonly loads: number; readonly stores: number } {
  const program = programFor(kernelOfText("h200/micro/local.cu", name, words), h200);
  const buffers = new Buffers(1);
  const out = buffers.allocate(4096);
  const traces = traceLaunch({
    program,
    grid: [1, 1, 1],
    block: [32, 1, 1],
    dynamicSharedBytes: 0,
    args: [out, 64, 5, lane],
    memory: buffers.memory,
  });
  const traced = Uint8Array.from(program.instructions, recordOf);
  const [trace] = traces.blocks;
  const sums = { loads: 0, stores: 0 };
  walkLocal(trace!, 0, traced, (pc, record) => {
    const load = program.instructions[pc]!.op === "ld";
    sums[load ? "loads" : "stores"] += trace!.memory[record + 2]!;
  });
  return sums;
}

describe("local memory", () => {
  it.each(["load 16 0 132 32", "load 16 1 132 32", "load 64 1 132 32", "store 16 1 132 32", "add 64 1 132 32"])(
    "%s: a warp's requests name as many sectors as Nsight Compute counts",
    (name) => {
      const row = rowOf(name);
      const warps = (row.blocks * row.threads) / 32;
      expect(sectorsOf(row)).toEqual({ loads: row.loadSectors / warps, stores: row.storeSectors / warps });
    },
  );

  it.each(["chase 16 0 132 256", "load 64 1 132 256", "store 16 1 1056 256", "add 16 0 4224 256"])(
    "%s: the time is within 10 percent of the GPU's",
    (name) => {
      const row = rowOf(name);
      const { kernel: text, words, lane, blocks, threads } = row;
      const gpu = new MicroSimulator(h200);
      const ir = kernelOfText("h200/micro/local.cu", text, words);
      const { timeMs } = gpu.predict({ kernel: ir, blocks, threads, args: [gpu.out, 320, 5, lane] });
      expect(Math.abs((1000 * timeMs) / row.us320 - 1)).toBeLessThan(0.1);
    },
  );

  it("more of it than L1 holds is slower, and an index for each lane is slower than one for all", () => {
    const table = kernel("table", { out: ptr(i32), words: i32, spread: i32 }, ({ out, words, spread }) => {
      const counts = local(i32, 256);
      for (let k = 0; k < 64; k++) counts[(k * 7 + threadIdx.x * spread) & (words - 1)] += k;
      out[threadIdx.x] = counts[words - 1];
    });
    const run = (words: number, spread: number) => {
      const gpu = new Gpu("v100");
      return gpu.launch(table, { grid: 80, block: 256 }, { out: gpu.alloc(i32, 256), words, spread });
    };
    const [one, each, many] = [run(16, 0), run(16, 1), run(256, 1)];
    expect(each.timeMs).toBeGreaterThan(2 * one.timeMs);
    expect(many.timeMs).toBeGreaterThan(each.timeMs);
    expect(many.time.l1HitRatePercent!).toBeLessThan(one.time.l1HitRatePercent!);
  });
});
