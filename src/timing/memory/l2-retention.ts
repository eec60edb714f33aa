/** What L2 keeps of what a launch writes, and of one launch for the next. */
import type { DeviceSpec } from "../../device/spec.js";

/**
 * Share of L2 that keeps written data rather than writing it back: of 64 and 256 MiB written 29 stay, of the same copied
 * 25 (test/reference/h200/micro/set-3.json, ncu).
 */
export const DIRTY_SHARE_OF_L2 = 0.43;
/**
 * Of lines with sectors written in part L2 keeps so many bytes as they are, and so many before it writes them back
 * (h200/micro/memory.json, pass_write: of 16 to 64 MiB 7 are not read, 12 to 16 not written; h200/micro/pattern.json, strideStore
 * of every 3rd to 32nd word: of 12 to 128 MiB of lines 6 to 9 are not read; ncu).
 */
export const PARTIAL_SHARE_OF_L2 = 0.12;
export const DIRTY_PARTIAL_SHARE_OF_L2 = 0.24;

/**
 * What of a dirty L2 is driven out by a line of those beyond, and all that such lines drive out, of L2's size
 * (h200/micro/pattern.json, strideStore behind a dirty L2 against a clean one: 16 MiB of lines 5 us more, 32 MiB 9.6, 64 to 256 MiB
 * 12; strideLoad of as many lines 2, 3.4 and 9).
 */
const DRIVEN_OUT_BY_PARTS = 1.07;
const MOST_DRIVEN_OUT = 0.54;
/** Behind its own parts a launch is held up by half of that (ibid., repeated). */
const OWN_PARTS = 0.5;

/**
 * Behind its own writes a launch is held up as behind others', by this many times the share of its data that it writes (h200/micro/cache.json,
 * h200/micro/launch.json, repeated: in place and in copies nearly as much, in triads two thirds).
 */
export const OWN_DIRTY = 1.8;

/** Share of `bytes`, each touched once, that the next launch finds in L2. */
export function keptBetweenLaunches(
  bytes: number,
  { sizeBytes, allKeptShare, noneKeptShare }: DeviceSpec["l2"],
): number {
  return Math.min(1, Math.max(0, (noneKeptShare - bytes / sizeBytes) / (noneKeptShare - allKeptShare)));
}

/**
 * Bytes that L2 keeps of what a launch reads again and again, from end to end, while other data gives way (h200/micro/revisit.json,
 * rowLaps: the second lap of 37 MiB comes from an H200's L2, of 41 MiB from DRAM).
 */
export function keptInLaps({ sizeBytes, allKeptShare }: DeviceSpec["l2"]): number {
  return sizeBytes * allKeptShare;
}

/** Share of `bytes` for which there is no room among `kept`. */
export function beyond(bytes: number, kept: number): number {
  return bytes <= kept ? 0 : 1 - kept / bytes;
}

/**
 * Share of the time that DRAM, or the way into L2, is busy from which on, and at which, L2 puts off the write-back of dirty lines for what is
 * read: its victims are as if chosen at random, else the oldest ones (h200/micro/streams.json, reads of 4 to 256 MiB behind a dirty
 * L2 and a clean one).
 */
const SOME_PUT_OFF = 0.8;
const ALL_PUT_OFF = 0.95;

/** Share of a dirty L2 that is written back for `filledBytes` that come in; `busyShare`: of the time, what is busier of DRAM and the way into L2. */
export function drivenOut(filledBytes: number, busyShare: number, l2Bytes: number): number {
  const fill = filledBytes / l2Bytes;
  const putOff = Math.min(1, Math.max(0, (busyShare - SOME_PUT_OFF) / (ALL_PUT_OFF - SOME_PUT_OFF)));
  return (1 - putOff) * Math.min(1, fill) + putOff * (1 - Math.exp(-fill));
}

/**
 * What of a dirty L2 a line written in part drives out, of its own size. `fillFraction`: of those lines that L2 has to complete;
 * `lineBytes`: all that the launch touches.
 */
export function drivenOutByParts(
  fillFraction: number,
  lineBytes: number,
  l2Bytes: number,
  cacheState: "cold" | "warm",
): number {
  const most = MOST_DRIVEN_OUT * Math.max(1, l2Bytes / Math.max(1, lineBytes));
  return (cacheState === "warm" ? OWN_PARTS : 1) * Math.min(DRIVEN_OUT_BY_PARTS * fillFraction, most);
}
