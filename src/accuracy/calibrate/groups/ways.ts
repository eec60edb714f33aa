/** Microbenchmarks of whole launches that were timed in two ways: behind a dirty L2, and repeated. */
import type { Kernel } from "../../../frontend/index.js";
import type { MicroLaunch, MicroSimulator } from "./benchmark-launch.js";
import type { MicroBenchmark } from "./benchmarks.js";

/** Microseconds between events around a launch. */
export interface TimedTwice {
  readonly dirty: number;
  readonly repeated: number;
}

/** All rows behind a dirty L2, then all repeated; `launchOf`: of a row, less what its caches hold. */
export function dirtyAndRepeated<Row extends TimedTwice>(
  group: string,
  rows: readonly Row[],
  idOf: (row: Row) => string,
  launchOf: (row: Row, gpu: MicroSimulator) => Omit<MicroLaunch, "cache">,
): readonly MicroBenchmark[] {
  const ways = [
    ["behind a dirty L2", "dirty", "cold"],
    ["repeated", "repeated", "warm"],
  ] as const;
  return ways.flatMap(([name, time, cache]) =>
    rows.map(
      (row): MicroBenchmark => ({
        group: `${group}, ${name}`,
        id: idOf(row),
        unit: "us",
        measured: row[time],
        simulate: (gpu) => gpu.predict({ ...launchOf(row, gpu), cache }).timeMs * 1000,
      }),
    ),
  );
}

/** A kernel's instances, each made once: with other constants it is compiled anew. */
export function instancesOf(kernel: Kernel): (constants: Readonly<Record<string, number>>) => Kernel {
  const made = new Map<string, Kernel>();
  return (constants) => {
    const key = Object.values(constants).join(" ");
    const instance = made.get(key) ?? kernel.with(constants);
    made.set(key, instance);
    return instance;
  };
}
