/** A library function that tells whether a warp's addresses have the pattern that they had the last time. */
import { LANE_ADDRESSES } from "../layout.js";
import { CONTROL, I32, MEMORY } from "../wasm/opcodes.js";
import { I32X4, V128 } from "../wasm/simd.js";
import type { LibraryFunction } from "./library.js";

/** What is kept of an access: which lanes, where in a line lane 0's address was, the count; the lanes' distances to it. */
export const PATTERN: {
  readonly mask: number;
  readonly place: number;
  readonly count: number;
  readonly distances: number;
} = { mask: 0, place: 4, count: 8, distances: 16 };
export const PATTERN_BYTES: number = 16 + 128;

/**
 * (scratch, offset of the pattern, mask, place) -> 1 if the addresses at LANE_ADDRESSES have the distances that are kept
 * there; else 0, and they are kept. A mask of 0 stands where nothing is kept.
 */
export const SAME_PATTERN: LibraryFunction = {
  name: "samePattern",
  params: ["i32", "i32", "i32", "i32"],
  results: ["i32"],
  write: (body) => {
    const [scratch, offset, mask, place] = [0, 1, 2, 3];
    const kept = body.local("i32");
    const first = body.local("v128");
    const pushDistances = (k: number): void => {
      body.get(scratch);
      body.memory(V128.load, LANE_ADDRESSES + 16 * k, 4);
      body.get(first);
      body.op(I32X4.sub);
    };
    const pushDifference = (k: number): void => {
      pushDistances(k);
      body.get(kept);
      body.memory(V128.load, PATTERN.distances + 16 * k, 4);
      body.op(V128.xor);
    };
    body.get(scratch);
    body.get(offset);
    body.op(I32.add);
    body.set(kept);
    body.get(scratch);
    body.memory(V128.load32_splat, LANE_ADDRESSES, 2);
    body.set(first);
    const differ = body.block();
    for (const [value, at] of [
      [mask, PATTERN.mask],
      [place, PATTERN.place],
    ] as const) {
      body.get(value);
      body.get(kept);
      body.memory(MEMORY.i32_load, at, 2);
      body.op(I32.ne);
      body.brIf(differ);
    }
    // Most that differ do so in the first lanes.
    pushDifference(0);
    body.op(V128.any_true);
    body.brIf(differ);
    pushDifference(1);
    for (let k = 2; k < 8; k++) {
      pushDifference(k);
      body.op(V128.or);
    }
    body.op(V128.any_true);
    body.brIf(differ);
    body.i32(1);
    body.op(CONTROL.return);
    body.end();
    for (const [value, at] of [
      [mask, PATTERN.mask],
      [place, PATTERN.place],
    ] as const) {
      body.get(kept);
      body.get(value);
      body.memory(MEMORY.i32_store, at, 2);
    }
    for (let k = 0; k < 8; k++) {
      body.get(kept);
      pushDistances(k);
      body.memory(V128.store, PATTERN.distances + 16 * k, 4);
    }
    body.i32(0);
  },
};
