/**
 * Operations that the lanes of a warp do together: shuffles and reductions. Lane masks are i32 numbers, bit i for lane i.
 * Sources: CUDA C++ Programming Guide, "Warp Shuffle / Reduce Functions"; an H200 (test/reference/values/golden.jsonl).
 */

export type ShuffleOp = "shfl" | "shflUp" | "shflDown" | "shflXor";

/**
 * The lane whose value `lane` receives; its own outside of the segment. `width` is 2, 4, 8, 16 or 32. PTX takes its bits
 * as a mask, and so does this for other values. `argument` is the source lane, delta or lane mask, of which five bits
 * count. shflXor may reach into an earlier segment.
 */
export function shuffleSource(op: ShuffleOp, lane: number, argument: number, width: number): number {
  const segment = (32 - width) & 31; // mask of the lane bits that name the segment
  const b = argument & 31;
  const base = lane & segment;
  switch (op) {
    case "shfl":
      return base | (b & ~segment & 31);
    case "shflUp": {
      const source = lane - b;
      return source >= base ? source : lane;
    }
    case "shflDown": {
      const source = lane + b;
      return source <= (base | (31 & ~segment)) ? source : lane;
    }
    case "shflXor": {
      const source = lane ^ b;
      return source <= (base | (31 & ~segment)) ? source : lane;
    }
  }
}

/** CUDA defines a shuffle for these widths alone. */
export function isShuffleWidth(width: number): boolean {
  return width > 0 && width <= 32 && (width & (width - 1)) === 0;
}

/**
 * The value of a shuffle that reads a lane which does not take part. CUDA leaves it undefined. It is 0 here, as on an H200.
 * A seeded schedule gives garbage.
 */
export const ABSENT_LANE_VALUE = 0;

export type ReduceOp = "add" | "min" | "max" | "and" | "or" | "xor";

/** One step of __reduce_*_sync on values of i32 (signed) or u32 (unsigned numbers). */
export function reduceStep(op: ReduceOp, unsigned: boolean): (a: number, b: number) => number {
  switch (op) {
    case "add":
      return unsigned ? (a, b) => (a + b) >>> 0 : (a, b) => (a + b) | 0;
    case "min":
      return (a, b) => Math.min(a, b);
    case "max":
      return (a, b) => Math.max(a, b);
    case "and":
      return unsigned ? (a, b) => (a & b) >>> 0 : (a, b) => a & b;
    case "or":
      return unsigned ? (a, b) => (a | b) >>> 0 : (a, b) => a | b;
    case "xor":
      return unsigned ? (a, b) => (a ^ b) >>> 0 : (a, b) => a ^ b;
  }
}
