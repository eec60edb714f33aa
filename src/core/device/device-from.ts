/** A device of a file: the file's numbers, its generation's for the others, each with its source. */
import { InputError } from "../base/errors.js";
import { nearest } from "../base/nearest.js";
import { checkOptions, type Fields, object, oneOf, optional, shape, string } from "../base/shape.js";
import { shown } from "../base/shown.js";
import { canRead, checkDevice, DEVICE_FIELDS, DeviceFieldError } from "./check-spec.js";
import { defaultsFor, scaledTo } from "./device-defaults.js";
import { DEVICE_FORMAT, type DeviceEntry, type DeviceJson, type DeviceValue, sourceAt, unitOf } from "./device-json.js";
import { frozenDevice } from "./device-summary.js";
import { rangeOf } from "./field-ranges.js";
import { deviceFields, isGroup } from "./fields.js";
import type { Confidence, Source } from "./source.js";
import type { ComputeCapability, DeviceSpec } from "./spec.js";

const SHAPE: Fields<DeviceJson> = {
  format: oneOf(DEVICE_FORMAT),
  id: string,
  name: string,
  architecture: optional(string),
  codename: optional(string),
  like: optional(string),
  source: optional(string),
  numbers: shape("an object of numbers by their paths", (value) => isGroup(value) && canRead(value)),
};

/** What NVIDIA publishes of every GPU, and no generation has in common. */
export const REQUIRED_FIELDS: readonly string[] = [
  "computeCapability",
  "smCount",
  "smClockMHz",
  "limits.totalGlobalMemBytes",
  "l2.sizeBytes",
  "dram.peakBandwidthGBps",
];

export const CONFIDENCES: readonly Confidence[] = [
  "measured",
  "documented",
  "published",
  "nearest",
  "estimated",
  "memory",
  "changed",
];

const ENTRY: Fields<DeviceEntry> = {
  value: { words: "a value", problem: () => null },
  unit: optional(string),
  source: optional(string),
  confidence: optional(oneOf(...CONFIDENCES)),
  spread: { ...object, problem: (value, at) => spreadProblem(value, at), optional: true },
};

function spreadProblem(value: unknown, at: string): { readonly what: string; readonly cure: string } | null {
  const isSpread = Array.isArray(value) && value.length === 2 && value.every(Number.isFinite) && value[0] <= value[1];
  return value === undefined || isSpread
    ? null
    : { what: `${at} is ${shown(value)}`, cure: "Give the least and the greatest reading: [low, high]." };
}

/** All groups and fields that an entry may name. */
const PATHS: ReadonlySet<string> = new Set([
  "computeCapability",
  ...DEVICE_FIELDS.filter((field) => !field.startsWith("computeCapability.")).flatMap((field) => {
    const parts = field.split(".");
    return parts.map((_, index) => parts.slice(0, index + 1).join("."));
  }),
]);

interface Given {
  readonly value: DeviceValue;
  readonly source: Source;
}

/** The fields of the group that a path begins with, or those that every file gives. */
function fieldsBeside(path: string): readonly string[] {
  const group = `${path.split(".")[0]}.`;
  const beside = DEVICE_FIELDS.filter((field) => field.startsWith(group));
  return beside.length > 0 ? beside : REQUIRED_FIELDS;
}

function given(json: DeviceJson, path: string, entry: unknown): Given {
  const file = json.id;
  if (!PATHS.has(path)) {
    const near = nearest(path, PATHS);
    throw new InputError({
      what: `Device ${file}: ${path} is no field of a device.`,
      cure: near === null ? `There are ${fieldsBeside(path).join(", ")}.` : `Did you mean ${near}?`,
    });
  }
  if (!isGroup(entry)) {
    if (json.source === undefined) {
      throw new InputError({
        what: `Device ${file}: ${path} is ${shown(entry)}, and nothing says where that comes from.`,
        cure: `Give { "value": ${shown(entry)}, "source": "..." }, or the whole file a "source".`,
      });
    }
    return { value: entry as DeviceValue, source: { text: json.source, confidence: "documented" } };
  }
  checkOptions<DeviceEntry>(`Device ${file}: ${path}`, entry, ENTRY);
  const { value, unit, source = json.source, confidence = "documented", spread } = entry as unknown as DeviceEntry;
  const wanted = unitOf(path);
  if (unit !== undefined && unit !== wanted) {
    throw new InputError({
      what: `Device ${file}: ${path} is given in ${shown(unit)}.`,
      cure: wanted === undefined ? "It is a number without unit: leave unit out." : `Give it in ${shown(wanted)}.`,
    });
  }
  if (source === undefined) {
    throw new InputError({
      what: `Device ${file}: ${path} is ${shown(value)}, and nothing says where that comes from.`,
      cure: "Give the entry a source.",
    });
  }
  return { value, source: { text: source, confidence, ...(spread !== undefined && { spread }) } };
}

function capabilityOf(file: string, { value }: Given): ComputeCapability {
  const [, major, minor] = /^(\d{1,2})\.(\d)$/.exec(typeof value === "string" ? value : "") ?? [];
  if (major !== undefined) return { major: Number(major), minor: Number(minor) };
  throw new InputError({
    what: `Device ${file}: computeCapability is ${shown(value)}.`,
    cure: 'Give a text such as "8.6".',
  });
}

/** A number that the defaults are scaled by; its faults are named with those of all others. */
function positive(value: DeviceValue | undefined, otherwise: number): number {
  return typeof value === "number" && value > 0 && Number.isFinite(value) ? value : otherwise;
}

type Entries = Map<string, Given>;

function defaultEntries(json: DeviceJson, own: Entries): { readonly architecture: string; readonly entries: Entries } {
  const capability = capabilityOf(json.id, own.get("computeCapability")!);
  const { architecture, device } = defaultsFor(`Device ${json.id}`, capability, json.like);
  const clock = positive(own.get("smClockMHz")?.value, device.smClockMHz);
  const l2Bytes = positive(own.get("l2.sizeBytes")?.value, device.l2.sizeBytes);
  const scaled = scaledTo(device, Math.min(clock, 20_000), Math.min(l2Bytes, 2 ** 36));
  const entries: Entries = new Map();
  for (const [field, value] of deviceFields(scaled)) {
    const { text = "", confidence } = sourceAt(device.sources, field) ?? {};
    const isRule = confidence === "documented" && !/data sheet|sheet:/.test(text);
    entries.set(field, {
      value: value as DeviceValue,
      source: isRule
        ? { text, confidence }
        : { text: `default of the generation, from ${device.name}: ${text}`, confidence: "nearest" },
    });
  }
  return { architecture, entries };
}

/** `entry` in the place of all that stands within it, or around it as a group that there is not. */
function put(entries: Entries, path: string, entry: Given): void {
  for (const other of entries.keys()) {
    if (other.startsWith(`${path}.`) || path.startsWith(`${other}.`)) entries.delete(other);
  }
  entries.set(path, entry);
}

function tree(entries: Entries, side: "value" | "source"): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [path, entry] of entries) {
    const parts = path.split(".");
    const last = parts.pop()!;
    let group = root;
    for (const part of parts) {
      group[part] ??= {};
      group = group[part] as Record<string, unknown>;
    }
    group[last] = entry[side];
  }
  return root;
}

/** The same error with the range of the field, and the source of the number that the file gives. */
function withSource(problem: DeviceFieldError, own: Entries): InputError {
  const { field, what, cure } = problem;
  const source = own.get(field.replace(/\[\d+\]$/, ""))?.source.text;
  const { low, high } = rangeOf(field);
  const range = / to \d/.test(what) ? "" : ` It may be ${low} to ${high}.`;
  return new InputError({ what: `${what}${range}${source === undefined ? "" : ` Its source: ${source}.`}`, cure });
}

/** Whether a value is meant as a device file rather than as a device. */
export function isDeviceJson(value: unknown): value is DeviceJson {
  try {
    return isGroup(value) && ("numbers" in value || "format" in value);
  } catch {
    // A proxy may throw whatever it is asked; what takes a device refuses it.
    return false;
  }
}

/**
 * The device that a JSON object describes, such as `deviceFrom(JSON.parse(text))`. Its generation's numbers stand for those
 * that it does not give, and their sources say so.
 * @throws InputError naming the field, its value, range and source.
 */
export function deviceFrom(json: DeviceJson): DeviceSpec {
  checkOptions<DeviceJson>("deviceFrom", json, SHAPE);
  const own: Entries = new Map(
    Object.entries(json.numbers).map(([path, entry]) => [path, given(json, path, entry)] as const),
  );
  const missing = REQUIRED_FIELDS.filter((field) => !own.has(field));
  if (missing.length > 0) {
    throw new InputError({
      what: `Device ${json.id}: ${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing.`,
      cure: "NVIDIA publishes these numbers of every GPU: give each with its source.",
    });
  }
  const { architecture, entries } = defaultEntries(json, own);
  const capability = own.get("computeCapability")!;
  const { major, minor } = capabilityOf(json.id, capability);
  entries.set("computeCapability.major", { ...capability, value: major });
  entries.set("computeCapability.minor", { ...capability, value: minor });
  for (const [path, entry] of own) if (path !== "computeCapability") put(entries, path, entry);
  const spec = {
    id: json.id,
    name: json.name,
    architecture: json.architecture ?? architecture,
    codename: json.codename ?? "unknown",
    ...tree(entries, "value"),
    sources: tree(entries, "source"),
  } as unknown as DeviceSpec;
  try {
    checkDevice(spec);
  } catch (problem) {
    throw problem instanceof DeviceFieldError ? withSource(problem, own) : problem;
  }
  return frozenDevice(spec);
}
