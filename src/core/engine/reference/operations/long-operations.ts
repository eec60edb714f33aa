/** The frequent operations on integers of 64 bits (`lane-operations.ts`), by their words: the lower one of each lane comes first. */
import type { RegisterType } from "../../../lower/program.js";
import { mulhiU32 } from "../../semantics/integer32.js";
import type { RegisterViews } from "../register-layout.js";
import { type LaneOperation, lowest, type Rows } from "./lane-operation.js";

export function longOperation(
  op: string,
  signed: boolean,
  { i32: r }: RegisterViews,
  rows: Rows,
): LaneOperation | null {
  const { d, a, b, c } = rows;
  switch (op) {
    case "add":
      return (base, mask) => {
        for (let m = mask; m !== 0; m &= m - 1) {
          const word = base + 2 * lowest(m);
          const low = (r[word + a]! >>> 0) + (r[word + b]! >>> 0);
          const high = r[word + a + 1]! + r[word + b + 1]! + (low > 0xffffffff ? 1 : 0);
          r[word + d] = low;
          r[word + d + 1] = high;
        }
      };
    case "sub":
      return (base, mask) => {
        for (let m = mask; m !== 0; m &= m - 1) {
          const word = base + 2 * lowest(m);
          const low = (r[word + a]! >>> 0) - (r[word + b]! >>> 0);
          const high = r[word + a + 1]! - r[word + b + 1]! - (low < 0 ? 1 : 0);
          r[word + d] = low;
          r[word + d + 1] = high;
        }
      };
    case "mul":
      return (base, mask) => {
        for (let m = mask; m !== 0; m &= m - 1) {
          const word = base + 2 * lowest(m);
          const x = r[word + a]!;
          const y = r[word + b]!;
          const high = mulhiU32(x, y) + Math.imul(x, r[word + b + 1]!) + Math.imul(r[word + a + 1]!, y);
          r[word + d] = Math.imul(x, y);
          r[word + d + 1] = high;
        }
      };
    case "mad":
      return (base, mask) => {
        for (let m = mask; m !== 0; m &= m - 1) {
          const word = base + 2 * lowest(m);
          const x = r[word + a]!;
          const y = r[word + b]!;
          const low = (Math.imul(x, y) >>> 0) + (r[word + c]! >>> 0);
          const product = mulhiU32(x, y) + Math.imul(x, r[word + b + 1]!) + Math.imul(r[word + a + 1]!, y);
          const high = product + r[word + c + 1]! + (low > 0xffffffff ? 1 : 0);
          r[word + d] = low;
          r[word + d + 1] = high;
        }
      };
    case "and":
    case "or":
    case "xor":
      return longBitwise(op, r, rows);
    case "shl":
      return longShiftLeft(r, rows);
    case "shr":
      return longShiftRight(r, rows, signed);
    default:
      return null;
  }
}

function longBitwise(op: "and" | "or" | "xor", r: Int32Array, { d, a, b }: Rows): LaneOperation {
  switch (op) {
    case "and":
      return (base, mask) => {
        for (let m = mask; m !== 0; m &= m - 1) {
          const word = base + 2 * lowest(m);
          r[word + d] = r[word + a]! & r[word + b]!;
          r[word + d + 1] = r[word + a + 1]! & r[word + b + 1]!;
        }
      };
    case "or":
      return (base, mask) => {
        for (let m = mask; m !== 0; m &= m - 1) {
          const word = base + 2 * lowest(m);
          r[word + d] = r[word + a]! | r[word + b]!;
          r[word + d + 1] = r[word + a + 1]! | r[word + b + 1]!;
        }
      };
    case "xor":
      return (base, mask) => {
        for (let m = mask; m !== 0; m &= m - 1) {
          const word = base + 2 * lowest(m);
          r[word + d] = r[word + a]! ^ r[word + b]!;
          r[word + d + 1] = r[word + a + 1]! ^ r[word + b + 1]!;
        }
      };
  }
}

function longShiftLeft(r: Int32Array, { d, a, b }: Rows): LaneOperation {
  return (base, mask) => {
    for (let m = mask; m !== 0; m &= m - 1) {
      const lane = lowest(m);
      const word = base + 2 * lane;
      const count = r[base + b + lane]!;
      const x = r[word + a]!;
      const short = (count & ~31) === 0;
      // A word takes counts modulo 32, so a shift by 0 must take nothing of the other word.
      const above = count === 0 ? 0 : x >>> (32 - count);
      const high = short ? (r[word + a + 1]! << count) | above : (count & ~63) === 0 ? x << count : 0;
      r[word + d] = short ? x << count : 0;
      r[word + d + 1] = high;
    }
  };
}

function longShiftRight(r: Int32Array, { d, a, b }: Rows, signed: boolean): LaneOperation {
  return (base, mask) => {
    for (let m = mask; m !== 0; m &= m - 1) {
      const lane = lowest(m);
      const word = base + 2 * lane;
      const count = r[base + b + lane]!;
      const x = r[word + a + 1]!;
      const sign = signed ? x >> 31 : 0;
      const short = (count & ~31) === 0;
      const below = count === 0 ? 0 : x << (32 - count);
      const shifted = signed ? x >> count : x >>> count;
      r[word + d] = short ? (r[word + a]! >>> count) | below : (count & ~63) === 0 ? shifted : sign;
      r[word + d + 1] = short ? shifted : sign;
    }
  };
}

/** Between integers of 64 and of 32 bits; null for other types. */
export function longConversion(
  from: RegisterType,
  to: RegisterType,
  { i32: r }: RegisterViews,
  { d, a }: Rows,
): LaneOperation | null {
  if ((to === "i32" || to === "u32") && (from === "i64" || from === "u64")) {
    return (base, mask) => {
      for (let m = mask; m !== 0; m &= m - 1) r[base + d + lowest(m)] = r[base + a + 2 * lowest(m)]!;
    };
  }
  if ((to !== "i64" && to !== "u64") || (from !== "i32" && from !== "u32")) return null;
  const signs = from === "i32" ? -1 : 0;
  return (base, mask) => {
    for (let m = mask; m !== 0; m &= m - 1) {
      const lane = lowest(m);
      const x = r[base + a + lane]!;
      r[base + d + 2 * lane] = x;
      r[base + d + 2 * lane + 1] = (x >> 31) & signs;
    }
  };
}
