/** The shuffles of one warp: which lane each lane's value comes from, and what the lanes hold after each of them. */
import { InputError } from "../../core/base/errors.js";
import { checkArgument } from "../../core/base/shape.js";
import type { Kernel } from "../../core/frontend/index.js";
import type { Gpu } from "../../core/host/gpu.js";
import { gpuShape } from "../../core/host/gpu.js";
import type { LaunchConfig } from "../../core/host/launch.js";
import type { LaunchArguments } from "../../core/host/launch-arguments.js";
import type { ShuffleStep } from "../../core/show/figures/shuffle-figure.js";

const LANES = 32;

type Way = (lane: number, first: number, by: number, width: number) => number;

/** CUDA's rules: the lane that a value comes from; a lane without a source in its segment keeps its own value. */
const WAYS: Readonly<Record<string, { readonly name: string; readonly source: Way }>> = {
  shfl: { name: "lane", source: (_, first, by, width) => first + (by & (width - 1)) },
  shflUp: { name: "up", source: (lane, first, by) => (lane - by >= first ? lane - by : lane) },
  shflDown: { name: "down", source: (lane, first, by, width) => (lane + by < first + width ? lane + by : lane) },
  shflXor: { name: "xor", source: (lane, first, by, width) => ((lane ^ by) < first + width ? lane ^ by : lane) },
};

interface Exchange {
  readonly label: string;
  /** The values that the lanes offer. */
  readonly offered: readonly number[];
  readonly sources: readonly number[];
}

/**
 * Runs one block and follows the shuffles of its first warp. The first step has the values that the
 * lanes offer, the next ones those after each shuffle, the last one those that the warp stores. All of it is exact.
 * @throws InputError for a warp that shuffles nothing or does not store what it has shuffled; what `gpu.step` throws.
 * @example
 * display(shuffleFigure({ title: "A butterfly", steps: watchShuffles(gpu, butterfly, { grid: 1, block: 32 }, { data }) }));
 */
export function watchShuffles(
  gpu: Gpu,
  kernel: Kernel,
  config: LaunchConfig,
  args: LaunchArguments,
): readonly ShuffleStep[] {
  checkArgument("watchShuffles", "gpu", gpu, gpuShape);
  const walk = gpu.step(kernel, config, args, { warp: 0, history: false });
  const numbers = (operand: number): readonly number[] => walk.operand(operand).map(Number);
  const exchanges: Exchange[] = [];
  let stored: readonly number[] | null = null;
  for (let at = walk.position; at !== null && stored === null; at = walk.position) {
    const { op, src } = at.instruction;
    const way = WAYS[op];
    if (way !== undefined && at.warp === 0) {
      const [bys, widths] = [numbers(2), numbers(3)];
      const taken = new Set(exchanges.map(({ label }) => label));
      const label = new Set(bys).size === 1 ? `${way.name} ${bys[0]}` : way.name;
      exchanges.push({
        label: taken.has(label) ? `${label} (shuffle ${exchanges.length + 1})` : label,
        offered: numbers(1),
        sources: bys.map((by, lane) => {
          const width = widths[lane] ?? LANES;
          return way.source(lane, lane - (lane % width), by, width);
        }),
      });
    } else if (op === "st" && at.warp === 0 && exchanges.length > 0) {
      stored = numbers(src.length - 1);
    }
    walk.step();
  }
  const [first, ...others] = exchanges;
  if (first === undefined || stored === null) {
    throw new InputError({
      what: `watchShuffles: the first warp of ${kernel.name} ${first === undefined ? "comes to no shuffle" : "stores nothing after its shuffles"}.`,
      cure: "Give a kernel that shuffles a value step by step and then stores it.",
    });
  }
  const held = [...others.map(({ offered }) => offered), stored];
  return [
    { label: "at first", values: first.offered },
    ...exchanges.map(({ label, sources }, step) => ({ label, values: held[step] ?? [], sources })),
  ];
}
