/** Shared memory: steps of a reduction by themselves, and additions of floats and doubles that warps contend for. */
import type { MicroBenchmark } from "./benchmarks.js";
import { benchmarksOf, cyclesOfIteration } from "./measured-rows.js";

interface StepRow {
  readonly kernel: string;
  readonly threads: number;
  readonly blocksPerSm: number;
  readonly stride: number;
  readonly cyclesPerStep: number;
}

const STEP_KERNELS = ["barOnly", "loadAll", "loadHalf", "loadWarp", "loadApart", "tree"];

/** On full SMs, where blocks meet in the memory unit. */
export function stepBenchmarks(): readonly MicroBenchmark[] {
  return benchmarksOf<StepRow>({
    file: "h200/micro/steps",
    rows: (rows) => rows.filter(({ kernel, blocksPerSm }) => STEP_KERNELS.includes(kernel) && blocksPerSm !== 1),
    id: ({ kernel, stride, blocksPerSm, threads }) =>
      `${kernel}${stride === 0 ? "" : ` ${stride}`}, ${blocksPerSm} blocks of ${threads} threads`,
    kernel: ({ kernel }) => [kernel],
    grid: ({ blocksPerSm }, gpu) => blocksPerSm * gpu.device.smCount,
    block: ({ threads }) => threads,
    args: ({ kernel, stride }, gpu, steps) => [gpu.out, steps, ...(kernel === "loadApart" ? [stride] : [])],
    figures: [
      {
        group: "steps in shared memory",
        unit: "cycles a step",
        measured: ({ cyclesPerStep }) => cyclesPerStep,
        simulated: cyclesOfIteration(4, 12),
      },
    ],
  });
}

/** Random words of `words`, by the first `lanes` lanes of a warp, or the word lane * stride. */
interface SpinRow {
  readonly type: "float" | "double";
  readonly warps: number;
  readonly lanes?: number;
  readonly words?: number;
  readonly stride?: number;
  readonly cycles: number;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

export function spinBenchmarks(): readonly MicroBenchmark[] {
  return benchmarksOf<SpinRow>({
    file: "h200/micro/spin",
    id: ({ warps, lanes, words, stride }) => {
      const where = stride === undefined ? `${count(lanes!, "lane")}, ${count(words!, "word")}` : `stride ${stride}`;
      return `${count(warps, "warp")}, ${where}`;
    },
    kernel: ({ type, stride }) => [stride === undefined ? "spin" : "strided", type],
    grid: () => 1,
    block: ({ warps }) => 32 * warps,
    args: ({ words, lanes, stride }, gpu, n) => [gpu.out, n, ...(stride === undefined ? [words!, lanes!] : [stride])],
    figures: [
      {
        group: ({ type }) => `additions of ${type}s to shared memory`,
        unit: "cycles an addition",
        measured: ({ cycles }) => cycles,
        simulated: cyclesOfIteration(16, 48),
      },
    ],
  });
}
