/** A GPU as JSON: one entry a number, by its dotted path, with unit, source and spread. `deviceFrom` reads what is written here. */
import { checkDevice } from "./check-spec.js";
import { deviceFields, isGroup } from "./fields.js";
import type { Confidence, Source } from "./source.js";
import type { DeviceSpec } from "./spec.js";

/** The first line of a device file: what a later version of the simulator knows it by. */
export const DEVICE_FORMAT = "warplab device 1";

export type DeviceValue = number | string | boolean | null | readonly number[];

/** A number with what is known of it. */
export interface DeviceEntry {
  readonly value: DeviceValue;
  /** That of the field's name, such as "cycles". A file that states another one is refused. */
  readonly unit?: string;
  readonly source?: string;
  readonly confidence?: Confidence;
  /** The least and the greatest reading. */
  readonly spread?: readonly [low: number, high: number];
}

export interface DeviceJson {
  readonly format: typeof DEVICE_FORMAT;
  readonly id: string;
  readonly name: string;
  readonly architecture?: string;
  readonly codename?: string;
  /** The built-in device whose numbers stand for those that are not given; without it, that of the compute capability. */
  readonly like?: string;
  /** The source of the numbers that name none. */
  readonly source?: string;
  /** By dotted path, such as "l2.sizeBytes"; "computeCapability" is a text such as "8.6". */
  readonly numbers: Readonly<Record<string, DeviceEntry | DeviceValue>>;
}

const UNITS: readonly (readonly [fields: RegExp, unit: string])[] = [
  [/MHz$/, "MHz"],
  [/GBps$/, "GB/s"],
  [/Nanoseconds$/, "ns"],
  [/Microseconds$/, "us"],
  [/BytesPerCycle(PerSm)?$|bytesPerCycle$/, "bytes a cycle"],
  [/Cycles(PerSm)?$/, "cycles"],
  [/[bB]ytes(PerSm|PerBlock|PerBlockOptIn)?$/, "bytes"],
  [/Bits$/, "bits"],
  [/(Fraction|Share|Factor)$/, "share"],
];

/** The unit that a field's name states; undefined for counts, texts and switches. */
export function unitOf(field: string): string | undefined {
  return UNITS.find(([fields]) => fields.test(field))?.[1];
}

export function isSource(value: unknown): value is Source {
  return isGroup(value) && typeof value.text === "string" && typeof value.confidence === "string";
}

/** The source of a field, which it may have in common with its group; undefined where there is none. */
export function sourceAt(sources: unknown, field: string): Source | undefined {
  let at = sources;
  for (const part of field.split(".")) {
    if (isSource(at)) return at;
    at = isGroup(at) ? at[part] : undefined;
  }
  return isSource(at) ? at : undefined;
}

/** Writes a device down; `deviceFrom` makes an equal one of it. */
export function deviceToJson(device: DeviceSpec): DeviceJson {
  checkDevice(device);
  const { id, name, architecture, codename, computeCapability, sources } = device;
  const numbers: Record<string, DeviceEntry> = {};
  const add = (path: string, field: string, value: DeviceValue): void => {
    const unit = unitOf(field);
    const source = sourceAt(sources, field);
    numbers[path] = {
      value,
      ...(unit !== undefined && { unit }),
      ...(source !== undefined && { source: source.text, confidence: source.confidence }),
      ...(source?.spread !== undefined && { spread: source.spread }),
    };
  };
  const { major, minor } = computeCapability;
  add("computeCapability", "computeCapability.major", `${major}.${minor}`);
  for (const [field, value] of deviceFields(device)) {
    if (!field.startsWith("computeCapability.")) add(field, field, value as DeviceValue);
  }
  return { format: DEVICE_FORMAT, id, name, architecture, codename, numbers };
}
