/** Library functions that count the wavefronts of shared-memory accesses on 32 banks (semantics/bank-conflicts.ts). */
import { BANK_WORK, LANE_ADDRESSES } from "../../layout.js";
import type { FunctionBody, Label } from "../../wasm/body.js";
import { convert, get, i32, i32x4, i64, load, loadWord, select, tee } from "../../wasm/expression.js";
import { CONTROL, I32 } from "../../wasm/opcodes.js";
import { I32X4, V128 } from "../../wasm/simd.js";
import type { LibraryFunction } from "./library.js";

/**
 * (stride in words, mask) -> wavefronts of 4-byte accesses base + lane * stride on 32 banks. Lanes l and m share a bank
 * if l - m is a multiple of 32 / gcd(stride, 32). The most lanes with
 * equal remainders count. A stride of 0 is one word for all.
 */
export const STRIDE_WAVEFRONTS: LibraryFunction = {
  name: "strideWavefronts",
  params: ["i32", "i32"],
  results: ["i32"],
  write: (body) => {
    const [stride, mask] = [0, 1];
    const [shift, period, pattern, most, here] = [0, 0, 0, 0, 0].map(() => body.local("i32")) as [
      number,
      number,
      number,
      number,
      number,
    ];
    body.if(i32.eqz(get(stride)));
    body.i32(1);
    body.op(CONTROL.return);
    body.end();
    // gcd = 2^shift, at most 32.
    body.if(i32.eqz(tee(shift, i32.ctz(i32.or(get(stride), i32(32))))));
    body.i32(1);
    body.op(CONTROL.return);
    body.end();
    // The lowest n lanes: ceil(n / period).
    body.if(i32.eqz(i32.and(get(mask), i32.add(get(mask), i32(1)))));
    body.push(i32.shr_u(i32.add(i32.popcnt(get(mask)), i32.shr_u(i32(31), get(shift))), i32.sub(i32(5), get(shift))));
    body.op(CONTROL.return);
    body.end();
    // period = 32 >> shift; pattern: the bits at multiples of it, (2^32 - 1) / (2^period - 1).
    body.set(
      pattern,
      convert.i32_wrap_i64(
        i64.div_u(
          i64(0xffffffffn),
          i64.sub(i64.shl(i64(1), convert.i64_extend_i32_u(tee(period, i32.shr_u(i32(32), get(shift))))), i64(1)),
        ),
      ),
    );
    const again = body.loop();
    body.set(
      most,
      select(tee(here, i32.popcnt(i32.and(get(mask), get(pattern)))), get(most), i32.gt_u(get(here), get(most))),
    );
    body.set(pattern, i32.shl(get(pattern), i32(1)));
    body.brIf(again, tee(period, i32.sub(get(period), i32(1))));
    body.end();
    body.get(most);
  },
};

interface BankWalk {
  readonly scratch: number;
  readonly word: number;
  readonly entry: number;
  readonly count: number;
  /** The loop to go on with if the word is in the list. */
  readonly again: Label;
}

/** Counts the words of the bank's list from `entry` on, with the lane's own. */
function walkBank(body: FunctionBody, { scratch, word, entry, count, again }: BankWalk): void {
  body.set(count, i32(1));
  const walked = body.block();
  const walk = body.loop();
  body.brIf(walked, i32.eqz(get(entry)));
  // Lanes of 8 or 16 bits may be at parts of one word.
  body.brIf(
    again,
    i32.lt_u(
      i32.xor(loadWord(LANE_ADDRESSES - 4, tee(entry, i32.add(get(scratch), i32.shl(get(entry), i32(2))))), get(word)),
      i32(4),
    ),
  );
  body.set(count, i32.add(get(count), i32(1)));
  body.set(entry, loadWord(BANK_WORK + 128 - 4, get(entry)));
  body.br(walk);
  body.end();
  body.end();
}

interface BankLink {
  readonly scratch: number;
  readonly lane: number;
  readonly bank: number;
}

/** Puts the lane's word in front of its bank's list. */
function linkInFront(body: FunctionBody, { scratch, lane, bank }: BankLink): void {
  body.storeWord(BANK_WORK + 128, i32.add(get(scratch), i32.shl(get(lane), i32(2))), loadWord(BANK_WORK, get(bank)));
  body.storeWord(BANK_WORK, get(bank), i32.add(get(lane), i32(1)));
}

/**
 * (scratch, mask, shift, slots) -> wavefronts of one pass of the accesses at LANE_ADDRESSES: the most distinct words of
 * a bank. Aligned accesses of 8 or 16 bytes share all of their banks or none, so these count as one bank. The bank of an
 * address is (address >> shift) & slots, times 4. The words of a bank are a linked list of lanes in the working store.
 */
const PASS_WAVEFRONTS: LibraryFunction = {
  name: "passWavefronts",
  params: ["i32", "i32", "i32", "i32"],
  results: ["i32"],
  write: (body) => {
    const [scratch, mask, shift, slots] = [0, 1, 2, 3];
    const names = Array.from({ length: 7 }, () => body.local("i32"));
    const [rest, lane, word, bank, entry, count, most] = names as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    // BANK_WORK: 32 heads (lane + 1, or 0), then 32 links (lane + 1 of the next, or 0).
    for (let k = 0; k < 8; k++) {
      body.store(V128.store, BANK_WORK + 16 * k, 4, get(scratch), i32x4(0, 0, 0, 0));
    }
    body.set(most, i32(1));
    body.set(rest, get(mask));
    const done = body.block();
    const again = body.loop();
    body.brIf(done, i32.eqz(get(rest)));
    body.set(lane, i32.ctz(get(rest)));
    body.set(rest, i32.and(get(rest), i32.sub(get(rest), i32(1))));
    body.set(word, loadWord(LANE_ADDRESSES, i32.add(get(scratch), i32.shl(get(lane), i32(2)))));
    body.set(
      entry,
      loadWord(BANK_WORK, tee(bank, i32.add(get(scratch), i32.and(i32.shr_u(get(word), get(shift)), get(slots))))),
    );
    walkBank(body, { scratch, word, entry, count, again });
    linkInFront(body, { scratch, lane, bank });
    body.set(most, select(get(count), get(most), i32.gt_u(get(count), get(most))));
    body.br(again);
    body.end();
    body.end();
    body.get(most);
  },
};

/** (scratch, mask) -> wavefronts of the 4-byte accesses at LANE_ADDRESSES. */
export const WORD_WAVEFRONTS: LibraryFunction = {
  name: "wordWavefronts",
  params: ["i32", "i32"],
  results: ["i32"],
  write: (body, library) => {
    body.push(get(0), get(1), i32(0), i32(124));
    library.call(body, PASS_WAVEFRONTS);
  },
};

/** (scratch, mask) -> wavefronts of the 4-byte atomics at LANE_ADDRESSES: the most lanes of a bank. */
export const ATOMIC_WAVEFRONTS: LibraryFunction = {
  name: "atomicWavefronts",
  params: ["i32", "i32"],
  results: ["i32"],
  write: (body) => {
    const [scratch, mask] = [0, 1];
    const [bank, count, most] = [body.local("i32"), body.local("i32"), body.local("i32")];
    for (let k = 0; k < 8; k++) {
      body.store(V128.store, BANK_WORK + 16 * k, 4, get(scratch), i32x4(0, 0, 0, 0));
    }
    body.set(most, i32(1));
    const done = body.block();
    const again = body.loop();
    body.brIf(done, i32.eqz(get(mask)));
    body.storeWord(
      BANK_WORK,
      tee(
        bank,
        i32.add(
          get(scratch),
          i32.and(loadWord(LANE_ADDRESSES, i32.add(get(scratch), i32.shl(i32.ctz(get(mask)), i32(2)))), i32(124)),
        ),
      ),
      tee(count, i32.add(loadWord(BANK_WORK, get(bank)), i32(1))),
    );
    body.set(most, select(get(count), get(most), i32.gt_u(get(count), get(most))));
    body.set(mask, i32.and(get(mask), i32.sub(get(mask), i32(1))));
    body.br(again);
    body.end();
    body.end();
    body.get(most);
  },
};

/** (scratch, mask) -> 1 if all active neighbours, lanes l and l xor 1 (l xor 2), have the same address. */
function neighboursAgree(distance: 1 | 2): LibraryFunction {
  return {
    name: `neighboursAgree${distance}`,
    params: ["i32", "i32"],
    results: ["i32"],
    write: (body) => {
      const [scratch, mask] = [0, 1];
      const [lanes, differing] = [body.local("v128"), body.local("i32")];
      for (let k = 0; k < 8; k++) {
        body.push(tee(lanes, load(V128.load, LANE_ADDRESSES + 16 * k, 4, get(scratch))), get(lanes), get(lanes));
        if (distance === 1) body.shuffleWords(1, 0, 3, 2);
        else body.shuffleWords(2, 3, 0, 1);
        body.op(I32X4.ne, I32X4.bitmask);
        body.set(differing, i32.or(i32.shl(i32(4 * k)), get(differing)));
      }
      // Lanes whose neighbour is active: the pairs' halves of the mask change places.
      const low = distance === 1 ? 0x55555555 : 0x33333333;
      body.push(
        i32.eqz(
          i32.and(
            i32.and(
              i32.or(
                i32.and(i32.shr_u(get(mask), i32(distance)), i32(low)),
                i32.shl(i32.and(get(mask), i32(low)), i32(distance)),
              ),
              get(mask),
            ),
            get(differing),
          ),
        ),
      );
    },
  };
}

const AGREE_1: LibraryFunction = neighboursAgree(1);
const AGREE_2: LibraryFunction = neighboursAgree(2);

/** (scratch, mask) -> wavefronts + 2^16 * passes of the accesses of `bytes` at LANE_ADDRESSES. */
function wideWavefronts(bytes: 8 | 16): LibraryFunction {
  return {
    name: `wideWavefronts${bytes}`,
    params: ["i32", "i32"],
    results: ["i32"],
    write: (body, library) => {
      const [scratch, mask] = [0, 1];
      const [lanes, first, total] = [body.local("i32"), body.local("i32"), body.local("i32")];
      // Lanes of a pass: 128 bytes, or twice as much where neighbours agree.
      body.i32(128 / bytes);
      for (const agree of [AGREE_1, AGREE_2]) {
        body.push(get(scratch), get(mask));
        library.call(body, agree);
      }
      body.op(I32.or, I32.shl);
      body.set(lanes);
      const again = body.loop();
      body.push(
        get(total),
        get(scratch),
        i32.and(get(mask), i32.shl(i32.shr_u(i32(-1), i32.sub(i32(32), get(lanes))), get(first))),
        i32(bytes === 8 ? 1 : 2),
        i32(bytes === 8 ? 60 : 28),
      );
      library.call(body, PASS_WAVEFRONTS);
      body.op(I32.add);
      body.set(total, i32.add(i32(0x10000)));
      body.brIf(again, i32.lt_u(tee(first, i32.add(get(first), get(lanes))), i32(32)));
      body.end();
      body.get(total);
    },
  };
}

export const WIDE_WAVEFRONTS: Readonly<Record<8 | 16, LibraryFunction>> = {
  8: wideWavefronts(8),
  16: wideWavefronts(16),
};
