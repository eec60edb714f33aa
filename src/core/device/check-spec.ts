/** Refuses a device whose numbers are missing or impossible, by the name of the field. */
import { InputError } from "../base/errors.js";
import { checkArgument, type Shape, shape } from "../base/shape.js";
import { shown } from "../base/shown.js";
import { rangeOf } from "./field-ranges.js";
import { fieldPaths, type Group, isGroup } from "./fields.js";
import { isDeeplyFrozen } from "./freeze.js";
import { h200 } from "./gpus/h200.js";
import type { DeviceSpec, OccupancySpec } from "./spec.js";

/** Fields that may be 0. */
const ZERO_ALLOWED: ReadonlySet<string> = new Set([
  "computeCapability.minor",
  "limits.sharedReservedBytesPerBlock",
  "sharedMemory.latencyPerExtraWavefrontCycles",
  "sharedMemory.atomicLatencyPerExtraLaneCycles",
  "barrier.baseLatencyCycles",
  "barrier.perWarpCycles",
  "l2.strongLineCycles",
  "atomics.sameAddressLaneCycles",
  "launch.residencyPerWarpCycles",
]);

/** Fields that count things, and so are whole. Sizes in bytes are as well. */
const WHOLE =
  /^(computeCapability\.(major|minor)|smCount|warpSize|schedulersPerSm|issueWidthPerScheduler|sharedMemory\.(banks|bankWidthBytes)|limits\..*|.*Bytes|dram\.busWidthBits|transfers\.copyEngines|dynamicParallelism\.(maxDepth|pendingLaunchLimit)|l1\.maxOutstandingMisses)$/;

export function isWhole(field: string): boolean {
  return WHOLE.test(field);
}

/** Groups and fields that may be null, since not every GPU has them. */
const NULL_ALLOWED: ReadonlySet<string> = new Set([
  "limits.barriersPerSm",
  "pipes.shuffle",
  "pipes.match",
  "matchAny",
  "pipes.redux",
  "pipes.uniform",
  "l1.maxOutstandingMisses",
  "dynamicParallelism",
  "dynamicParallelism.awaitedIntervalMicroseconds",
  "dynamicParallelism.maxDepth",
  "dynamicParallelism.pendingLaunchLimit",
]);

/** The fields of a device: those of the H200, whose groups are all there. */
export const DEVICE_FIELDS: readonly string[] = fieldPaths(h200);

const OCCUPANCY_FIELDS = DEVICE_FIELDS.filter((path) => /^(computeCapability|smCount|warpSize|limits)\b/.test(path));

/** A field of a device that is missing or impossible. */
export class DeviceFieldError extends InputError {
  readonly field: string;
  readonly problem: string;
  constructor(device: string, field: string, problem: string, cure: string) {
    super({ what: `Device ${device}: ${field} ${problem}.`, cure });
    this.field = field;
    this.problem = problem;
  }
}

function refuse(device: string, field: string, problem: string, cure: string): never {
  throw new DeviceFieldError(device, field, problem, cure);
}

/** The value at a dotted path; null if it or a group on the way is null and may be. */
function valueAt(device: string, spec: Group, path: string): unknown {
  let value: unknown = spec;
  const walked: string[] = [];
  for (const part of path.split(".")) {
    const field = walked.join(".");
    if (!isGroup(value)) {
      refuse(device, field, value === undefined ? "is missing" : `is ${shown(value)}`, `Give ${field} its fields.`);
    }
    walked.push(part);
    value = value[part];
    if (value === null && NULL_ALLOWED.has(walked.join("."))) return null;
  }
  return value;
}

function checkNumber(device: string, field: string, value: unknown): void {
  const cure = `Give ${field} a number in the unit of its name, with its source; copy a device that has it and change that.`;
  if (value === undefined || value === null) refuse(device, field, "is missing", cure);
  if (typeof value !== "number" || !Number.isFinite(value)) {
    refuse(device, field, `is ${shown(value)}, which is no finite number`, cure);
  }
  if (value < 0) refuse(device, field, `is ${value}, but cannot be negative`, cure);
  if (value === 0 && !ZERO_ALLOWED.has(field)) refuse(device, field, "is 0, but must be more", cure);
  const { low, high } = rangeOf(field);
  if (value !== 0 && (value < low || value > high)) {
    refuse(
      device,
      field,
      `is ${value}, which no hardware has: the simulator takes ${low} to ${high}`,
      `Give ${field} a number of that range in the unit of its name.`,
    );
  }
  if (isWhole(field) && !Number.isInteger(value)) refuse(device, field, `is ${value}, but must be whole`, cure);
}

function checkList(device: string, field: string, value: unknown): void {
  if (!Array.isArray(value)) refuse(device, field, "is missing or no list", `Give ${field} a list of numbers.`);
  const list: readonly unknown[] = value;
  if (/(Dim)$/.test(field) && list.length !== 3) {
    refuse(device, field, `has ${list.length} entries`, "Give it three numbers: x, y, z.");
  }
  for (const [index, entry] of list.entries()) {
    // A carve-out of 0 leaves all of the memory to L1.
    if (field.endsWith("sharedCarveoutsBytes") && entry === 0) continue;
    checkNumber(device, `${field}[${index}]`, entry);
    if (!Number.isInteger(entry)) refuse(device, `${field}[${index}]`, `is ${shown(entry)}`, "Give a whole number.");
  }
}

function checkField(device: string, spec: Group, path: string): void {
  const value = valueAt(device, spec, path);
  if (value === null && isNullAllowed(path)) return;
  if (path.endsWith(".sharedBy")) {
    if (value === "scheduler" || value === "sm") return;
    refuse(device, path, `is ${shown(value)}`, 'Give "scheduler" or "sm".');
  }
  if (path === "warpScheduling") {
    if (value === "greedyThenYoungest" || value === "greedyUntilYield" || value === "looseRoundRobin") return;
    refuse(device, path, `is ${shown(value)}`, 'Give "greedyThenYoungest", "greedyUntilYield" or "looseRoundRobin".');
  }
  if (path === "l1.cachesGlobalLoads" || path === "l1.storesEvict" || path === "transfers.allocationsWait") {
    if (typeof value === "boolean") return;
    refuse(device, path, `is ${shown(value)}`, "Give true or false.");
  }
  if (/(maxBlockDim|maxGridDim|doubleUnitRegisterCounts|sharedCarveoutsBytes)$/.test(path)) {
    checkList(device, path, value);
  } else {
    checkNumber(device, path, value);
  }
}

export function isNullAllowed(path: string): boolean {
  const parts = path.split(".");
  return parts.some((_, index) => NULL_ALLOWED.has(parts.slice(0, index + 1).join(".")));
}

/** Refuses a field that no device has, most likely a misspelt one that would change nothing. */
function checkNoOthers(device: string, group: Group, path: string, shape: readonly string[]): void {
  const known = new Set(
    shape.filter((field) => field.startsWith(path)).map((field) => field.slice(path.length).split(".")[0] ?? ""),
  );
  for (const [key, part] of Object.entries(group)) {
    if (!known.has(key)) {
      refuse(device, path + key, "is no field of a device", `Fields there: ${[...known].join(", ")}.`);
    }
    const isGroupOfFields = shape.some((field) => field.startsWith(`${path}${key}.`));
    if (isGroupOfFields && isGroup(part)) checkNoOthers(device, part, `${path}${key}.`, shape);
  }
}

/** A relation that must hold between fields: [what must hold, whether it does, the cure]. */
type Relation = readonly [field: string, holds: boolean, problem: string, cure: string];

function occupancyRelations(spec: OccupancySpec): readonly Relation[] {
  const { limits } = spec;
  const carveouts = limits.sharedCarveoutsBytes;
  const largest = carveouts[carveouts.length - 1];
  return [
    ["warpSize", spec.warpSize === 32, `is ${spec.warpSize}`, "The simulator's warps have 32 lanes; give 32."],
    [
      "limits.maxThreadsPerSm",
      limits.maxThreadsPerSm === limits.maxWarpsPerSm * spec.warpSize,
      `is ${limits.maxThreadsPerSm}, but limits.maxWarpsPerSm (${limits.maxWarpsPerSm}) warps of ${spec.warpSize} are ${limits.maxWarpsPerSm * spec.warpSize}`,
      "Change both together.",
    ],
    [
      "limits.maxThreadsPerBlock",
      limits.maxThreadsPerBlock <= limits.maxThreadsPerSm && limits.maxThreadsPerBlock % spec.warpSize === 0,
      `is ${limits.maxThreadsPerBlock}, with ${limits.maxThreadsPerSm} threads an SM and warps of ${spec.warpSize}`,
      "Give a multiple of the warp size that fits on an SM.",
    ],
    [
      "limits.maxBlockDim",
      limits.maxBlockDim.every((extent) => extent <= limits.maxThreadsPerBlock),
      `is ${limits.maxBlockDim.join(" x ")}, but a block has at most ${limits.maxThreadsPerBlock} threads`,
      "Lower it, or raise limits.maxThreadsPerBlock.",
    ],
    [
      "limits.registersPerBlock",
      limits.registersPerBlock <= limits.registersPerSm,
      `is ${limits.registersPerBlock}, more than the SM's ${limits.registersPerSm}`,
      "Lower it, or raise limits.registersPerSm.",
    ],
    [
      "limits.registersPerSm",
      limits.registersPerSm % (limits.registerFileParts * limits.registerAllocationUnit) === 0,
      `is ${limits.registersPerSm}, which does not divide into ${limits.registerFileParts} parts of units of ${limits.registerAllocationUnit}`,
      "Give a multiple of limits.registerFileParts x limits.registerAllocationUnit.",
    ],
    [
      "limits.sharedBytesPerBlock",
      limits.sharedBytesPerBlock <= limits.sharedBytesPerBlockOptIn,
      `is ${limits.sharedBytesPerBlock}, more than a kernel can opt in to (${limits.sharedBytesPerBlockOptIn})`,
      "Raise limits.sharedBytesPerBlockOptIn too.",
    ],
    [
      "limits.sharedBytesPerBlockOptIn",
      limits.sharedBytesPerBlockOptIn + limits.sharedReservedBytesPerBlock <= limits.sharedBytesPerSm,
      `is ${limits.sharedBytesPerBlockOptIn}, and with ${limits.sharedReservedBytesPerBlock} reserved does not fit in the SM's ${limits.sharedBytesPerSm}`,
      "Lower it, or raise limits.sharedBytesPerSm.",
    ],
    [
      "limits.sharedCarveoutsBytes",
      largest === limits.sharedBytesPerSm && carveouts.every((size, i) => i === 0 || size > (carveouts[i - 1] ?? 0)),
      `is ${carveouts.join(", ")}`,
      `Give ascending sizes that end with limits.sharedBytesPerSm (${limits.sharedBytesPerSm}).`,
    ],
  ];
}

function cacheRelations({ l1, l2, limits }: DeviceSpec): readonly Relation[] {
  return [
    [
      "l1.capacityBytes",
      l1.capacityBytes >= limits.sharedBytesPerSm,
      `is ${l1.capacityBytes}, less than the shared memory (${limits.sharedBytesPerSm}) that lies in it`,
      "Raise it, or lower limits.sharedBytesPerSm.",
    ],
    ["l1.lineBytes", l1.lineBytes === 128, `is ${l1.lineBytes}`, "Every GPU's line has 128 bytes; give 128."],
    [
      "l1.sectorBytes",
      l1.lineBytes % l1.sectorBytes === 0,
      `is ${l1.sectorBytes}, which does not divide the line (${l1.lineBytes})`,
      "Give 32 (or 128 where the line is fetched whole).",
    ],
    [
      "l1.missBytes",
      l1.missBytes % l1.sectorBytes === 0 && l1.missBytes <= l1.lineBytes,
      `is ${l1.missBytes}, with sectors of ${l1.sectorBytes} in lines of ${l1.lineBytes}`,
      "Give whole sectors, a line at the most.",
    ],
    ["l2.sectorBytes", l2.sectorBytes === 32, `is ${l2.sectorBytes}`, "Every GPU's L2 sector has 32 bytes; give 32."],
    [
      "l2.fetchBytes",
      l2.fetchBytes % l2.sectorBytes === 0 && l2.fetchBytes <= l2.lineBytes,
      `is ${l2.fetchBytes}, with sectors of ${l2.sectorBytes} in lines of ${l2.lineBytes}`,
      "Give whole sectors, a line at the most.",
    ],
    [
      "l2.partitions",
      l2.partitions === 1 || l2.partitions === 2,
      `is ${l2.partitions}`,
      "Give 2 where L2 is in two halves (A100, H100, H200), else 1.",
    ],
    [
      "l2.noneKeptShare",
      l2.noneKeptShare > l2.allKeptShare,
      `is ${l2.noneKeptShare}, no more than allKeptShare (${l2.allKeptShare})`,
      "Change l2.allKeptShare or l2.noneKeptShare.",
    ],
    [
      "l2.hitLatencyCycles",
      l2.hitLatencyCycles > l1.hitLatencyCycles,
      `is ${l2.hitLatencyCycles}, no more than L1's (${l1.hitLatencyCycles})`,
      "Give the latency from the load's issue, L1 missed.",
    ],
  ];
}

function timingRelations(spec: DeviceSpec): readonly Relation[] {
  const { l2, dram, limits, sharedMemory } = spec;
  const fraction = (
    name: "achievableReadFraction" | "achievableWriteFraction" | "achievableCopyFraction",
  ): Relation => [`dram.${name}`, dram[name] <= 1, `is ${dram[name]}`, "Give the share of the peak, 0 to 1."];
  return [
    [
      "limits.maxWarpsPerSm",
      limits.maxWarpsPerSm % spec.schedulersPerSm === 0,
      `is ${limits.maxWarpsPerSm}, which ${spec.schedulersPerSm} schedulers cannot share equally`,
      "Change limits.maxWarpsPerSm or schedulersPerSm.",
    ],
    [
      "sharedMemory.banks",
      Number.isInteger(Math.log2(sharedMemory.banks)),
      `is ${sharedMemory.banks}`,
      "Give a power of two.",
    ],
    [
      "sharedMemory.bankWidthBytes",
      sharedMemory.bankWidthBytes === 4 || sharedMemory.bankWidthBytes === 8,
      `is ${sharedMemory.bankWidthBytes}`,
      "Give 4 or 8.",
    ],
    ...cacheRelations(spec),
    [
      "dram.latencyCycles",
      dram.latencyCycles > l2.hitLatencyCycles,
      `is ${dram.latencyCycles}, no more than L2's (${l2.hitLatencyCycles})`,
      "Give the latency from the load's issue, both caches missed.",
    ],
    fraction("achievableReadFraction"),
    fraction("achievableWriteFraction"),
    fraction("achievableCopyFraction"),
  ];
}

function checkRelations(device: string, relations: readonly Relation[]): void {
  for (const [field, holds, problem, cure] of relations) if (!holds) refuse(device, field, problem, cure);
}

/** Fields are named where they are wrong; here it counts that all can be read. */
export function canRead(value: unknown): boolean {
  return typeof value !== "object" || value === null || Object.values(value).every(canRead);
}

const deviceShape: Shape = shape(
  "a device: one of the package's, or a copy with other numbers",
  (value) => typeof value === "object" && value !== null && !Array.isArray(value) && canRead(value),
);

function checkNames(spec: OccupancySpec): string {
  checkArgument("A GPU's check", "device", spec, deviceShape);
  const device = typeof spec.id === "string" && spec.id !== "" ? spec.id : "(without id)";
  for (const field of ["id", "name", "architecture", "codename"] as const) {
    if (typeof spec[field] === "string" && spec[field] !== "") continue;
    refuse(device, field, "is missing", "Give it a text.");
  }
  return device;
}

/** Devices that passed and cannot change any more: every launch asks anew. */
const passed = new WeakSet<DeviceSpec>();
const passedOccupancy = new WeakSet<OccupancySpec>();

/**
 * Checks what occupancy and launch limits need.
 * @throws InputError naming the field, with the cure.
 */
export function checkOccupancySpec(spec: OccupancySpec): void {
  if (passedOccupancy.has(spec)) return;
  const device = checkNames(spec);
  const group: Group = { ...spec };
  for (const path of OCCUPANCY_FIELDS) checkField(device, group, path);
  checkRelations(device, occupancyRelations(spec));
  if (isDeeplyFrozen(spec)) passedOccupancy.add(spec);
}

/**
 * Checks a whole device: each number present and possible, and in the right relation to the others. The sources of a
 * learner's own device are not asked for.
 * @throws InputError naming the field, with the cure.
 */
export function checkDevice(spec: DeviceSpec): void {
  if (passed.has(spec)) return;
  checkOccupancySpec(spec);
  const group: Group = { ...spec };
  for (const path of DEVICE_FIELDS) checkField(spec.id, group, path);
  checkNoOthers(spec.id, group, "", [...Object.keys(h200), ...DEVICE_FIELDS]);
  checkRelations(spec.id, timingRelations(spec));
  if (isDeeplyFrozen(spec)) passed.add(spec);
}
