/** The SMs of several GPUs side by side, as a table of their parts. */
import { checkArgument, either, listOf, object, string } from "../base/shape.js";
import {
  checkDevice,
  type DeviceId,
  type DeviceSpec,
  deviceById,
  type IdOr,
  type SmParts,
  smParts,
} from "../device/index.js";
import { count, formatNumber } from "./number-format.js";
import { type Table, table } from "./table.js";

const number = (value: number): string => formatNumber(value, count);
/** KiB, as CUDA's documents say KB. */
export const kibibytes = (bytes: number): string => `${number(bytes / 1024)} KiB`;

/** "16 x 4 = 64", or "16" where the schedulers share the unit. */
function lanesText({ units, schedulers }: SmParts, title: string): string {
  const unit = units.find((each) => each.title === title);
  if (unit === undefined) return "";
  const { lanes, lanesPerSm, sharedBy } = unit;
  return sharedBy === "scheduler" ? `${schedulers} x ${lanes} = ${lanesPerSm}` : `${lanesPerSm}, shared`;
}

type Row = readonly [part: string, text: (device: DeviceSpec, parts: SmParts) => string];

const ROWS: readonly Row[] = [
  [
    "Architecture, compute capability",
    ({ architecture, computeCapability: { major, minor } }) => `${architecture}, ${major}.${minor}`,
  ],
  ["SMs on the GPU", ({ smCount }) => number(smCount)],
  ["Schedulers", (_, { schedulers }) => number(schedulers)],
  ["Warp instructions a scheduler issues a cycle", ({ issueWidthPerScheduler }) => number(issueWidthPerScheduler)],
  ["Schedulers' clock (MHz)", ({ smClockMHz }) => formatNumber(smClockMHz, { significant: 4 })],
  ["Lanes' clock (MHz)", ({ smClockMHz }, { lanesClock }) => formatNumber(smClockMHz * lanesClock, { significant: 4 })],
  ["INT lanes", (_, parts) => lanesText(parts, "INT")],
  ["FP32 lanes", (_, parts) => lanesText(parts, "FP32")],
  ["FP64 lanes", (_, parts) => lanesText(parts, "FP64")],
  ["Special function lanes (SFU)", (_, parts) => lanesText(parts, "SFU")],
  ["Load/store lanes", (_, parts) => lanesText(parts, "LD/ST")],
  ["Places for warps", ({ limits }) => number(limits.maxWarpsPerSm)],
  ["Places for blocks", ({ limits }) => number(limits.maxBlocksPerSm)],
  ["Registers of 32 bits", ({ limits }) => number(limits.registersPerSm)],
  ["Most registers a thread", ({ limits }) => number(limits.maxRegistersPerThread)],
  ["L1 and shared memory, one memory", (_, { l1AndSharedBytes }) => kibibytes(l1AndSharedBytes)],
  ["Most of it as shared memory", ({ limits }) => kibibytes(limits.sharedBytesPerSm)],
  ["Most shared memory a block", ({ limits }) => kibibytes(limits.sharedBytesPerBlockOptIn)],
];

/**
 * A column for each GPU, from its specification.
 * @throws InputError for no GPU, or an unknown id.
 * @example display(smTable("m2070", "v100"));
 */
export function smTable(...gpus: readonly [IdOr<DeviceId> | DeviceSpec, ...(IdOr<DeviceId> | DeviceSpec)[]]): Table {
  checkArgument("smTable", "gpus", gpus, listOf(either(string, object), 1));
  const specs = gpus.map((gpu) => (typeof gpu === "string" ? deviceById(gpu) : gpu));
  for (const spec of specs) checkDevice(spec);
  const rows = ROWS.map(([part, text]) => ({
    part,
    ...Object.fromEntries(specs.map((spec) => [spec.id, text(spec, smParts(spec))])),
  }));
  return table<Readonly<Record<string, string>>>({
    title: "One SM",
    columns: [
      { key: "part", title: "Part" },
      ...specs.map(({ id, name }) => ({ key: id, title: name, align: "right" as const })),
    ],
    rows,
    note: "From the simulator's specifications; sourceRows(gpu.device) has the source of each number. Lanes: schedulers x lanes.",
  });
}
