/** A ladder of reductions, simulated on one GPU: times, bandwidths, speed-ups, results, and published numbers beside. */
import {
  anything,
  boolean,
  callable,
  checkOptions,
  type Fields,
  finite,
  listOf,
  object,
  objectWith,
  oneOf,
  optional,
  orNull,
  positive,
  type Shape,
  string,
} from "../../core/base/shape.js";
import type { DeviceId, DeviceSpec, IdOr } from "../../core/device/index.js";
import { Gpu } from "../../core/host/gpu.js";
import { deviationPercent } from "../../core/show/comparison.js";
import { speedups, type VersionSpeed } from "../../core/show/speedup.js";
import { type PublishedTable, publishedTables } from "../reductions/published.js";
import {
  elementCount,
  ones,
  type ReductionRun,
  randomFloats,
  randomInts,
  runVersion,
} from "../reductions/reduction-run.js";
import {
  example03Reductions,
  labReductions,
  noteReductions,
  type ReductionVersion,
  warpReductions,
} from "../reductions/reductions.js";
import { type LadderId, ladderIds } from "./ladder-ids.js";

export type { LadderId };

interface LadderKind {
  readonly title: string;
  readonly versions: readonly ReductionVersion[];
  readonly input: "ones" | "random";
  /** As the source's host program leaves them: a run to warm up, or data that was just copied. */
  readonly cache: "cold" | "warm";
}

const ladders: Readonly<Record<LadderId, LadderKind>> = {
  "lab-28": { title: "Labs 25 to 28", versions: labReductions, input: "ones", cache: "warm" },
  "example-03": { title: "Example 03", versions: example03Reductions, input: "random", cache: "warm" },
  notes: { title: "Reductions in global memory", versions: noteReductions, input: "random", cache: "cold" },
  "warp-reduce": { title: "Warp Reduction Examples", versions: warpReductions, input: "random", cache: "warm" },
};

export interface LadderOptions {
  readonly ladder?: LadderId;
  /** A GPU or its id; default the one that stands for the published table's. */
  readonly device?: DeviceSpec | IdOr<DeviceId>;
  /** Elements; default as published, 2^24. */
  readonly n?: number;
  /** Threads a block, a power of two from 64 to 1024; default as published, such as 1024 for the labs. */
  readonly block?: number;
  /** The input's elements; default as in the source: ones in the labs, random numbers else. */
  readonly input?: "ones" | "random";
  /**
   * The contents of L2 when a kernel starts; default as in the source. "warm": the kernel ran once before, as in the
   * labs' host programs, and L2 holds as much of the input as fits. "cold": other data was written since.
   */
  readonly cache?: "cold" | "warm";
  /** Takes a line about what begins. */
  readonly say?: (line: string) => void;
}

export interface PublishedNumbers {
  readonly timeMs: number;
  readonly bandwidthGBps: number;
  readonly speedup: number;
  readonly bandwidthSpeedup: number | null;
}

/** 100 * (simulated - published) / published. */
export interface PublishedDeviations {
  readonly timeMs: number | null;
  readonly bandwidthGBps: number | null;
  readonly speedup: number | null;
}

export interface LadderRow {
  /** The version's title. */
  readonly version: string;
  /** The same for narrow columns. */
  readonly shortTitle: string;
  readonly id: string;
  readonly timeMs: number;
  /** Bytes of the n elements over the time, 10^9 bytes a second. */
  readonly bandwidthGBps: number;
  /** The first version's time over this one's. */
  readonly speedup: number;
  readonly bandwidthSpeedup: number;
  /** Bandwidth over the GPU's peak, 0 to 1. */
  readonly peakShare: number;
  readonly result: number;
  readonly expected: number;
  readonly correct: boolean;
  /** null where the published table is of another GPU, size or block. */
  readonly published: PublishedNumbers | null;
  readonly deviationPercent: PublishedDeviations | null;
}

export interface Ladder {
  readonly ladder: LadderId;
  readonly title: string;
  readonly element: "i32" | "f32";
  readonly device: DeviceSpec;
  readonly n: number;
  readonly block: number;
  readonly input: "ones" | "random";
  readonly cache: "cold" | "warm";
  readonly rows: readonly LadderRow[];
  /** The launches of the rows, in their order, with counters and stalls. */
  readonly runs: readonly ReductionRun[];
  readonly published: PublishedTable;
  /** Why no published number stands beside; empty where they do. */
  readonly unpublished: string;
}

const LADDER: Fields<LadderOptions> = {
  ladder: optional(oneOf(...ladderIds)),
  device: optional(anything),
  n: optional(elementCount),
  block: optional(elementCount),
  input: optional(oneOf("ones", "random")),
  cache: optional(oneOf("cold", "warm")),
  say: optional(callable),
};

const row: Shape = objectWith({
  version: string,
  shortTitle: string,
  timeMs: positive,
  bandwidthGBps: positive,
  speedup: positive,
  bandwidthSpeedup: positive,
  peakShare: finite,
  result: finite,
  correct: boolean,
  published: orNull(object),
  deviationPercent: orNull(object),
});

export const ladderShape: Shape = objectWith(
  {
    title: string,
    element: oneOf("i32", "f32"),
    device: objectWith({ id: string, name: string, dram: objectWith({ peakBandwidthGBps: positive }) }),
    n: elementCount,
    block: elementCount,
    cache: oneOf("cold", "warm"),
    rows: listOf(row),
    published: objectWith({ title: string, gpu: string, source: string, quality: string, rows: listOf(object) }),
    unpublished: string,
  },
  "what simulateLadder(...) returns",
);

interface Conditions {
  readonly device: DeviceSpec;
  readonly n: number;
  readonly block: number;
  readonly cache: "cold" | "warm";
}

/** In what a published table's conditions differ from these. */
function differences(published: PublishedTable, { device, n, block, cache }: Conditions): readonly string[] {
  const others: string[] = [];
  if (device.id !== published.device) others.push(`GPU (${published.gpu})`);
  if (n !== published.n) others.push(`size (${published.n})`);
  if (block !== published.block) others.push(`block (${published.block})`);
  if (published.cache !== undefined && published.cache !== cache) others.push(`state of L2 (${published.cache})`);
  return others;
}

function whyUnpublished(published: PublishedTable, conditions: Conditions): string {
  const others = differences(published, conditions);
  return others.length === 0
    ? ""
    : `No published numbers beside: those of ${published.title} are of another ${others.join(", ")}.`;
}

function inputOf(versions: readonly ReductionVersion[], n: number, kind: "ones" | "random"): Int32Array | Float32Array {
  if (versions[0]?.element === "f32") return kind === "ones" ? new Float32Array(n).fill(1) : randomFloats(n);
  return kind === "ones" ? ones(n) : randomInts(n);
}

function ladderRow(run: ReductionRun, speed: VersionSpeed, published: PublishedTable | null): LadderRow {
  const numbers = published?.rows.find((row) => row.version === run.version.id);
  const { timeMs, bandwidthGBps, timeSpeedup, bandwidthSpeedup } = speed;
  return {
    version: run.version.title,
    shortTitle: run.version.shortTitle,
    id: run.version.id,
    timeMs,
    bandwidthGBps,
    speedup: timeSpeedup,
    bandwidthSpeedup,
    peakShare: speed.peakShare ?? 0,
    result: run.result,
    expected: run.expected,
    correct: run.correct,
    published:
      numbers === undefined
        ? null
        : {
            timeMs: numbers.timeMs,
            bandwidthGBps: numbers.bandwidthGBps,
            speedup: numbers.timeSpeedup,
            bandwidthSpeedup: numbers.bandwidthSpeedup,
          },
    deviationPercent:
      numbers === undefined
        ? null
        : {
            timeMs: deviationPercent(timeMs, numbers.timeMs),
            bandwidthGBps: deviationPercent(bandwidthGBps, numbers.bandwidthGBps),
            speedup: deviationPercent(timeSpeedup, numbers.timeSpeedup),
          },
  };
}

/**
 * Runs every version of a ladder over the same input.
 * @throws InputError for a block or size that the versions do not work with, or an unknown GPU.
 */
export function simulateLadder(options: LadderOptions = {}): Ladder {
  checkOptions("simulateLadder", options, LADDER);
  const id = options.ladder ?? "lab-28";
  const kind = ladders[id];
  const tables = publishedTables(id);
  const [usual] = tables;
  if (usual === undefined) throw new Error(`labs/published has no table of ${id}`);
  const gpu = new Gpu(options.device ?? usual.device);
  const { cache = kind.cache, say = () => {} } = options;
  const ofGpu = tables.filter(({ device }) => device === gpu.device.id);
  const own = ofGpu.find((each) => (each.cache ?? cache) === cache) ?? ofGpu[0] ?? usual;
  const { n = own.n, block = own.block } = options;
  const conditions: Conditions = { device: gpu.device, n, block, cache };
  const published = tables.find((each) => differences(each, conditions).length === 0) ?? own;
  const input = options.input ?? kind.input;
  const data = inputOf(kind.versions, n, input);
  const runs = kind.versions.map((version) => {
    say(`${version.title} on ${gpu.device.name}, ${n} elements, block ${block} ...`);
    return runVersion(gpu, version, data, { block, cache });
  });
  const speeds = speedups(
    runs.map((run) => ({ version: run.version.title, timeMs: run.timeMs, bytes: run.bytes })),
    { peakGBps: gpu.device.dram.peakBandwidthGBps },
  );
  const unpublished = whyUnpublished(published, conditions);
  return {
    ladder: id,
    title: kind.title,
    element: kind.versions[0]?.element ?? "i32",
    device: gpu.device,
    n,
    block,
    input,
    cache,
    rows: runs.flatMap((run, index) => {
      const speed = speeds[index];
      return speed === undefined ? [] : [ladderRow(run, speed, unpublished === "" ? published : null)];
    }),
    runs,
    published,
    unpublished,
  };
}
