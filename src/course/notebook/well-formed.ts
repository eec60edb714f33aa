/**
 * Text that a notebook file can hold. Half of a surrogate pair (a string that is cut within an emoji) has no UTF-8 form, so Jupyter
 * could not save the notebook.
 */
import type { CellSink } from "./cell-sink.js";

/** Pairs are one character to the `u` flag. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** `value` with U+FFFD for each half of a surrogate pair, in every string that it holds. */
export function wellFormed<T>(value: T): T {
  if (typeof value === "string") return value.replace(LONE_SURROGATE, "\ufffd") as T;
  if (Array.isArray(value)) return value.map(wellFormed) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [wellFormed(key), wellFormed(part)])) as T;
}

/** `sink` for outputs as they come. A pair of which two writes have a half each is put together. */
export function wellFormedSink(sink: CellSink): CellSink & { end(): void } {
  let half = "";
  let from: "stdout" | "stderr" = "stdout";
  const release = (): void => {
    if (half !== "") sink.stream(from, "\ufffd");
    half = "";
  };
  return {
    stream: (name, text) => {
      if (name !== from) release();
      const whole = half + text;
      from = name;
      half = /[\ud800-\udbff]$/.exec(whole)?.[0] ?? "";
      const complete = half === "" ? whole : whole.slice(0, -1);
      if (complete !== "") sink.stream(name, wellFormed(complete));
    },
    display: (payload, update) => {
      release();
      sink.display(wellFormed(payload), update);
    },
    result: (data) => {
      release();
      sink.result(wellFormed(data));
    },
    end: release,
  };
}
