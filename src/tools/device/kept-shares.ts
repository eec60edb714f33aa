/** What a launch finds in L2 of the data that the one before touched, by its size: where all is kept, and where nothing. */
import type { Reading } from "./reading.js";

interface Size {
  /** As a share of L2. */
  readonly share: number;
  readonly again: number;
  readonly first: number;
}

interface Share {
  readonly value: number;
  /** Of the kernels that read. */
  readonly spread: readonly [low: number, high: number];
}

export interface KeptShares {
  readonly shares: Readonly<Record<"l2.allKeptShare" | "l2.noneKeptShare", Share>>;
  readonly from: string;
}

type Kind = "again" | "againWords";

function sizesOf(readings: ReadonlyMap<string, Reading>, kind: Kind, l2Bytes: number): readonly Size[] {
  const sizes: Size[] = [];
  for (const [name, { value }] of readings) {
    const [, of, size, unit] = /^l2\.(\w+)\.(\d+)(MiB)?$/.exec(name) ?? [];
    const first = readings.get(name.replace("again", "first"));
    if (of !== kind || first === undefined) continue;
    const share = unit === undefined ? Number(size) / 100 : (Number(size) * 2 ** 20) / l2Bytes;
    sizes.push({ share, again: value, first: first.value });
  }
  return sizes.sort((a, b) => a.share - b.share);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** The least-squares line through points. */
function line(points: readonly (readonly [x: number, y: number])[]): (x: number) => number {
  const n = points.length;
  const [mx, my] = [points.reduce((sum, [x]) => sum + x, 0) / n, points.reduce((sum, [, y]) => sum + y, 0) / n];
  const slope =
    points.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) / points.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
  return (x) => my + slope * (x - mx);
}

/** Where the share that misses grows past `level`, between two sizes. */
function crossing(misses: readonly (readonly [share: number, missing: number])[], level: number): number | undefined {
  const at = misses.findIndex(([, missing]) => missing >= level);
  const [before, after] = [misses[at - 1], misses[at]];
  if (before === undefined || after === undefined) return undefined;
  return before[0] + ((level - before[1]) / (after[1] - before[1])) * (after[0] - before[0]);
}

/** undefined where the readings do not show it. */
function bounds(sizes: readonly Size[]): readonly [all: number, none: number] | undefined {
  const beyond = sizes.filter(({ share }) => share >= 1.15);
  const within = sizes.filter(({ share }) => share <= 0.6).slice(0, 4);
  if (beyond.length === 0 || within.length < 3) return undefined;
  // Far beyond L2 both are the same launch: what they differ by is the wait for the launch.
  const wait = median(beyond.map(({ again, first }) => again - first));
  const hit = line(within.map(({ share, again }) => [share, again - wait]));
  const misses = sizes.map(
    ({ share, again, first }) => [share, (again - wait - hit(share)) / (first - hit(share))] as const,
  );
  const [all, none] = [crossing(misses, 0.1), crossing(misses, 0.95)];
  return all === undefined || none === undefined || none <= all ? undefined : [all, none];
}

function shareOf(values: readonly number[]): Share {
  const digits = (value: number): number => Number(value.toFixed(2));
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { value: digits(mean), spread: [digits(Math.min(...values)), digits(Math.max(...values))] };
}

/** The mean of the kernels that read: what is kept depends on the order in which they ask. */
export function keptShares(readings: ReadonlyMap<string, Reading>, l2Bytes: number): KeptShares | undefined {
  const kinds = (["again", "againWords"] as const).map((kind) => bounds(sizesOf(readings, kind, l2Bytes)));
  const found = kinds.filter((each) => each !== undefined);
  if (found.length === 0) return undefined;
  const first = [...readings.values()].find(({ name }) => name.startsWith("l2.again"))!;
  return {
    shares: {
      "l2.allKeptShare": shareOf(found.map(([all]) => all)),
      "l2.noneKeptShare": shareOf(found.map(([, none]) => none)),
    },
    from: `${first.from} and larger spans, beside first reads`,
  };
}
