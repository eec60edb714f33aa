/** A GPU written down with the source of each number beside it, and the specification that comes of it. */
import { frozenDevice } from "./device-summary.js";
import type { Leaf, Source, Sources } from "./source.js";
import type { DeviceNumbers, DeviceSpec, OccupancyNumbers, OccupancySpec } from "./spec.js";

/** A value, or a group of values, with the source that says it. */
export class Sourced<T> {
  readonly value: T;
  readonly source: Source;

  constructor(value: T, source: Source) {
    this.value = value;
    this.source = source;
  }
}

/** The shape of T with each value sourced; a group of values may have one source in common. */
export type SourcedNumbers<T> = {
  readonly [K in keyof T]-?: [T[K]] extends [Leaf] ? Sourced<T[K]> : Sourced<T[K]> | SourcedNumbers<NonNullable<T[K]>>;
};

export function sourced<const T>(value: T, source: Source): Sourced<T> {
  return new Sourced(value, source);
}

/** Fields that have one source in common, to be spread among others. */
export function fieldsFrom<const T extends object>(
  source: Source,
  values: T,
): { readonly [K in keyof T]: Sourced<T[K]> } {
  const fields = Object.entries(values).map(([key, value]) => [key, new Sourced(value, source)]);
  return Object.fromEntries(fields) as { readonly [K in keyof T]: Sourced<T[K]> };
}

type Names = Pick<OccupancySpec, "id" | "name" | "architecture" | "codename">;

function part(tree: object, side: "value" | "source"): Record<string, unknown> {
  const entries = Object.entries(tree).map(([key, field]) => [
    key,
    field instanceof Sourced ? field[side] : part(field as object, side),
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function specification<T>(names: Names, numbers: SourcedNumbers<T>): Names & T & { readonly sources: Sources<T> } {
  // The parts of a sourced tree have its shape, which a mapped type cannot tell the compiler.
  const values = part(numbers, "value") as unknown as T;
  const sources = part(numbers, "source") as unknown as Sources<T>;
  return { ...names, ...values, sources };
}

/** The frozen specification: the numbers, and beside them the record of their sources. */
export function device(names: Names, numbers: SourcedNumbers<DeviceNumbers>): DeviceSpec {
  return frozenDevice(specification(names, numbers));
}

/** The same for a GPU of which only occupancy and launch limits are known. */
export function occupancyDevice(names: Names, numbers: SourcedNumbers<OccupancyNumbers>): OccupancySpec {
  return frozenDevice(specification(names, numbers));
}
