/** "What if it had twice the banks?": the same launches on a GPU and on variants of it, in one table and one figure. */
import { InputError } from "../base/errors.js";
import { callable, checkArgument, either, listOf, objectWith, optional, string } from "../base/shape.js";
import { summarized } from "../base/summary.js";
import { type DeviceId, type DeviceJson, type DeviceSpec, type IdOr, variantOf } from "../device/index.js";
import { type Activity, listen } from "../host/activity.js";
import { Gpu } from "../host/gpu.js";
import type { Shown } from "../show/display-data.js";
import { barFigure } from "../show/figures/bar-figure.js";
import { formatNumber, times } from "../show/number-format.js";
import { toText } from "../show/output/plain-text.js";
import { table } from "../show/table.js";
import type { Bound, StallReason } from "../timing/index.js";

/** A change of the GPU by its fields' paths, and the name that the table has for it. */
export interface Variant {
  readonly name: string;
  /** As "sharedMemory.banks=64", "dram.peakBandwidthGBps/2", several with commas. */
  readonly set: string;
}

const TEXT_WIDTH = 120;

/** What a learner asks first. */
export const COMMON_VARIANTS: readonly Variant[] = [
  { name: "twice the SMs", set: "smCount*2" },
  { name: "twice the banks", set: "sharedMemory.banks*2" },
  { name: "half the DRAM bandwidth", set: "dram.peakBandwidthGBps/2" },
  { name: "twice the DRAM bandwidth", set: "dram.peakBandwidthGBps*2" },
  { name: "half the L2", set: "l2.sizeBytes/2" },
  { name: "twice the L2", set: "l2.sizeBytes*2" },
];

export interface VariantLaunch {
  readonly kernel: string;
  readonly timeMs: number;
  readonly bound: Bound;
  readonly stall: StallReason;
}

/** All launches of one run on one device. */
export interface VariantRun {
  readonly launches: readonly VariantLaunch[];
  /** Stands for the values of all arrays at the end. */
  readonly values: string;
  /** Devices of the launches, by name. */
  readonly devices: readonly string[];
}

export interface WhatIfRow extends VariantLaunch {
  readonly variant: string;
  /** "" for the GPU as it is. */
  readonly set: string;
  /** Time over that of the GPU as it is. */
  readonly ratio: number;
  /** All arrays hold the same at the end. */
  readonly sameValues: boolean;
}

export interface WhatIf extends Shown {
  readonly rows: readonly WhatIfRow[];
  readonly text: string;
}

/** FNV-1a over the words of all arrays, by two bases. */
function valuesOf(activities: readonly Activity[]): string {
  let [first, second] = [0x811c9dc5, 0x9747b28c];
  for (const each of activities) {
    if (each.kind !== "malloc" || !Gpu.is(each.owner)) continue;
    const words = new Uint32Array(each.owner.memoryBuffer, each.address, each.bytes >> 2);
    for (const word of words) {
      first = Math.imul(first ^ word, 0x01000193);
      second = Math.imul(second ^ (word >>> 7) ^ word, 0x85ebca6b);
    }
  }
  return `${first >>> 0}-${second >>> 0}`;
}

/** The launches and the values among what happened in a run. */
export function variantRun(activities: readonly Activity[]): VariantRun {
  const launches = activities.flatMap((each) => (each.kind === "launch" ? [each.launch] : []));
  return {
    launches: launches.map(({ kernel, timeMs, time }) => ({
      kernel,
      timeMs,
      bound: time.bound,
      stall: time.dominantStall,
    })),
    values: valuesOf(activities),
    devices: [...new Set(launches.map(({ device }) => device.name))],
  };
}

function rowsOf(variant: string, set: string, run: VariantRun, base: VariantRun): readonly WhatIfRow[] {
  const same = run.launches.length === base.launches.length;
  return run.launches.map((launch, at) => ({
    variant,
    set,
    ...launch,
    ratio: launch.timeMs / (base.launches[same ? at : 0]?.timeMs ?? launch.timeMs),
    sameValues: run.values === base.values,
  }));
}

const total = ({ launches }: VariantRun): number => launches.reduce((sum, { timeMs }) => sum + timeMs, 0);

/** The table and the figure of runs: of the GPU as it is, and of its variants. */
export function whatIfOf(
  device: string,
  base: VariantRun,
  variants: readonly { readonly variant: Variant; readonly run: VariantRun }[],
): WhatIf {
  const asIs = "as it is";
  const rows = [
    ...rowsOf(asIs, "", base, base),
    ...variants.flatMap(({ variant, run }) => rowsOf(variant.name, variant.set, run, base)),
  ];
  const runs = [{ name: asIs, run: base }, ...variants.map(({ variant, run }) => ({ name: variant.name, run }))];
  const kernels = [...new Set(base.launches.map(({ kernel }) => kernel))].join(", ");
  const view = table({
    title: `${kernels} on ${device}: what if`,
    columns: [
      { key: "variant", title: "GPU" },
      { key: "set", title: "Changed" },
      { key: "kernel", title: "Kernel" },
      { key: "timeMs", title: "Event time", unit: "ms", format: { significant: 4 } },
      { key: "ratio", title: "Ratio", format: times },
      { key: "bound", title: "Bound by" },
      { key: "stall", title: "Warps wait for" },
      { key: "values", title: "Values" },
    ],
    rows: rows.map((row) => ({ ...row, values: row.sameValues ? "equal" : "differ" })),
    note: "Predicted. Ratio: time over that of the GPU as it is; below 1 is faster. Values: what all arrays hold at the end.",
  });
  const figure = barFigure({
    title: `${kernels} on ${device}: what if`,
    versions: runs.map(({ name }) => name),
    series: [{ name: "Event time", values: runs.map(({ run }) => total(run)) }],
    axisTitle: base.launches.length === 1 ? "Event time (ms)" : `Event time of ${base.launches.length} launches (ms)`,
    format: { significant: 3 },
    limit: { value: total(base), label: `as it is: ${formatNumber(total(base), { significant: 3 })} ms` },
  });
  return summarized({ rows, views: [view, figure], text: toText(view, { width: TEXT_WIDTH }) }, ({ text }) => text);
}

/** Each variant by its text or with a name; every name once. */
export function namedVariants(given: readonly (string | Variant)[]): readonly Variant[] {
  const variants = given.map((each) => (typeof each === "string" ? { name: each, set: each } : each));
  const names = variants.map(({ name }) => name);
  const repeated = names.find((name, at) => names.indexOf(name) !== at || name === "as it is");
  if (repeated === undefined) return variants;
  throw new InputError({
    what: `Two GPUs of a what-if are named "${repeated}".`,
    cure: "Give each variant a name of its own.",
  });
}

const variantShape = either(string, objectWith({ name: string, set: string }, '{ name, set: "l2.sizeBytes*2" }'));

/**
 * Runs the same launches on `device` and on each variant of it: times, what bounds them, and whether the values are the same.
 * `run` allocates, copies and launches on the GPU that it is given, and is called once for each.
 * @param variants such as "sharedMemory.banks=64"; default `COMMON_VARIANTS`
 * @throws InputError for a field that there is not or that the model cannot vary, and for a run without a launch.
 * @example
 * display(whatIf("v100", ["dram.peakBandwidthGBps/2"], (gpu) => gpu.launch(sum, { grid: 64, block: 256 }, { data: gpu.upload(ones(16384)) })));
 */
export function whatIf(
  device: DeviceSpec | DeviceJson | IdOr<DeviceId>,
  variants: readonly (string | Variant)[] | undefined,
  run: (gpu: Gpu) => unknown,
): WhatIf {
  checkArgument("whatIf", "variants", variants, optional(listOf(variantShape)));
  checkArgument("whatIf", "run", run, callable);
  const as = new Gpu(device);
  const named = namedVariants(variants ?? COMMON_VARIANTS);
  // All changes are refused before the first launch.
  const changed = named.map((variant) => ({ variant, gpu: new Gpu(variantOf(as.device, variant.set)) }));
  const base = runOn(as, run);
  return whatIfOf(
    as.device.name,
    base,
    changed.map(({ variant, gpu }) => ({ variant, run: runOn(gpu, run) })),
  );
}

function runOn(gpu: Gpu, run: (gpu: Gpu) => unknown): VariantRun {
  const recording = listen();
  let activities: readonly Activity[] = [];
  try {
    run(gpu);
  } finally {
    activities = recording.stop();
  }
  const own = variantRun(activities.filter(({ owner }) => owner === gpu));
  if (own.launches.length > 0) return own;
  throw new InputError({
    what: "The run of a what-if launched nothing on the GPU that it was given.",
    cure: "Launch on it: whatIf(device, variants, (gpu) => gpu.launch(kernel, config, args)).",
  });
}
