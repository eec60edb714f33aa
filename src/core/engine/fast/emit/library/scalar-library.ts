/** Library functions on single values: divisions that never trap, counts of distinct sectors and of bank conflicts. */
import { BANK_WORK, LANE_ADDRESSES } from "../../layout.js";
import type { FunctionBody, Label } from "../../wasm/body.js";
import { apply, convert, get, i32, i64, loadWord, tee } from "../../wasm/expression.js";
import { I32, I64 } from "../../wasm/opcodes.js";
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
      body.if(apply(ops.eqz, get(1)));
      zero(0);
      body.op(0x0f);
      body.end();
      if (signedQuotient) {
        body.get(1);
        zero(-1);
        body.op(ops.eq);
        body.if();
        zero(0);
        body.push(apply(ops.sub, get(0)));
        body.op(0x0f);
        body.end();
      }
      body.push(get(0), get(1));
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
      body.set(
        bits,
        i64.shl(
          convert.i64_extend_i32_u(get(1)),
          convert.i64_extend_i32_u(i32.shr_u(i32.and(get(0), i32(127)), i32(log))),
        ),
      );
      const fold = (from: number, to: number): void => {
        for (let distance = from; distance < to; distance *= 2) {
          body.set(bits, i64.or(get(bits), i64.shr_u(get(bits), i64(distance))));
        }
        let firstOfGroups = 0n;
        for (let bit = 0; bit < 64; bit += to) firstOfGroups |= 1n << BigInt(bit);
        body.push(convert.i32_wrap_i64(i64.popcnt(i64.and(get(bits), i64(firstOfGroups)))));
      };
      fold(1, 32 >> log);
      fold(32 >> log, 128 >> log);
      body.push(i32.or(i32.shl(i32(16))));
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
  body.set(entry, get(seen));
  const search = body.block();
  const step = body.loop();
  body.brIf(search, i32.eqz(get(entry)));
  body.brIf(
    found,
    i32.eq(
      tee(other, loadWord(BANK_WORK, i32.add(i32.shl(tee(entry, i32.sub(get(entry), i32(1))), i32(2)), get(scratch)))),
      get(unit),
    ),
  );
  body.br(step);
  body.end();
  body.end();
  body.storeWord(BANK_WORK, i32.add(i32.shl(get(seen), i32(2)), get(scratch)), get(unit));
  body.set(seen, i32.add(get(seen), i32(1)));
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
      body.set(seen, i32(0));
      body.set(rest, get(mask));
      const done = body.block();
      const again = body.loop();
      body.brIf(done, i32.eqz(get(rest)));
      body.set(
        last,
        i32.shr_u(
          i32.sub(
            i32.add(
              tee(unit, loadWord(LANE_ADDRESSES, i32.add(get(scratch), i32.shl(i32.ctz(get(rest)), i32(2))))),
              get(bytes),
            ),
            i32(1),
          ),
          i32(shift),
        ),
      );
      body.set(unit, i32.shr_u(get(unit), i32(shift)));
      // Each unit from the first to the last byte of the access (one, if it is aligned).
      const units = body.loop();
      const found = body.block();
      addUnlessSeen(body, { scratch, unit, seen, entry, other, found });
      body.set(result, i32.add(get(result), i32(one)));
      body.end();
      body.brIf(units, i32.le_u(tee(unit, i32.add(get(unit), i32(1))), get(last)));
      body.end();
      body.set(rest, i32.and(get(rest), i32.sub(get(rest), i32(1))));
      body.br(again);
      body.end();
      body.end();
    }
    body.get(result);
  },
};
