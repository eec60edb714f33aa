/** Library functions that count the wavefronts of shared-memory accesses, and check affine accesses. */
import { BANK_WORK, LANE_ADDRESSES } from "../layout.js";
import { CONTROL, CONVERT, I32, I64, MEMORY } from "../wasm/opcodes.js";
import type { LibraryFunction } from "./library.js";

/**
 * (stride in words, mask) -> wavefronts of 4-byte accesses base + lane * stride on 32 banks: lanes l and m meet in a
 * bank if (l - m) * stride is a multiple of 32, that is, if l - m is one of 32 / gcd(stride, 32). The most lanes with
 * equal remainders count; a stride of 0 is one word for all.
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

/**
 * (scratch, mask) -> wavefronts of 4-byte accesses at LANE_ADDRESSES on 32 banks: the most distinct words of a bank.
 * The words of a bank stand in a list of lanes linked through the working store.
 */
export const WORD_WAVEFRONTS: LibraryFunction = {
  name: "wordWavefronts",
  params: ["i32", "i32"],
  results: ["i32"],
  write: (body) => {
    const [scratch, mask] = [0, 1];
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
    const banks = body.local("i32");
    // BANK_WORK: 32 heads (lane + 1, or 0), then 32 links (lane + 1 of the next, or 0).
    for (let k = 0; k < 8; k++) {
      body.get(scratch);
      body.i32x4(0, 0, 0, 0);
      body.memory(0xfd000 + 11, BANK_WORK + 16 * k, 4);
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
    body.i32(124);
    body.op(I32.and, I32.add);
    body.tee(bank);
    body.memory(MEMORY.i32_load, BANK_WORK, 2);
    body.set(entry);
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
    body.op(I32.eq);
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
    // A new word of this bank: link in front.
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
    body.release(banks);
  },
};

/** Kinds of faults that compiled code reports. */
export const FAULT: {
  readonly bounds: 0;
  readonly division: 1;
  readonly stepLimit: 2;
  readonly outsideMask: 3;
  readonly incompleteMask: 4;
} = { bounds: 0, division: 1, stepLimit: 2, outsideMask: 3, incompleteMask: 4 };

/** Parameters of the imported `fault`: kind, pc, block, warp, lanes, value (address of the first lane, or mask). It throws. */
export const FAULT_PARAMS: readonly ["i32", "i32", "i32", "i32", "i32", "f64"] = [
  "i32",
  "i32",
  "i32",
  "i32",
  "i32",
  "f64",
];

/**
 * (pc, block, warp, mask, offset, stride, offsets, alignment, start, wrap): lane l accesses byte offset + l * stride of a root
 * that starts at `start`; offsets below `offsets` that are no multiple of `alignment` + 1 fail. Reports the active lanes
 * that fail, or returns.
 */
export const CHECK_AFFINE: LibraryFunction = {
  name: "checkAffine",
  params: ["i32", "i32", "i32", "i32", "i64", "i64", "i64", "i64", "i64", "i64"],
  results: [],
  write: (body, library) => {
    const [pc, block, warp, mask, offset, stride, offsets, alignment, start, wrap] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    const [rest, bad] = [body.local("i32"), body.local("i32")];
    const [here, first] = [body.local("i64"), body.local("i64")];
    body.get(mask);
    body.set(rest);
    const done = body.block();
    const again = body.loop();
    body.get(rest);
    body.op(I32.eqz);
    body.brIf(done);
    body.get(offset);
    body.get(rest);
    body.op(I32.ctz, CONVERT.i64_extend_i32_u);
    body.get(stride);
    body.op(I64.mul, I64.add);
    body.set(here);
    // Keep the low 64 - wrap bits, with their sign; or the low 64 + wrap bits without.
    body.get(here);
    body.get(wrap);
    body.op(I64.shl);
    body.get(wrap);
    body.op(I64.shr_s);
    body.get(here);
    body.i64(0);
    body.get(wrap);
    body.op(I64.sub);
    body.op(I64.shl);
    body.i64(0);
    body.get(wrap);
    body.op(I64.sub);
    body.op(I64.shr_u);
    body.get(wrap);
    body.i64(0);
    body.op(I64.ge_s, CONTROL.select);
    body.tee(here);
    body.get(offsets);
    body.op(I64.ge_u);
    body.get(here);
    body.get(start);
    body.op(I64.add);
    body.get(alignment);
    body.op(I64.and);
    body.i64(0);
    body.op(I64.ne, I32.or);
    body.if();
    body.get(bad);
    body.op(I32.eqz);
    body.if();
    body.get(here);
    body.set(first);
    body.end();
    body.get(bad);
    body.get(rest);
    body.i32(0);
    body.get(rest);
    body.op(I32.sub, I32.and, I32.or);
    body.set(bad);
    body.end();
    body.get(rest);
    body.get(rest);
    body.i32(1);
    body.op(I32.sub, I32.and);
    body.set(rest);
    body.br(again);
    body.end();
    body.end();
    body.get(bad);
    body.if();
    body.i32(FAULT.bounds);
    for (const local of [pc, block, warp, bad]) body.get(local);
    body.get(first);
    body.get(start);
    body.op(I64.add, CONVERT.f64_convert_i64_s);
    library.callImport(body, "fault", FAULT_PARAMS, []);
    body.end();
  },
};
