/** Groups of microbenchmarks as data: rows that were measured, and how the launch of each follows from its columns. */
import type { Argument } from "../../../../core/engine/engine.js";
import type { KernelIr } from "../../../../core/ir/ir.js";
import type { LaunchTime } from "../../../../core/timing/index.js";
import { readReference } from "../../measured-table.js";
import { kernelOfText, type TemplateArgument } from "../kernel-text.js";
import type { MicroLaunch, MicroSimulator } from "./benchmark-launch.js";
import type { MicroBenchmark } from "./benchmarks.js";

type CacheState = "cold" | "warm";

/** Predicts the row's launch, once for each state of the caches and number of iterations. */
export type Predict = (cache: CacheState, iterations?: number) => LaunchTime;

/** A file of measured rows, with its other facts. */
type RowsFile<Row> = Readonly<Record<string, unknown>> & { readonly rows: readonly Row[] };

/** One measured number of each row. */
export interface Figure<Row> {
  readonly group: string | ((row: Row) => string);
  readonly unit: string;
  /** `file`: the row's whole file. */
  readonly measured: (row: Row, file: Readonly<Record<string, unknown>>) => number;
  readonly simulated: (predict: Predict, row: Row, gpu: MicroSimulator) => number;
}

/** The name of a kernel in the text, then its template's arguments. */
export type KernelName = readonly [name: string, ...template: TemplateArgument[]];

export interface MeasuredRows<Row> {
  /** Below test/reference, without .json for the rows and .cu for the text. */
  readonly file: string;
  /** The rows that are simulated, where that is not each of them. */
  readonly rows?: (rows: readonly Row[]) => readonly Row[];
  readonly id: (row: Row) => string;
  readonly kernel: (row: Row) => KernelName | KernelIr;
  readonly grid: (row: Row, gpu: MicroSimulator) => MicroLaunch["blocks"];
  readonly block: (row: Row) => MicroLaunch["threads"];
  readonly args: (row: Row, gpu: MicroSimulator, iterations: number) => readonly Argument[];
  readonly sharedBytes?: number;
  readonly figures: readonly Figure<Row>[];
}

const isName = (kernel: KernelName | KernelIr): kernel is KernelName => Array.isArray(kernel);

export function benchmarksOf<Row>(group: MeasuredRows<Row>): readonly MicroBenchmark[] {
  const file = readReference(`${group.file}.json`) as RowsFile<Row>;
  const rows = group.rows?.(file.rows) ?? file.rows;
  return rows.flatMap((row) => {
    const predictOn = predictor(group, row);
    return group.figures.map(
      (figure): MicroBenchmark => ({
        group: typeof figure.group === "string" ? figure.group : figure.group(row),
        id: group.id(row),
        unit: figure.unit,
        measured: figure.measured(row, file),
        simulate: (gpu) => figure.simulated(predictOn(gpu), row, gpu),
      }),
    );
  });
}

function predictor<Row>(group: MeasuredRows<Row>, row: Row): (gpu: MicroSimulator) => Predict {
  const predicted = new WeakMap<MicroSimulator, Map<string, LaunchTime>>();
  return (gpu) => {
    const times = predicted.get(gpu) ?? new Map<string, LaunchTime>();
    predicted.set(gpu, times);
    return (cache, iterations = 1) => {
      const known = times.get(`${cache} ${iterations}`);
      if (known !== undefined) return known;
      const kernel = group.kernel(row);
      const time = gpu.predict({
        kernel: isName(kernel) ? kernelOfText(`${group.file}.cu`, ...kernel) : kernel,
        blocks: group.grid(row, gpu),
        threads: group.block(row),
        args: group.args(row, gpu, iterations),
        sharedBytes: group.sharedBytes ?? 0,
        cache,
      });
      times.set(`${cache} ${iterations}`, time);
      return time;
    };
  };
}

/** Microseconds between two events around the launch. */
export const eventMicroseconds =
  (cache: CacheState) =>
  (predict: Predict): number =>
    predict(cache).timeMs * 1000;

/** Microseconds of the kernel alone, as Nsight Compute shows them. */
export const kernelMicroseconds = (predict: Predict): number => predict("cold").durationMicroseconds;

/** Cycles of one iteration: the difference of two launches leaves out what starts and ends them. */
export const cyclesOfIteration =
  (few: number, more: number) =>
  (predict: Predict): number =>
    (predict("warm", more).cycles - predict("warm", few).cycles) / (more - few);

/** The same launch behind a dirty L2 and repeated, in microseconds. */
export function dirtyAndRepeated<Row extends { readonly dirty: number; readonly repeated: number }>(
  group: string,
): readonly Figure<Row>[] {
  return [
    {
      group: `${group}, behind a dirty L2`,
      unit: "us",
      measured: ({ dirty }) => dirty,
      simulated: eventMicroseconds("cold"),
    },
    {
      group: `${group}, repeated`,
      unit: "us",
      measured: ({ repeated }) => repeated,
      simulated: eventMicroseconds("warm"),
    },
  ];
}
