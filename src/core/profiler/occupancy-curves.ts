/** Resident warps against block size, registers a thread and shared memory a block: numbers and figures. */
import type { Occupancy, OccupancySpec } from "../device/index.js";
import type { Figure } from "../show/figures/figure.js";
import { lineFigure } from "../show/figures/line-figure.js";
import { count, formatNumber } from "../show/number-format.js";
import type { Launch } from "./more-blocks.js";

export interface OccupancyPoint {
  readonly x: number;
  readonly residentWarps: number;
}

/** All but the varied number is the launch's. */
export interface OccupancyCurves {
  /** Block sizes in whole warps. */
  readonly block: readonly OccupancyPoint[];
  /** Where a step begins, and the last. */
  readonly registersPerThread: readonly OccupancyPoint[];
  /** Bytes; where a step begins, and the last. */
  readonly sharedBytesPerBlock: readonly OccupancyPoint[];
}

function range(from: number, to: number, step: number): readonly number[] {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);
}

/** The points at which the value changes, and the last one. */
function stepsOf(points: readonly OccupancyPoint[]): readonly OccupancyPoint[] {
  return points.filter(
    ({ residentWarps }, at) => at === points.length - 1 || residentWarps !== points[at - 1]?.residentWarps,
  );
}

export function occupancyCurves(
  spec: OccupancySpec,
  launch: Launch,
  calculate: (launch: Launch) => Occupancy,
): OccupancyCurves {
  const { limits, warpSize } = spec;
  const warps = (changed: Partial<Launch>): number => calculate({ ...launch, ...changed }).activeWarpsPerSm;
  const unit = limits.sharedAllocationUnitBytes;
  // The first byte of each allocation unit begins a step.
  const bytes = [0, ...range(1, limits.sharedBytesPerBlockOptIn, unit), limits.sharedBytesPerBlockOptIn];
  return {
    block: range(warpSize, limits.maxThreadsPerBlock, warpSize).map((block) => ({
      x: block,
      residentWarps: warps({ block }),
    })),
    registersPerThread: stepsOf(
      range(1, limits.maxRegistersPerThread, 1).map((registersPerThread) => ({
        x: registersPerThread,
        residentWarps: warps({ registersPerThread }),
      })),
    ),
    sharedBytesPerBlock: stepsOf(
      bytes.map((sharedBytesPerBlock) => ({ x: sharedBytesPerBlock, residentWarps: warps({ sharedBytesPerBlock }) })),
    ),
  };
}

/** A figure for each curve, the launch marked. */
export function occupancyCurveFigures(
  spec: OccupancySpec,
  launch: Launch,
  curves: OccupancyCurves,
  residentWarps: number,
): readonly Figure[] {
  const { maxWarpsPerSm } = spec.limits;
  const percent = Math.round((100 * residentWarps) / maxWarpsPerSm);
  const { block, registersPerThread, sharedBytesPerBlock } = launch;
  const rows = [
    ["block size", "Threads per block", "threads", curves.block, block, false],
    ["registers", "Registers per thread", "registers", curves.registersPerThread, registersPerThread, true],
    [
      "shared memory",
      "Shared memory per block (bytes)",
      "bytes",
      curves.sharedBytesPerBlock,
      sharedBytesPerBlock,
      true,
    ],
  ] as const;
  const words = [
    `${block} threads a block`,
    `${registersPerThread} registers a thread`,
    `${formatNumber(sharedBytesPerBlock, count)} bytes of shared memory a block`,
  ];
  return rows.map(([name, xTitle, unit, curve, x, steps], at) =>
    lineFigure({
      title: `Occupancy against ${name}, ${spec.name}`,
      subtitle: words.filter((_, index) => index !== at).join(", "),
      series: [{ name: "Resident warps", points: curve.map((point) => ({ x: point.x, y: point.residentWarps })) }],
      xTitle,
      yTitle: `Resident warps per SM (of ${maxWarpsPerSm})`,
      yMax: maxWarpsPerSm * 1.06,
      steps,
      mark: { x, y: residentWarps, label: `chosen: ${x} ${unit}, ${residentWarps} warps, ${percent} %` },
    }),
  );
}
