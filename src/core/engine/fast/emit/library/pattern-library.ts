/** A library function that remembers counts of a warp's addresses by the pattern of the addresses. */
import { LANE_ADDRESSES } from "../../layout.js";
import { get, i32, i32x4, load, loadWord, v128 } from "../../wasm/expression.js";
import { I32 } from "../../wasm/opcodes.js";
import { V128 } from "../../wasm/simd.js";
import type { LibraryFunction } from "./library.js";

/**
 * The record of an access: its lanes (0: nothing yet), their distances to lane 0, and the counts (0: not known). There is
 * one count for each place of lane 0's address in a line.
 */
const PATTERN = { mask: 0, distances: 16, counts: 16 + 128 } as const;
/** With one count, or with one for each word of a line. */
export const PATTERN_BYTES: Readonly<Record<"any" | "line", number>> = {
  any: PATTERN.counts + 16,
  line: PATTERN.counts + 128,
};

/** (scratch, offset of the pattern, mask, word of the line) -> address of the count of the addresses at LANE_ADDRESSES. */
function rememberedCount(places: "any" | "line"): LibraryFunction {
  return {
    name: `rememberedCount ${places}`,
    params: ["i32", "i32", "i32", "i32"],
    results: ["i32"],
    write: (body) => {
      const [scratch, offset, mask, word] = [0, 1, 2, 3];
      const kept = body.local("i32");
      const first = body.local("v128");
      const pushDistances = (k: number): void => {
        body.push(i32x4.sub(load(V128.load, LANE_ADDRESSES + 16 * k, 4, get(scratch)), get(first)));
      };
      const pushDifference = (k: number): void => {
        pushDistances(k);
        body.push(v128.xor(load(V128.load, PATTERN.distances + 16 * k, 4, get(kept))));
      };
      body.set(kept, i32.add(get(scratch), get(offset)));
      body.set(first, load(V128.load32_splat, LANE_ADDRESSES, 2, get(scratch)));
      const same = body.block();
      const differ = body.block();
      body.brIf(differ, i32.ne(get(mask), loadWord(PATTERN.mask, get(kept))));
      // Most that differ do so in the first lanes.
      pushDifference(0);
      body.op(V128.any_true);
      body.brIf(differ);
      pushDifference(1);
      for (let k = 2; k < 8; k++) {
        pushDifference(k);
        body.op(V128.or);
      }
      body.op(V128.any_true, I32.eqz);
      body.brIf(same);
      body.end();
      body.storeWord(PATTERN.mask, get(kept), get(mask));
      for (let k = 0; k < 8; k++) {
        body.get(kept);
        pushDistances(k);
        body.memory(V128.store, PATTERN.distances + 16 * k, 4);
      }
      for (let at = PATTERN.counts; at < PATTERN_BYTES[places]; at += 16) {
        body.store(V128.store, at, 4, get(kept), i32x4(0, 0, 0, 0));
      }
      body.end();
      body.push(i32.add(i32.add(get(kept), i32.shl(get(word), i32(2))), i32(PATTERN.counts)));
    },
  };
}

export const REMEMBERED_COUNT: Readonly<Record<"any" | "line", LibraryFunction>> = {
  any: rememberedCount("any"),
  line: rememberedCount("line"),
};
