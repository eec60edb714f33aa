/** How much written data L2 retains within a launch, and how much data it keeps for the next launch. */
import type { DeviceSpec } from "../../device/spec.js";

/**
 * Share of L2 that retains written data instead of writing it back. Measured: 29 MB of 64 and of 256 MiB written stay
 * (h200/micro/set-3.json, ncu).
 */
export const DIRTY_SHARE_OF_L2 = 0.43;
/**
 * Shares of L2 that hold partly written lines: before L2 completes them, and before it writes them back. Measured: of
 * 16 to 64 MiB, 7 MB are not read and 12 to 16 not written (h200/micro/memory.json, pass_write, ncu).
 */
export const PARTIAL_SHARE_OF_L2 = 0.12;
export const DIRTY_PARTIAL_SHARE_OF_L2 = 0.24;

/**
 * Dirty bytes that a partly written line evicts relative to its size, and the limit of such evictions relative to L2's
 * size. Measured: strideStore after a dirty L2 takes 5 us more for 16 MiB of lines, 12 for 64 MiB and more
 * (h200/micro/pattern.json).
 */
const DRIVEN_OUT_BY_PARTS = 1.07;
const MOST_DRIVEN_OUT = 0.54;
/** A repeated launch evicts half as much of its own partial writes (h200/micro/pattern.json, repeated). */
const OWN_PARTS = 0.5;

/**
 * A repeated launch is delayed by its own dirty data as by that of other launches. The delay scales with this factor
 * and the share of its data that it writes (h200/micro/cache.json, repeated).
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
 * Bytes that L2 keeps if a launch reads them repeatedly from end to end. Measured: the second pass over 37 MiB hits an
 * H200's L2, that over 41 MiB comes from DRAM (h200/micro/revisit.json, rowLaps).
 */
export function keptInLaps({ sizeBytes, allKeptShare }: DeviceSpec["l2"]): number {
  return sizeBytes * allKeptShare;
}

/** Share of `bytes` for which there is no room among `kept`. */
export function beyond(bytes: number, kept: number): number {
  return bytes <= kept ? 0 : 1 - kept / bytes;
}

/**
 * Busy shares of DRAM, or of the path into L2, at which L2 begins to delay the write-back of dirty lines, and delays it
 * fully. Delayed, evictions are as if random; else L2 evicts the oldest lines (h200/micro/streams.json, reads after a
 * dirty and a clean L2).
 */
const SOME_PUT_OFF = 0.8;
const ALL_PUT_OFF = 0.95;

/**
 * Share of a dirty L2 that `filledBytes` incoming bytes evict. `busyShare`: busy share of DRAM or of the path into L2,
 * whichever is busier.
 */
export function drivenOut(filledBytes: number, busyShare: number, l2Bytes: number): number {
  const fill = filledBytes / l2Bytes;
  const putOff = Math.min(1, Math.max(0, (busyShare - SOME_PUT_OFF) / (ALL_PUT_OFF - SOME_PUT_OFF)));
  return (1 - putOff) * Math.min(1, fill) + putOff * (1 - Math.exp(-fill));
}

/**
 * Dirty bytes that a partly written line evicts, relative to its size. `fillFraction`: share of those lines that L2 has
 * to complete. `lineBytes`: bytes of all lines that the launch touches.
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
