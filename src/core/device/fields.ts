/** The fields of a specification by their dotted paths, such as `sharedMemory.banks`. */
import type { OccupancySpec } from "./spec.js";

export type Group = Readonly<Record<string, unknown>>;

export function isGroup(value: unknown): value is Group {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A field's dotted path and value. A group that a GPU does not have is one field, null. */
export type DeviceField = readonly [path: string, value: unknown];

function fieldsOf(group: Group, before: string): readonly DeviceField[] {
  return Object.entries(group).flatMap(([key, value]) =>
    isGroup(value) ? fieldsOf(value, `${before}${key}.`) : [[`${before}${key}`, value] as const],
  );
}

/** The numbers without names and sources. */
export function numbersOf(spec: OccupancySpec): Group {
  const {
    id: _id,
    name: _name,
    architecture: _architecture,
    codename: _codename,
    sources: _sources,
    ...numbers
  } = spec;
  return numbers;
}

/** All numbers, in the order in which they stand. */
export function deviceFields(spec: OccupancySpec): readonly DeviceField[] {
  return fieldsOf(numbersOf(spec), "");
}

export function fieldPaths(spec: OccupancySpec): readonly string[] {
  return deviceFields(spec).map(([path]) => path);
}
