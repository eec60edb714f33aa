/**
 * The microbenchmarks of test/reference/h200/micro/set-*.json and extra.json as programs, and the model's result for
 * each in the benchmark's unit. Chains and throughputs are differences of two lengths, so the code around them cancels.
 */
import { h200 } from "../../../src/core/device/gpus/h200.js";
import type { DeviceSpec } from "../../../src/core/device/spec.js";
import { readCuda } from "../../../src/core/frontend/cuda/read-cuda.js";
import { lower } from "../../../src/core/lower/lower.js";
import type { Program } from "../../../src/core/lower/program.js";
import { type LaunchTime, predictLaunch } from "../../../src/core/timing/index.js";
import { assemble } from "../engine/assembler.js";
import { Buffers, traceLaunch } from "./traced-launch.js";

const buffers = new Buffers(192);
const words = buffers.allocate(160 << 20);

export interface Run {
  readonly text: string;
  readonly blocks?: number;
  readonly threads?: number;
  readonly device?: DeviceSpec;
  readonly cacheState?: "cold" | "warm";
  readonly dynamicSharedBytes?: number;
  /** Blocks to trace; default those of sampleBlocks. */
  readonly trace?: readonly number[];
  readonly n?: number;
}

export function simulate(run: Run): LaunchTime {
  const device = run.device ?? h200;
  const assembled = assemble(`param P ptr i32\nparam n i32\n${run.text}`);
  // The assembler puts everything arithmetic on the ALU.
  const program: Program = {
    ...assembled,
    registersPerThread: 16,
    instructions: assembled.instructions.map((instruction) =>
      instruction.op === "popc"
        ? { ...instruction, issue: [{ pipe: "xu", mnemonic: "POPC", independent: false }] }
        : instruction.op === "mad" && instruction.type === "f32"
          ? { ...instruction, issue: [{ pipe: "fma", mnemonic: "FFMA", independent: false }] }
          : instruction,
    ),
  };
  const shape = {
    program,
    grid: [run.blocks ?? 1, 1, 1],
    block: [run.threads ?? 32, 1, 1],
    dynamicSharedBytes: run.dynamicSharedBytes ?? 0,
    args: [words, run.n ?? 0],
    memory: buffers.memory,
    ...(run.trace === undefined ? {} : { blocks: run.trace }),
  } as const;
  return predictLaunch({ ...shape, device, traces: traceLaunch(shape), cacheState: run.cacheState ?? "cold" });
}

const repeat = (count: number, line: string): string => `${line}\n`.repeat(count);

/** Cycles of one more repetition of `line` in a chain: one warp, or `threads` of one block. */
export function chain(setup: string, line: string, threads = 32, length = 64): number {
  const cycles = (count: number): number => simulate({ text: setup + repeat(count, line), threads }).cycles;
  return (cycles(2 * length) - cycles(length)) / length;
}

/** Warp instructions a cycle and SM of four independent chains in each of the block's warps. */
export function throughput(setup: string, lines: readonly string[], threads: number, length = 32): number {
  const text = lines.join("\n");
  const cycles = (count: number): number => simulate({ text: setup + repeat(count, text), threads }).cycles;
  const instructions = lines.length * length * Math.ceil(threads / 32);
  return instructions / (cycles(2 * length) - cycles(length));
}

/**
 * A chain of a shared load, an AND of the loaded zeros, and the next address; the latency of the latter two is
 * subtracted.
 */
export function sharedChain(strideWords: number): number {
  const setup = `shared S i32 1024
    t = and.i32 threadIdx.x, 31
    i = mul.i32 t, ${strideWords}
    x = mov.i32 0
  `;
  return chain(setup, "j = add.i32 i, x\na = addr S[j]\nx = ld.i32 S[a]") - ADD_AND_ADDRESS;
}

/** Cycles until the load issues: 5 for an add on the FMA pipe, and 6 for the address. */
const ADD_AND_ADDRESS = 11;

/** Cycles between barriers without work between them. */
export function barrierPeriod(threads: number, blocksPerSm = 1): number {
  const blocks = blocksPerSm * h200.smCount;
  const cycles = (count: number): number => simulate({ text: repeat(count, "bar"), threads, blocks }).cycles;
  return (cycles(128) - cycles(64)) / 64;
}

/** GB/s of grid-stride reads of new addresses, with `loads` loads an iteration and `warps` warps an SM. */
export function stream(loads: number, warps: number): number {
  const threads = warps >= 8 ? 256 : warps * 32;
  const perSm = Math.max(1, warps / 8);
  const blocks = h200.smCount * perSm;
  const rounds = Math.max(4, Math.min(96, Math.floor((38 << 20) / (blocks * threads * loads))));
  const load = (k: number): string => `a${k} = addr P[i${k === 0 ? "" : k}]\nv${k} = ld.i32 P[a${k}]`;
  const next = (k: number): string => `i${k} = add.i32 i, ${k * threads}`;
  const each = Array.from({ length: loads }, (_, k) => k);
  const text = (count: number): string => `
    b = mul.i32 blockIdx.x, ${threads * loads}
    i = add.i32 b, threadIdx.x
    s = mov.i32 0
    r = mov.i32 0
    loop {
      ${each.slice(1).map(next).join("\n")}
      ${each.map(load).join("\n")}
      ${each.map((k) => `s = xor.i32 s, v${k}`).join("\n")}
      i = add.i32 i, ${blocks * threads * loads}
      r = add.i32 r, 1
      p = setp.lt.i32 r, ${count}
    } while p
  `;
  const trace = Array.from({ length: Math.min(8, blocks) }, (_, k) => k);
  const cycles = (count: number): number => simulate({ text: text(count), threads, blocks, trace }).cycles;
  const half = Math.floor(rounds / 2);
  const bytes = blocks * threads * loads * 4 * (rounds - half);
  return (bytes / (cycles(rounds) - cycles(half))) * (h200.smClockMHz / 1000);
}

export type BlockKind = "empty" | "load" | "store" | "shared+barrier" | "load+barrier+load";

/** The kernels of the `blocks` rows of h200/micro/extra.cu. */
const BLOCK_KERNELS = readCuda(`
#define K extern "C" __global__ void
K empty(unsigned int *p, unsigned int *q) {}
K load(unsigned int *p, unsigned int *q) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (p[i & 1048575] == 77) q[0] = 1;
}
K store(unsigned int *p, unsigned int *q) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  q[i & 1048575] = i;
}
K sharedBarrier(unsigned int *p, unsigned int *q) {
  extern __shared__ unsigned int s[];
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i;
  __syncthreads();
  if (s[threadIdx.x ^ 1] == 0xffffffff) q[0] = 1;
}
K loadBarrierLoad(unsigned int *p, unsigned int *q) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (p[i & 1048575] == 77) q[0] = 1;
  __syncthreads();
  if (p[(i + 1024) & 1048575] == 77) q[0] = 1;
}
`);

const KERNEL_OF: Readonly<Record<BlockKind, string>> = {
  empty: "empty",
  load: "load",
  store: "store",
  "shared+barrier": "sharedBarrier",
  "load+barrier+load": "loadBarrierLoad",
};

/** Milliseconds between events for a grid of small blocks whose 4 MiB are in L2. */
export function blocks(kind: BlockKind, threads: number, dynamicSharedBytes: number, count: number): number {
  const ir = BLOCK_KERNELS.get(KERNEL_OF[kind]);
  if (ir === undefined) throw new Error(`no kernel ${kind}`);
  const shape = {
    program: lower(ir, { computeCapability: h200.computeCapability, contractFma: true }),
    grid: [count, 1, 1],
    block: [threads, 1, 1],
    dynamicSharedBytes,
    args: [words, words],
    memory: buffers.memory,
    blocks: Array.from({ length: 12 }, (_, k) => k * 3),
  } as const;
  return predictLaunch({ ...shape, device: h200, traces: traceLaunch(shape), cacheState: "warm" }).timeMs;
}
