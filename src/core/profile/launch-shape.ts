/** The result of a launch, as the functions that read one accept it. */
import { listOf, objectWith, optional, type Shape, shape, string, whole } from "../base/shape.js";
import type { ProfiledLaunch } from "./catalog/metric-spec.js";

/** By their counters: a copy that a program makes by spreading, with another name say, is a launch too. */
export const launches: WeakMap<object, ProfiledLaunch> = new WeakMap();

const KEPT = ["device", "grid", "block", "occupancy", "metrics", "program", "rawCounters"] as const;

function isLaunch(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const given = value as ProfiledLaunch;
  const made = launches.get(given.counters);
  return made !== undefined && typeof given.kernel === "string" && KEPT.every((field) => given[field] === made[field]);
}

export const launchShape: Shape = shape("what gpu.launch(...) returns", isLaunch);

export const programShape: Shape = objectWith(
  {
    name: string,
    instructions: listOf(objectWith({ span: objectWith({ line: whole(0) }), source: optional(whole(0)) })),
    sources: listOf(objectWith({ name: string, text: string })),
  },
  "a launch's program",
);
