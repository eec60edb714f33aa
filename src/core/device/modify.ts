/**
 * "What if it had twice the banks?": a device with some numbers changed, checked, frozen, and marked as such. The changes are
 * an object, or a text: "sharedMemory.banks=64", "l2.sizeBytes*2, l2.bandwidthGBps*2".
 */

import { InputError } from "../base/errors.js";
import { nearest } from "../base/nearest.js";
import { checkArgument, object, shape, string } from "../base/shape.js";
import { shown } from "../base/shown.js";
import { canRead, checkDevice, DEVICE_FIELDS } from "./check-spec.js";
import { isSource } from "./device-json.js";
import { frozenDevice } from "./device-summary.js";
import { deviceFields, isGroup } from "./fields.js";
import type { Source } from "./source.js";
import type { DeviceSpec } from "./spec.js";

/** The same shape with every field optional; lists are replaced whole. */
export type Changes<T> = {
  readonly [K in keyof T]?: T[K] extends readonly unknown[] | null | number | string | boolean ? T[K] : Changes<T[K]>;
};

export type DeviceChanges = Changes<Omit<DeviceSpec, "sources">>;

interface Merged {
  readonly value: unknown;
  readonly source: unknown;
}

function merge(device: string, path: string, value: unknown, source: unknown, change: unknown): Merged {
  const replaces = !isGroup(value) || !isGroup(change);
  if (replaces) {
    const text = `changed from ${shown(value)} to ${shown(change)}`;
    return { value: change, source: { text, confidence: "changed" } satisfies Source };
  }
  const values: Record<string, unknown> = { ...value };
  const sources: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const part = isSource(source) ? source : isGroup(source) ? source[key] : undefined;
    if (part !== undefined) sources[key] = part;
  }
  for (const [key, part] of Object.entries(change)) {
    if (!(key in value)) {
      throw new InputError({
        what: `Device ${device} has no field ${path}${key}.`,
        cure: `Fields there: ${Object.keys(value).join(", ")}.`,
      });
    }
    if (part === undefined) continue;
    const merged = merge(device, `${path}${key}.`, value[key], sources[key], part);
    values[key] = merged.value;
    sources[key] = merged.source;
  }
  return { value: values, source: sources };
}

/**
 * A frozen copy of `device` with `changes` in place, such as `modifyDevice(v100, { sharedMemory: { banks: 64 } })`. Its
 * id and name say that it was modified unless `changes` names them; the sources of what changed say from what.
 * @throws InputError for a field that no device has, or numbers that no GPU can have.
 */
export function modifyDevice(device: DeviceSpec, changes: DeviceChanges): DeviceSpec {
  checkDevice(device);
  checkArgument("modifyDevice", "changes", changes, shape("an object of numbers", canRead));
  checkArgument("modifyDevice", "changes", changes, object);
  const { sources, id, name, architecture, codename, ...numbers } = device;
  const { id: newId, name: newName, architecture: newArchitecture, codename: newCodename, ...newNumbers } = changes;
  const merged = merge(id, "", numbers, sources, newNumbers);
  const modified = {
    id: newId ?? `${id}-modified`,
    name: newName ?? `${name} (modified)`,
    architecture: newArchitecture ?? architecture,
    codename: newCodename ?? codename,
    ...(merged.value as typeof numbers),
    sources: merged.source as DeviceSpec["sources"],
  };
  checkDevice(modified);
  return frozenDevice(structuredClone(modified));
}

/** Fields that a what-if cannot change, with the reason. The first row that names a field holds. */
const FIXED: readonly (readonly [fields: RegExp, reason: string, cure: string])[] = [
  [
    /^warpSize$/,
    "kernels and the simulator rely on warps of 32 lanes, so that other values would come out",
    "Change smCount, schedulersPerSm or limits.maxWarpsPerSm for more or fewer threads at a time.",
  ],
  [
    /^computeCapability/,
    "nvcc makes other code for another generation",
    'Compare two devices instead: new Gpu("v100") and new Gpu("h200").',
  ],
  [
    /^(l1|l2)\.(lineBytes|sectorBytes)$/,
    "the model has lines of 128 bytes in sectors of 32",
    "Change l1.missBytes or l2.fetchBytes: what a miss brings.",
  ],
  [/^sharedMemory\.bankWidthBytes$/, "the simulated banks are one word of 4 bytes wide", "Change sharedMemory.banks."],
  [/^issueWidthPerScheduler$/, "a simulated scheduler issues one instruction a cycle", "Change schedulersPerSm."],
  [
    /^transfers\.|^launch\.backToBackMicroseconds$/,
    "copies and the gaps between launches are no part of a launch's time",
    "Use gpu.trace() of a modified device: new Gpu(modifyDevice(device, ...)).",
  ],
  [
    /^limits\.totalGlobalMemBytes$/,
    "it decides what fits, not how long it takes",
    "Change l2.sizeBytes or dram.peakBandwidthGBps.",
  ],
  [
    /^(l1\.bytesPerCycle|l2\.partitions|dram\.busWidthBits|atomics\.requestIntervalCyclesPerSm|dynamicParallelism\.tailLaunchMicroseconds)$/,
    "the model of times does not read it",
    "Change a number beside it: l1.hitLineIntervalCycles, l2.bandwidthGBps, dram.peakBandwidthGBps, atomics.sameAddressIntervalCycles.",
  ],
];

/** Fields whose text a what-if may name. */
export const VARIABLE_FIELDS: readonly string[] = DEVICE_FIELDS.filter(
  (field) => !FIXED.some(([fields]) => fields.test(field)),
);

function checkField(set: string, field: string, known: ReadonlyMap<string, unknown>): void {
  const fixed = FIXED.find(([fields]) => fields.test(field));
  if (fixed !== undefined) {
    throw new InputError({ what: `"${set}" changes ${field}, but ${fixed[1]}.`, cure: fixed[2] });
  }
  if (known.has(field)) return;
  const last = field.split(".").at(-1)!;
  const near = nearest(field, VARIABLE_FIELDS) ?? VARIABLE_FIELDS.find((each) => each.endsWith(`.${last}`));
  const group = VARIABLE_FIELDS.filter((each) => each.startsWith(`${field.split(".")[0]}.`));
  const there = group.length > 0 ? group : [...new Set(VARIABLE_FIELDS.map((each) => each.replace(/\..*/, ".*")))];
  throw new InputError({
    what: `"${set}" names ${field}, which is no field of this device.`,
    cure: `${near === undefined ? "" : `Did you mean ${near}? `}There are ${there.join(", ")}.`,
  });
}

const CHANGE = /^([A-Za-z][\w.]*)\s*([=*/])\s*(\S.*)$/;

/** The changed value. @throws InputError where the text gives none of the field's kind */
function changedValue(set: string, field: string, old: unknown, operator: string, given: string): unknown {
  const refuse = (what: string, cure: string): never => {
    throw new InputError({ what: `"${set}": ${field} is ${shown(old)}, and ${what}.`, cure });
  };
  if (typeof old === "number") {
    const number = Number(given);
    if (!Number.isFinite(number)) refuse(`${given} is no number`, `Give one: ${field}=${old}, or ${field}*2.`);
    return operator === "=" ? number : operator === "*" ? old * number : old / number;
  }
  if (operator !== "=") refuse("no number to multiply", `Give the value: ${field}=${String(old)}.`);
  if (typeof old === "boolean") {
    return given === "true" || given === "false" ? given === "true" : refuse("a switch", "Give true or false.");
  }
  return typeof old === "string" ? given : refuse("no single number", "Change it with modifyDevice.");
}

/** `changes` with the value at a dotted path. */
function put(changes: Record<string, unknown>, [first = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) changes[first] = value;
  else {
    const group = changes[first];
    const inner: Record<string, unknown> = isGroup(group) ? { ...group } : {};
    put(inner, rest, value);
    changes[first] = inner;
  }
}

/**
 * The device that a what-if asks about. `set` names fields by the paths of a device file: `field=value`, `field*2` or
 * `field/2`, several with commas.
 * @throws InputError for a path that there is not, a field that the model cannot vary, or numbers that no GPU can have.
 */
export function variantOf(device: DeviceSpec, set: string): DeviceSpec {
  checkArgument("variantOf", "set", set, string);
  const known = new Map(deviceFields(device));
  const changes: Record<string, unknown> = {};
  for (const part of set.split(",").map((each) => each.trim())) {
    const [, field, operator = "=", given = ""] = CHANGE.exec(part) ?? [];
    if (field === undefined) {
      throw new InputError({
        what: `"${set}" does not say what to change.`,
        cure: 'Give a field and its value or factor: "sharedMemory.banks=64", "dram.peakBandwidthGBps/2"; several with commas.',
      });
    }
    checkField(set, field, known);
    put(changes, field.split("."), changedValue(set, field, known.get(field), operator, given));
  }
  return modifyDevice(device, { ...(changes as DeviceChanges), name: `${device.name}, ${set}` });
}
