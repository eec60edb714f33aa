/** The fields of a specification by their dotted paths, such as `sharedMemory.banks`. */
import type { OccupancySpec } from "./spec.js";

export type Group = Readonly<Record<string, unknown>>;

export function isGroup(value: unknown): value is Group {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function pathsOf(group: Group, before: string): readonly string[] {
  return Object.entries(group).flatMap(([key, value]) =>
    isGroup(value) ? pathsOf(value, `${before}${key}.`) : [`${before}${key}`],
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

/** The paths of all numbers, in the order in which they stand. */
export function fieldPaths(spec: OccupancySpec): readonly string[] {
  return pathsOf(numbersOf(spec), "");
}
