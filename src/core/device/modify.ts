/** "What if it had twice the banks?": a device with some numbers changed, checked, frozen, and marked as such. */

import { InputError } from "../base/errors.js";
import { checkArgument, object, shape } from "../base/shape.js";
import { shown } from "../base/shown.js";
import { canRead, checkDevice } from "./check-spec.js";
import { isSource } from "./device-json.js";
import { frozenDevice } from "./device-summary.js";
import { isGroup } from "./fields.js";
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
