/** Library functions on single values: divisions that never trap, counts of distinct sectors and of bank conflicts. */
import { BANK_WORK, LANE_ADDRESSES } from "../../layout.js";
import type { FunctionBody, Label } from "../../wasm/body.js";
import { CONVERT, I32, I64, MEMORY } from "../../wasm/opcodes.js";
import type { LibraryFunction } from "./library.js";

/** Division without traps: a divisor of 0 gives 0 (the caller reports it), -2^n-1 / -1 wraps. */
function division(name: string, storage: "i32" | "i64", opcode: number, signedQuotient: boolean): LibraryFunction {
  const ops = storage === "i32" ? I32 : I64;
  return {
    name,
    params: [storage, storage],
    results: [storage],
    write: (body) => {
      const zero = (value: number): void => (storage === "i32" ? body.i32(value) : body.i64(value));
      body.get(1);
      body.op(ops.eqz);
      body.if();
      zero(0);
      body.op(0x0f);
      body.end();
      if (signedQuotient) {
        body.get(1);
        zero(-1);
        body.op(ops.eq);
        body.if();
        zero(0);
        body.get(0);
        body.op(ops.sub, 0x0f);
        body.end();
      }
      body.get(0);
      body.get(1);
      body.op(opcode);
    },
  };
}

export const DIVISION: Readonly<Record<string, LibraryFunction>> = {
  "div i32": division("divI32", "i32", I32.div_s, true),
  "div u32": division("divU32", "i32", I32.div_u, false),
  "rem i32": division("remI32", "i32", I32.rem_s, false),
  "rem u32": division("remU32", "i32", I32.rem_u, false),
  "div i64": division("divI64", "i64", I64.div_s, true),
  "div u64": division("divU64", "i64", I64.div_u, false),
  "rem i64": division("remI64", "i64", I64.rem_s, false),
  "rem u64": division("remU64", "i64", I64.rem_u, false),
};

/**
 * (address of lane 0's access, mask) -> sectors of 32 bytes + 2^16 * lines of 128 bytes that the lanes touch. Each lane's
 * access of 2^log bytes follows that of the lane before.
 */
function unitStrideSectors(log: 2 | 3 | 4): LibraryFunction {
  return {
    name: `unitStrideSectors${log}`,
    params: ["i32", "i32"],
    results: ["i32"],
    write: (body) => {
      // Bit i: the element i places after the start of lane 0's line is touched. A sector or line is a group of bits.
      const bits = body.local("i64");
      body.get(1);
      body.op(CONVERT.i64_extend_i32_u);
      body.get(0);
      body.i32(127);
      body.op(I32.and);
      body.i32(log);
      body.op(I32.shr_u, CONVERT.i64_extend_i32_u, I64.shl);
      body.set(bits);
      const fold = (from: number, to: number): void => {
        for (let distance = from; distance < to; distance *= 2) {
          body.get(bits);
          body.get(bits);
          body.i64(distance);
          body.op(I64.shr_u, I64.or);
          body.set(bits);
        }
        let firstOfGroups = 0n;
        for (let bit = 0; bit < 64; bit += to) firstOfGroups |= 1n << BigInt(bit);
        body.get(bits);
        body.i64(firstOfGroups);
        body.op(I64.and, I64.popcnt, CONVERT.i32_wrap_i64);
      };
      fold(1, 32 >> log);
      fold(32 >> log, 128 >> log);
      body.i32(16);
      body.op(I32.shl, I32.or);
    },
  };
}

export const UNIT_STRIDE_SECTORS: Readonly<Record<4 | 8 | 16, LibraryFunction>> = {
  4: unitStrideSectors(2),
  8: unitStrideSectors(3),
  16: unitStrideSectors(4),
};

interface SeenUnits {
  readonly scratch: number;
  readonly unit: number;
  readonly seen: number;
  readonly entry: number;
  readonly other: number;
  /** The block to leave if the unit is among those seen. */
  readonly found: Label;
}

/** Searches the working store for the unit, newest first, and adds it at the end. */
function addUnlessSeen(body: FunctionBody, { scratch, unit, seen, entry, other, found }: SeenUnits): void {
  body.get(seen);
  body.set(entry);
  const search = body.block();
  const step = body.loop();
  body.get(entry);
  body.op(I32.eqz);
  body.brIf(search);
  body.get(entry);
  body.i32(1);
  body.op(I32.sub);
  body.tee(entry);
  body.i32(2);
  body.op(I32.shl);
  body.get(scratch);
  body.op(I32.add);
  body.memory(MEMORY.i32_load, BANK_WORK, 2);
  body.tee(other);
  body.get(unit);
  body.op(I32.eq);
  body.brIf(found);
  body.br(step);
  body.end();
  body.end();
  body.get(seen);
  body.i32(2);
  body.op(I32.shl);
  body.get(scratch);
  body.op(I32.add);
  body.get(unit);
  body.memory(MEMORY.i32_store, BANK_WORK, 2);
  body.get(seen);
  body.i32(1);
  body.op(I32.add);
  body.set(seen);
}

/** (scratch, mask, bytes of an access) -> sectors + 2^16 * lines of the accesses at LANE_ADDRESSES. */
export const SECTORS: LibraryFunction = {
  name: "sectors",
  params: ["i32", "i32", "i32"],
  results: ["i32"],
  write: (body) => {
    const [scratch, mask, bytes] = [0, 1, 2];
    const rest = body.local("i32");
    const result = body.local("i32");
    const [unit, last, seen, entry, other] = [0, 0, 0, 0, 0].map(() => body.local("i32")) as [
      number,
      number,
      number,
      number,
      number,
    ];
    for (const [shift, one] of [
      [5, 1],
      [7, 0x10000],
    ] as const) {
      // Distinct units so far stand in the working store, newest last; accesses near each other find theirs at once.
      body.i32(0);
      body.set(seen);
      body.get(mask);
      body.set(rest);
      const done = body.block();
      const again = body.loop();
      body.get(rest);
      body.op(I32.eqz);
      body.brIf(done);
      body.get(scratch);
      body.get(rest);
      body.op(I32.ctz);
      body.i32(2);
      body.op(I32.shl, I32.add);
      body.memory(MEMORY.i32_load, LANE_ADDRESSES, 2);
      body.tee(unit);
      body.get(bytes);
      body.op(I32.add);
      body.i32(1);
      body.op(I32.sub);
      body.i32(shift);
      body.op(I32.shr_u);
      body.set(last);
      body.get(unit);
      body.i32(shift);
      body.op(I32.shr_u);
      body.set(unit);
      // Each unit from the first to the last byte of the access (one, if it is aligned).
      const units = body.loop();
      const found = body.block();
      addUnlessSeen(body, { scratch, unit, seen, entry, other, found });
      body.get(result);
      body.i32(one);
      body.op(I32.add);
      body.set(result);
      body.end();
      body.get(unit);
      body.i32(1);
      body.op(I32.add);
      body.tee(unit);
      body.get(last);
      body.op(I32.le_u);
      body.brIf(units);
      body.end();
      body.get(rest);
      body.get(rest);
      body.i32(1);
      body.op(I32.sub, I32.and);
      body.set(rest);
      body.br(again);
      body.end();
      body.end();
    }
    body.get(result);
  },
};
