/** Clock, memory and statistics of the benchmarks. Times are this machine's: nothing of them goes into a result. */

/** One figure of the benchmark with what is asked of it. */
export interface BenchLine {
  /** For programs: "labs.together". */
  readonly id: string;
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The value asked for: "< 2.5 s"; empty where nothing is asked. */
  readonly demanded: string;
  /** null where nothing is asked. */
  readonly met: boolean | null;
  /** Other observations: ratios, parts. */
  readonly note: string;
}

export interface Demand {
  readonly atMost?: number;
  readonly atLeast?: number;
}

export function benchLine(
  id: string,
  what: string,
  value: number,
  unit: string,
  demand: Demand = {},
  note: string = "",
): BenchLine {
  const { atMost, atLeast } = demand;
  const asked = atMost !== undefined ? `<= ${atMost} ${unit}` : atLeast !== undefined ? `>= ${atLeast} ${unit}` : "";
  const met = asked === "" ? null : value <= (atMost ?? value) && value >= (atLeast ?? value);
  return { id, what, value, unit, demanded: asked, met, note };
}

export interface Timed<T> {
  readonly result: T;
  /** By the wall clock. */
  readonly seconds: number;
  /** All threads of this process, user and system. */
  readonly cpuSeconds: number;
}

export function timed<T>(work: () => T): Timed<T> {
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const result = work();
  const seconds = (performance.now() - begun) / 1000;
  const used = process.cpuUsage(cpu);
  return { result, seconds, cpuSeconds: (used.user + used.system) / 1e6 };
}

/** The run of some that took the least CPU time: what else the machine did disturbs it least. */
export function fastest<T>(runs: number, work: () => T): Timed<T> {
  const all = Array.from({ length: runs }, () => timed(work));
  return all.reduce((best, each) => (each.cpuSeconds < best.cpuSeconds ? each : best));
}

/** Largest resident memory of this process so far, in bytes. */
export function peakBytes(): number {
  return process.resourceUsage().maxRSS * 1024;
}

/** The exponent e of cost = c * n^e by least squares over the logarithms. */
export function growthExponent(points: readonly { readonly n: number; readonly seconds: number }[]): number {
  const logs = points.map(({ n, seconds }) => [Math.log(n), Math.log(seconds)] as const);
  const mean = (of: (point: readonly [number, number]) => number): number =>
    logs.reduce((sum, point) => sum + of(point), 0) / logs.length;
  const [x, y] = [mean(([a]) => a), mean(([, b]) => b)];
  return mean(([a, b]) => (a - x) * (b - y)) / mean(([a]) => (a - x) ** 2);
}
