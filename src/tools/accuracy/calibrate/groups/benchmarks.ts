/**
 * The microbenchmarks of test/reference/h200/micro/extra.json that kernels of the language can be written for:
 * each with what was measured and how to simulate the same.
 */
import type { DeviceSpec } from "../../../../core/device/index.js";
import type { Kernel } from "../../../../core/frontend/index.js";
import { readReference } from "../../measured-table.js";
import { kernelOfText } from "../kernel-text.js";
import type { MicroLaunch, MicroSimulator } from "./benchmark-launch.js";
import {
  BARRIERS_A_ROUND,
  barriers,
  chaseThroughL1,
  chaseThroughL2,
  diverge,
  globalAtomics,
  inflight,
  readSpan,
  SHARED_A_ROUND,
  sharedAtomics,
  sharedLoads,
  sharedStores,
  tightLoop,
} from "./kernels.js";
import { OPERATIONS_A_ROUND, operationKernels } from "./operations.js";

const TEXT = "h200/micro/extra.cu";

export interface MicroBenchmark {
  readonly group: string;
  readonly id: string;
  /** The GPU it was measured on; an H200 unless it says so. */
  readonly device?: DeviceSpec;
  readonly unit: string;
  readonly measured: number;
  readonly simulate: (gpu: MicroSimulator) => number;
}

/** A row of the file: numbers and names. */
type MicroRow = Readonly<Record<string, number | string | boolean>>;

function measuredRows(): readonly MicroRow[] {
  return (readReference("h200/micro/extra.json") as { readonly rows: readonly MicroRow[] }).rows;
}

function number(row: MicroRow, key: string): number {
  return Number(row[key]);
}

/** Cycles that `more - few` iterations of a launch take: its start and end fall out. */
function cyclesBetween(
  gpu: MicroSimulator,
  launch: (rounds: number) => MicroLaunch,
  few: number,
  more: number,
): number {
  return gpu.predict(launch(more)).cycles - gpu.predict(launch(few)).cycles;
}

function operationBenchmarks(row: MicroRow): readonly MicroBenchmark[] {
  const found = operationKernels.find(({ name }) => name === row.name);
  if (found === undefined) return [];
  const launch = (gpu: MicroSimulator, kernel: Kernel, warps: number, rounds: number): MicroLaunch => ({
    kernel: kernel.ir,
    blocks: 1,
    threads: warps * 32,
    args: [gpu.out, ...found.operands, rounds],
  });
  const [few, more] = [4, 12];
  const operations = OPERATIONS_A_ROUND * (more - few);
  const rate = (warps: number) => (gpu: MicroSimulator) =>
    (operations * warps) / cyclesBetween(gpu, (rounds) => launch(gpu, found.four, warps, rounds), few, more);
  return [
    {
      group: "latency of operations",
      id: found.name,
      unit: "cycles",
      measured: number(row, "latencyCycles"),
      simulate: (gpu) => cyclesBetween(gpu, (rounds) => launch(gpu, found.chain, 1, rounds), few, more) / operations,
    },
    ...[4, 32].map(
      (warps): MicroBenchmark => ({
        group: "rate of operations",
        id: `${found.name}, ${warps} warps`,
        unit: "a cycle and SM",
        measured: number(row, `opsPerCycleSM_${warps}warps`),
        simulate: rate(warps),
      }),
    ),
  ];
}

const sharedKernels: Readonly<Record<string, Kernel>> = {
  load: sharedLoads,
  store: sharedStores,
  red_add: sharedAtomics,
};

function sharedBenchmarks(row: MicroRow): readonly MicroBenchmark[] {
  const kernel = sharedKernels[String(row.name)];
  if (kernel === undefined) return [];
  const stride = number(row, "strideWords");
  const [few, more] = [2, 6];
  return [1, 32].map((warps) => ({
    group: "shared memory",
    id: `${row.name}, stride ${stride}, ${warps} warps`,
    unit: "cycles an operation",
    measured: number(row, warps === 1 ? "cyclesPerWarpOp_1warp" : "cyclesPerWarpOp_32warps"),
    simulate: (gpu) =>
      cyclesBetween(
        gpu,
        (rounds) => ({
          kernel: kernel.ir,
          blocks: 1,
          threads: warps * 32,
          sharedBytes: 8192,
          args: [gpu.out, stride, rounds],
        }),
        few,
        more,
      ) /
      (SHARED_A_ROUND * (more - few) * warps),
  }));
}

function barrierBenchmark(row: MicroRow): readonly MicroBenchmark[] {
  const [warps, blocks] = [number(row, "warps"), number(row, "blocksPerSM")];
  return [
    {
      group: "barriers",
      id: `${warps} warps, ${blocks} blocks an SM`,
      unit: "cycles",
      measured: number(row, "cycles"),
      simulate: (gpu) =>
        cyclesBetween(
          gpu,
          (rounds) => ({
            kernel: barriers.ir,
            blocks: blocks * gpu.device.smCount,
            threads: warps * 32,
            args: [rounds],
          }),
          4,
          12,
        ) /
        (BARRIERS_A_ROUND * 8),
    },
  ];
}

function loopBenchmark(row: MicroRow): readonly MicroBenchmark[] {
  const warps = row.note === "32 warps" ? 32 : 1;
  return [
    {
      group: "branches",
      id: `loop of one operation, ${warps} warps`,
      unit: "cycles",
      measured: number(row, "cyclesPerIteration"),
      simulate: (gpu) =>
        cyclesBetween(
          gpu,
          (rounds) => ({ kernel: tightLoop.ir, blocks: 1, threads: warps * 32, args: [gpu.out, rounds] }),
          32,
          160,
        ) / 128,
    },
  ];
}

function divergeBenchmark(row: MicroRow): readonly MicroBenchmark[] {
  const [warps, mask] = [number(row, "warps"), number(row, "laneMask")];
  return [
    {
      group: "branches",
      id: `divergent by mask ${mask}, ${warps} warps`,
      unit: "cycles",
      measured: number(row, "cyclesPerIteration"),
      simulate: (gpu) =>
        cyclesBetween(
          gpu,
          (rounds) => ({ kernel: diverge.ir, blocks: 1, threads: warps * 32, args: [gpu.out, 0.5, mask, rounds] }),
          4,
          20,
        ) / 16,
    },
  ];
}

/** Spans that L2 holds or that are far larger; what lies between tells of L2's replacement, not of latencies. */
function chaseBenchmark(row: MicroRow): readonly MicroBenchmark[] {
  const kib = number(row, "KiB");
  const fromDram = kib >= 2 ** 20;
  if ((row.warmed !== true && !fromDram) || kib > 2 ** 20 || kib === 16384) return [];
  const lines = kib * 8;
  const hops = Math.min(lines, 2048);
  const warmUp = fromDram ? hops : lines;
  const kernel = (row.cache === "ca" ? chaseThroughL1 : chaseThroughL2).ir;
  return [
    {
      group: "latency of memory",
      id: `${kib} KiB${row.cache === "ca" ? "" : ", past L1"}`,
      unit: "cycles",
      measured: number(row, "cycles"),
      simulate: (gpu) => {
        gpu.link(lines, Math.floor(lines * (fromDram ? 0.6180339887 : 0.625)) | 1, warmUp + hops);
        const launch = (length: number): MicroLaunch => ({
          kernel,
          blocks: 1,
          threads: 1,
          args: [gpu.out, gpu.data, length],
          cache: fromDram ? "cold" : "warm",
        });
        return cyclesBetween(gpu, launch, warmUp, warmUp + hops) / hops;
      },
    },
  ];
}

/**
 * 10^9 bytes a second of the difference of two lengths. The launch's start and end and the dirty L2 that it finds fall
 * out, as in the long runs that were measured.
 */
function bandwidthGBps(gpu: MicroSimulator, launch: (bytes: number) => MicroLaunch, bytes: number): number {
  const cycles = gpu.predict(launch(2 * bytes)).cycles - gpu.predict(launch(bytes)).cycles;
  return (bytes * gpu.device.smClockMHz) / 1000 / cycles;
}

function dramBenchmarks(row: MicroRow): readonly MicroBenchmark[] {
  const made = (
    id: string,
    key: string,
    bytesMoved: number,
    launch: (gpu: MicroSimulator, n: number) => Pick<MicroLaunch, "kernel" | "args">,
  ): MicroBenchmark => ({
    group: "streams",
    id,
    unit: "GB/s",
    measured: number(row, key),
    simulate: (gpu) => {
      const shape = { blocks: 1056, threads: 512, cache: "cold" } as const;
      return bandwidthGBps(gpu, (bytes) => ({ ...launch(gpu, bytes / bytesMoved), ...shape }), 2 ** 28);
    },
  });
  return [
    made("read", "readGBps", 16, (gpu, n) => ({ kernel: readSpan.ir, args: [gpu.data, n, gpu.out] })),
    made("write", "writeGBps", 16, (gpu, n) => ({ kernel: kernelOfText(TEXT, "writeSpan"), args: [gpu.out, n, 1] })),
    made("copy, read and written", "copyGBps_readPlusWrite", 32, (gpu, n) => ({
      kernel: kernelOfText(TEXT, "copySpan"),
      args: [gpu.data, gpu.out, n],
    })),
  ];
}

function inflightBenchmarks(row: MicroRow): readonly MicroBenchmark[] {
  const [loads, warps] = [number(row, "loadsPerThread"), number(row, "warpsPerSM")];
  const threads = Math.min(1024, warps * 32);
  const kernel = inflight.with({ LOADS: loads }).ir;
  const launch = (gpu: MicroSimulator, bytes: number, cache: "cold" | "warm"): MicroLaunch => ({
    kernel,
    blocks: gpu.device.smCount * ((warps * 32) / threads),
    threads,
    args: [gpu.data, Math.floor(bytes / (4 * threads * loads)), gpu.out],
    cache,
  });
  const l2Bytes = 24 * 2 ** 20;
  return [
    {
      group: "loads in flight, from DRAM",
      id: `${loads} a thread, ${warps} warps an SM`,
      unit: "GB/s",
      measured: number(row, "readGBps"),
      // Twelve of each warp's iterations, and twelve more.
      simulate: (gpu) =>
        bandwidthGBps(gpu, (bytes) => launch(gpu, bytes, "cold"), 12 * gpu.device.smCount * warps * 32 * loads * 4),
    },
    {
      group: "loads in flight, from L2",
      id: `${loads} a thread, ${warps} warps an SM`,
      unit: "GB/s",
      measured: number(row, "readL2GBps_24MiB"),
      // Measured as one launch of this length.
      simulate: (gpu) => l2Bytes / (gpu.predict(launch(gpu, l2Bytes, "warm")).timeMs * 1e6),
    },
  ];
}

function atomicBenchmark(row: MicroRow): readonly MicroBenchmark[] {
  const [addresses, warpOps] = [number(row, "addresses"), number(row, "warpOps")];
  const scattered = row.pattern === "scattered";
  if (row.type !== "u32" || row.returns !== 0 || (!scattered && row.pattern !== "consecutive")) return [];
  const kernel = globalAtomics.with({ SCATTERED: scattered }).ir;
  const rounds = warpOps / 8448;
  return [
    {
      group: "global atomics",
      id: `${row.pattern}, ${addresses} addresses`,
      unit: "ms",
      measured: number(row, "ms"),
      simulate: (gpu) =>
        gpu.predict({ kernel, blocks: 1056, threads: 256, args: [gpu.out, addresses - 1, rounds] }).timeMs,
    },
  ];
}

/** By the template's argument. */
const BLOCK_KINDS = ["empty", "load", "store", "shared+barrier", "load+barrier+load"];

function blockBenchmark(row: MicroRow): readonly MicroBenchmark[] {
  const kind = BLOCK_KINDS.indexOf(String(row.kind));
  if (kind < 0) return [];
  const [blocks, threads] = [number(row, "blocks"), number(row, "threads")];
  const sharedBytes = row.sharedBytes === undefined ? 0 : number(row, "sharedBytes");
  const micro = String(row.micro);
  return [
    {
      group: micro === "blocks" ? "turn-over of blocks" : "launches",
      id: `${row.kind}, ${blocks} of ${threads} threads${sharedBytes === 0 ? "" : `, ${sharedBytes} bytes shared`}`,
      unit: "ms",
      measured: number(row, "ms"),
      simulate: (gpu) => {
        const kernel = kernelOfText(TEXT, "blockK", kind);
        return gpu.predict({ kernel, blocks, threads, sharedBytes, args: [gpu.data, gpu.out] }).timeMs;
      },
    },
  ];
}

const makers: Readonly<Record<string, (row: MicroRow) => readonly MicroBenchmark[]>> = {
  op: operationBenchmarks,
  shared: sharedBenchmarks,
  barrier: barrierBenchmark,
  loop: loopBenchmark,
  diverge: divergeBenchmark,
  chase: chaseBenchmark,
  dram: dramBenchmarks,
  inflight: inflightBenchmarks,
  globalAtomic: atomicBenchmark,
  blocks: blockBenchmark,
  launch: blockBenchmark,
};

/** In the order of the file. */
export function microBenchmarks(): readonly MicroBenchmark[] {
  return measuredRows().flatMap((row) => makers[String(row.micro)]?.(row) ?? []);
}
