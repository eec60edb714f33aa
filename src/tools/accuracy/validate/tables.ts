/**
 * The measured and published tables, each as launches to simulate with the numbers to compare. The numbers stand in
 * test/reference/ and labs/published/, outside of the simulator's code, which must not know them.
 */
import { InputError } from "../../../core/base/errors.js";
import { deviceById } from "../../../core/device/index.js";
import type { Dim3 } from "../../../core/engine/engine.js";
import type { KernelIr } from "../../../core/ir/ir.js";
import { inPlaceReductions } from "../../../course/reductions/in-place-kernels.js";
import { publishedTable } from "../../../course/reductions/published.js";
import {
  example03Reductions,
  labReductions,
  type ReductionVersion,
  reductionShape,
} from "../../../course/reductions/reductions.js";
import { NO_NUMBERS } from "../compared-numbers.js";
import type { ArrayName } from "../measured-arrays.js";
import {
  AS_MODELLED,
  type Counters,
  type MeasuredLaunch,
  type MeasuredTable,
  numbersOf,
  REFERENCE,
  readReference,
  type ValidationArgument,
  warpsOf,
} from "../measured-table.js";
import { cudaTables } from "./cuda-tables.js";
import { beyondEvents, CLOCK_WORDS, type Clock, firstLaunchMicroseconds } from "./host-clock.js";
import { rtx3080Nvbench, v100Doubles, v100Notes } from "./published-tables.js";

interface LabRow {
  readonly kernel: string;
  readonly n: number;
  readonly grid: number;
  readonly block: number;
  readonly shared_bytes: number;
  readonly time_ms_cold_L2: { readonly median: number };
  readonly time_ms_warm_L2: { readonly median: number };
  readonly counters: Counters;
}

/** The names under which the labs' kernels were measured. */
const MEASURED_LABS: readonly string[] = [
  "lab25_interleaved_divergent",
  "lab25_interleaved_nondivergent",
  "lab26_sequential",
  "lab27_first_add",
  "lab28_last_warp",
];

function labVersionOf(measuredName: string): ReductionVersion {
  const version = measuredName.startsWith("ex03_v")
    ? example03Reductions[Number(measuredName.slice(6)) - 1]
    : labReductions[MEASURED_LABS.indexOf(measuredName)];
  if (version === undefined) {
    throw new InputError({
      what: `${REFERENCE}/h200/measured/labs.json has a row of "${measuredName}", which no kernel here stands for.`,
      cure: `Name one of ${MEASURED_LABS.join(", ")}, ex03_v1 to ex03_v5.`,
    });
  }
  return version;
}

/** The arguments of a ladder's kernel: its input, its output, and the size where it asks for it. */
function ladderArguments(version: ReductionVersion, n: number): readonly ValidationArgument[] {
  const arrays: readonly ArrayName[] = version.element === "i32" ? ["I", "O"] : ["F", "H"];
  return version.guarded ? [...arrays, n] : arrays;
}

function h200Labs(cache: "cold" | "warm"): MeasuredTable {
  const file = readReference("h200/measured/labs.json") as {
    readonly device: string;
    readonly rows: readonly LabRow[];
  };
  const { smCount } = deviceById("h200");
  const launches = file.rows.map((row): MeasuredLaunch => {
    const version = labVersionOf(row.kernel);
    const grid: Dim3 = [row.grid, 1, 1];
    const block: Dim3 = [row.block, 1, 1];
    const numbers = numbersOf(row.counters, warpsOf(grid, block), smCount, row.time_ms_cold_L2.median);
    return {
      id: `${version.id}, block ${row.block}`,
      kernel: version.kernel.ir,
      grid,
      block,
      dynamicSharedBytes: row.shared_bytes,
      args: ladderArguments(version, row.n),
      cache,
      measured: cache === "cold" ? numbers : { ...NO_NUMBERS, timeMs: row.time_ms_warm_L2.median },
    };
  });
  const state = cache === "cold" ? "" : ", warm";
  return {
    id: cache === "cold" ? "h200-labs" : "h200-labs-warm",
    title: `Labs 25 to 28, Example 03${state}`,
    device: "h200",
    source: `measured for this project on an ${file.device}`,
    counted: true,
    note:
      cache === "cold"
        ? "Counters are of another run, by Nsight Compute."
        : "Each launch repeated at once: its data is in L2 as far as it fits.",
    conditions: AS_MODELLED,
    launches,
  };
}

interface InPlaceRow {
  readonly version: string;
  readonly time_ms: number;
  readonly metrics: Readonly<Record<string, unknown>>;
}

interface InPlaceFile {
  readonly id: string;
  readonly device: string;
  readonly kind: string;
  readonly source: string;
  readonly n: number;
  readonly block: number;
  readonly notes: string;
  readonly timer: Clock;
  readonly clockMHz?: number;
  readonly clockSource?: string;
  /** Time that this machine's clock shows beyond the kernel's duration, where the source tells. */
  readonly beyondKernelMicroseconds?: number;
  readonly beyondKernelSource?: string;
  /** How much longer than else kernels take by the profiler's rates. */
  readonly countersSlowdown?: number;
  readonly rows: readonly InPlaceRow[];
}

function inPlace(file: InPlaceFile): MeasuredTable {
  const launches = file.rows.flatMap((row): readonly MeasuredLaunch[] => {
    // The book's first launch runs the first version's kernel once before, to warm the GPU up.
    const title = row.version === "warmup" ? "reduceNeighbored" : row.version;
    const version = inPlaceReductions.find((each) => each.title === title);
    if (version === undefined) return [];
    const others = ["time_ms_2nd_run", "time_ms_other_runs"]
      .flatMap((name) => row.metrics[name])
      .filter((value): value is number => typeof value === "number");
    const metric = (...names: readonly string[]): number | null => {
      const value = names.map((name) => row.metrics[name]).find((each) => each !== undefined);
      return typeof value === "number" ? value : null;
    };
    const derived = metric("duration_us_derived");
    return [
      {
        id: row.version,
        kernel: version.kernel.ir,
        grid: [file.n / file.block / version.dataBlocks, 1, 1],
        block: [file.block, 1, 1],
        dynamicSharedBytes: 0,
        args: ["W", "O", file.n],
        cache: "cold",
        measured: {
          ...NO_NUMBERS,
          timeMs: row.time_ms,
          durationMicroseconds: derived === null ? null : derived / (file.countersSlowdown ?? 1),
          instructionsPerWarp: metric("inst_per_warp"),
          branchEfficiencyPercent: metric("branch_efficiency_pct", "branch_targets_uniform_pct"),
          globalLoadEfficiencyPercent: metric("gld_efficiency_pct", "ld_efficiency_pct"),
          globalStoreEfficiencyPercent: metric("gst_efficiency_pct", "st_efficiency_pct"),
        },
        ...(others.length === 0 ? {} : { runsMs: [row.time_ms, ...others] }),
      },
    ];
  });
  return {
    id: file.id,
    title: "Reductions in global memory",
    device: file.device,
    source: file.source,
    counted: true,
    note: [
      file.notes,
      `Simulated for ${CLOCK_WORDS[file.timer]}, ${file.beyondKernelSource ?? "as an H200's host has it behind a copy"}.`,
      file.clockMHz === undefined ? "" : `Simulated at ${file.clockMHz} MHz: ${file.clockSource}.`,
    ]
      .filter((part) => part !== "")
      .join(" "),
    conditions: {
      clockMHz: file.clockMHz ?? null,
      timerMicroseconds:
        file.beyondKernelMicroseconds === undefined
          ? firstLaunchMicroseconds(file.timer)
          : beyondEvents(file.beyondKernelMicroseconds, file.device),
    },
    launches,
  };
}

/** A published ladder, on the GPU that stands for the source's or on another. */
function ladder(id: "lab-28" | "example-03", device?: string): MeasuredTable {
  const published = publishedTable(id);
  const versions = id === "lab-28" ? labReductions : example03Reductions;
  const doubtful = published.doubt !== undefined;
  const launches = published.rows.flatMap((row): readonly MeasuredLaunch[] => {
    const version = versions.find((each) => each.id === row.version);
    if (version === undefined) return [];
    const { blocks } = reductionShape(version, published.n, published.block);
    return [
      {
        id: version.id,
        kernel: version.kernel.ir,
        grid: [blocks, 1, 1],
        block: [published.block, 1, 1],
        dynamicSharedBytes: published.block * 4,
        args: ladderArguments(version, published.n),
        // The labs' host program runs the kernel once before the timed launch.
        cache: id === "lab-28" ? "warm" : "cold",
        measured: { ...NO_NUMBERS, timeMs: row.timeMs },
      },
    ];
  });
  return {
    id: doubtful ? `${id}-doubtful` : id,
    title: `${published.title}, ${doubtful ? "published, doubtful" : "published for an unnamed GPU"}`,
    device: device ?? published.device,
    source: published.source,
    counted: !doubtful,
    note: doubtful
      ? `${published.doubt} Not in the means.`
      : `The source's GPU: ${published.gpu}. Its clock is not known; the host program runs each kernel once before it is timed.`,
    conditions: AS_MODELLED,
    launches,
  };
}

/**
 * All tables. `measured`: the kernels of the CUDA texts in test/reference/h200 and test/reference/published, by name; null leaves
 * their tables out.
 * @throws InputError where a file is missing or names an unknown kernel.
 */
export function validationTables(measured: ReadonlyMap<string, KernelIr> | null): readonly MeasuredTable[] {
  const published = readReference("published/reductions.json") as readonly InPlaceFile[];
  return [
    h200Labs("cold"),
    ...(measured === null ? [] : cudaTables(measured, "cold")),
    ...published.filter(({ kind }) => kind === "reduction").map(inPlace),
    ...(measured === null ? [] : [v100Doubles(measured), ...v100Notes(measured), rtx3080Nvbench(measured)]),
    ladder("lab-28"),
    h200Labs("warm"),
    ...(measured === null ? [] : cudaTables(measured, "warm")),
    ladder("example-03"),
  ];
}
