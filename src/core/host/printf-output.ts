/**
 * The way of printf's text to stdout. As in CUDA a launch's text stays in the GPU's buffer until the host waits. It waits for
 * the GPU, a stream or an event, or by a copy. The rest comes when the program or the cell has run to its end.
 */
import { platform } from "../base/platform.js";
import type { PrintfRecord } from "../engine/engine.js";

type Records = readonly PrintfRecord[];

/** The text of each GPU's launches that stdout has not had, in the order of the launches. */
const held: WeakMap<object, Set<Records>> = new WeakMap();

let muted = false;

/** Keeps what a launch on the GPU `owner` has printed. */
export function holdPrintf(owner: object, records: Records): void {
  if (muted || records.length === 0) return;
  const waiting = held.get(owner) ?? new Set<Records>();
  held.set(owner, waiting);
  if (waiting.size === 0) queueMicrotask(() => putOutPrintf(owner));
  waiting.add(records);
}

/** The program has taken the launch's text itself. */
export function takePrintf(owner: object, records: Records): Records {
  held.get(owner)?.delete(records);
  return records;
}

/** The host has waited for the GPU `owner`. */
export function putOutPrintf(owner: object): void {
  const waiting = held.get(owner);
  if (waiting === undefined || waiting.size === 0) return;
  const text = [...waiting].map((records) => records.map((record) => record.text).join("")).join("");
  waiting.clear();
  platform().print(text);
}

/** Runs `work`, of whose launches stdout gets nothing: a program's repetitions, and trials of an answer. */
export function withoutPrintf<T>(work: () => T): T {
  const before = muted;
  muted = true;
  try {
    return work();
  } finally {
    muted = before;
  }
}
