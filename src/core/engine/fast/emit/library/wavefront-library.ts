/** Library functions that count the wavefronts of shared-memory accesses on 32 banks (semantics/bank-conflicts.ts). */
import { BANK_WORK, LANE_ADDRESSES } from "../../layout.js";
import type { FunctionBody, Label } from "../../wasm/body.js";
import { CONTROL, CONVERT, I32, I64, MEMORY } from "../../wasm/opcodes.js";
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
    body.get(stride);
    body.op(I32.eqz);
    body.if();
    body.i32(1);
    body.op(CONTROL.return);
    body.end();
    // gcd = 2^shift, at most 32.
    body.get(stride);
    body.i32(32);
    body.op(I32.or, I32.ctz);
    body.tee(shift);
    body.op(I32.eqz);
    body.if();
    body.i32(1);
    body.op(CONTROL.return);
    body.end();
    // The lowest n lanes: ceil(n / period).
    body.get(mask);
    body.get(mask);
    body.i32(1);
    body.op(I32.add, I32.and, I32.eqz);
    body.if();
    body.get(mask);
    body.op(I32.popcnt);
    body.i32(31);
    body.get(shift);
    body.op(I32.shr_u, I32.add);
    body.i32(5);
    body.get(shift);
    body.op(I32.sub, I32.shr_u, CONTROL.return);
    body.end();
    // period = 32 >> shift; pattern: the bits at multiples of it, (2^32 - 1) / (2^period - 1).
    body.i64(0xffffffffn);
    body.i64(1);
    body.i32(32);
    body.get(shift);
    body.op(I32.shr_u);
    body.tee(period);
    body.op(CONVERT.i64_extend_i32_u, I64.shl);
    body.i64(1);
    body.op(I64.sub, I64.div_u, CONVERT.i32_wrap_i64);
    body.set(pattern);
    const again = body.loop();
    body.get(mask);
    body.get(pattern);
    body.op(I32.and, I32.popcnt);
    body.tee(here);
    body.get(most);
    body.get(here);
    body.get(most);
    body.op(I32.gt_u, CONTROL.select);
    body.set(most);
    body.get(pattern);
    body.i32(1);
    body.op(I32.shl);
    body.set(pattern);
    body.get(period);
    body.i32(1);
    body.op(I32.sub);
    body.tee(period);
    body.brIf(again);
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
  body.i32(1);
  body.set(count);
  const walked = body.block();
  const walk = body.loop();
  body.get(entry);
  body.op(I32.eqz);
  body.brIf(walked);
  body.get(scratch);
  body.get(entry);
  body.i32(2);
  body.op(I32.shl, I32.add);
  body.tee(entry);
  body.memory(MEMORY.i32_load, LANE_ADDRESSES - 4, 2);
  body.get(word);
  // Lanes of 8 or 16 bits may be at parts of one word.
  body.op(I32.xor);
  body.i32(4);
  body.op(I32.lt_u);
  body.brIf(again);
  body.get(count);
  body.i32(1);
  body.op(I32.add);
  body.set(count);
  body.get(entry);
  body.memory(MEMORY.i32_load, BANK_WORK + 128 - 4, 2);
  body.set(entry);
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
  body.get(scratch);
  body.get(lane);
  body.i32(2);
  body.op(I32.shl, I32.add);
  body.get(bank);
  body.memory(MEMORY.i32_load, BANK_WORK, 2);
  body.memory(MEMORY.i32_store, BANK_WORK + 128, 2);
  body.get(bank);
  body.get(lane);
  body.i32(1);
  body.op(I32.add);
  body.memory(MEMORY.i32_store, BANK_WORK, 2);
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
      body.get(scratch);
      body.i32x4(0, 0, 0, 0);
      body.memory(V128.store, BANK_WORK + 16 * k, 4);
    }
    body.i32(1);
    body.set(most);
    body.get(mask);
    body.set(rest);
    const done = body.block();
    const again = body.loop();
    body.get(rest);
    body.op(I32.eqz);
    body.brIf(done);
    body.get(rest);
    body.op(I32.ctz);
    body.set(lane);
    body.get(rest);
    body.get(rest);
    body.i32(1);
    body.op(I32.sub, I32.and);
    body.set(rest);
    body.get(scratch);
    body.get(lane);
    body.i32(2);
    body.op(I32.shl, I32.add);
    body.memory(MEMORY.i32_load, LANE_ADDRESSES, 2);
    body.set(word);
    body.get(scratch);
    body.get(word);
    body.get(shift);
    body.op(I32.shr_u);
    body.get(slots);
    body.op(I32.and, I32.add);
    body.tee(bank);
    body.memory(MEMORY.i32_load, BANK_WORK, 2);
    body.set(entry);
    walkBank(body, { scratch, word, entry, count, again });
    linkInFront(body, { scratch, lane, bank });
    body.get(count);
    body.get(most);
    body.get(count);
    body.get(most);
    body.op(I32.gt_u, CONTROL.select);
    body.set(most);
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
    body.get(0);
    body.get(1);
    body.i32(0);
    body.i32(124);
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
      body.get(scratch);
      body.i32x4(0, 0, 0, 0);
      body.memory(V128.store, BANK_WORK + 16 * k, 4);
    }
    body.i32(1);
    body.set(most);
    const done = body.block();
    const again = body.loop();
    body.get(mask);
    body.op(I32.eqz);
    body.brIf(done);
    body.get(scratch);
    body.get(scratch);
    body.get(mask);
    body.op(I32.ctz);
    body.i32(2);
    body.op(I32.shl, I32.add);
    body.memory(MEMORY.i32_load, LANE_ADDRESSES, 2);
    body.i32(124);
    body.op(I32.and, I32.add);
    body.tee(bank);
    body.get(bank);
    body.memory(MEMORY.i32_load, BANK_WORK, 2);
    body.i32(1);
    body.op(I32.add);
    body.tee(count);
    body.memory(MEMORY.i32_store, BANK_WORK, 2);
    body.get(count);
    body.get(most);
    body.get(count);
    body.get(most);
    body.op(I32.gt_u, CONTROL.select);
    body.set(most);
    body.get(mask);
    body.get(mask);
    body.i32(1);
    body.op(I32.sub, I32.and);
    body.set(mask);
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
        body.get(scratch);
        body.memory(V128.load, LANE_ADDRESSES + 16 * k, 4);
        body.tee(lanes);
        body.get(lanes);
        body.get(lanes);
        if (distance === 1) body.shuffleWords(1, 0, 3, 2);
        else body.shuffleWords(2, 3, 0, 1);
        body.op(I32X4.ne, I32X4.bitmask);
        body.i32(4 * k);
        body.op(I32.shl);
        body.get(differing);
        body.op(I32.or);
        body.set(differing);
      }
      // Lanes whose neighbour is active: the pairs' halves of the mask change places.
      const low = distance === 1 ? 0x55555555 : 0x33333333;
      body.get(mask);
      body.i32(distance);
      body.op(I32.shr_u);
      body.i32(low);
      body.op(I32.and);
      body.get(mask);
      body.i32(low);
      body.op(I32.and);
      body.i32(distance);
      body.op(I32.shl, I32.or);
      body.get(mask);
      body.op(I32.and);
      body.get(differing);
      body.op(I32.and, I32.eqz);
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
        body.get(scratch);
        body.get(mask);
        library.call(body, agree);
      }
      body.op(I32.or, I32.shl);
      body.set(lanes);
      const again = body.loop();
      body.get(total);
      body.get(scratch);
      body.get(mask);
      body.i32(-1);
      body.i32(32);
      body.get(lanes);
      body.op(I32.sub, I32.shr_u);
      body.get(first);
      body.op(I32.shl, I32.and);
      body.i32(bytes === 8 ? 1 : 2);
      body.i32(bytes === 8 ? 60 : 28);
      library.call(body, PASS_WAVEFRONTS);
      body.op(I32.add);
      body.i32(0x10000);
      body.op(I32.add);
      body.set(total);
      body.get(first);
      body.get(lanes);
      body.op(I32.add);
      body.tee(first);
      body.i32(32);
      body.op(I32.lt_u);
      body.brIf(again);
      body.end();
      body.get(total);
    },
  };
}

export const WIDE_WAVEFRONTS: Readonly<Record<8 | 16, LibraryFunction>> = {
  8: wideWavefronts(8),
  16: wideWavefronts(16),
};
