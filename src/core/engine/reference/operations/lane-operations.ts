/**
 * The frequent operations as loops over the lanes of a row, one function literal each, so that the JavaScript engine
 * compiles each loop for itself. Everything else, and the meaning that these loops must agree with, is in
 * semantics/scalar.ts (test/core/engine/lane-operations.test.ts compares them).
 */
import type { Instruction, RegisterType } from "../../../lower/program.js";
import { operandType, resultType } from "../../semantics/operand-type.js";
import type { RegisterLayout, RegisterViews } from "../register-layout.js";
import { doubleOperation } from "./double-operations.js";
import { floatOperation } from "./float-operations.js";
import { type LaneOperation, lowest, type Rows } from "./lane-operation.js";
import { longConversion, longOperation } from "./long-operations.js";

/** null where the operation has no loop of its own. */
export function hotOperation(
  instruction: Instruction,
  layout: RegisterLayout,
  views: RegisterViews,
): LaneOperation | null {
  const dst = instruction.dst[0];
  if (dst === undefined) return null;
  const row = (index: number): number => (index < instruction.src.length ? layout.operand(instruction, index) : 0);
  const rows = { d: layout.rows[dst] ?? 0, a: row(0), b: row(1), c: row(2) };
  const { op, type } = instruction;
  if (op === "mov" || op === "bitcast") return type === "bool" ? movBool(views, rows) : move(views, rows, type);
  if (op === "selp") return type === "bool" ? null : select(views, rows, type);
  if (op === "setp") return compare(instruction, views, rows);
  if (op === "addr") return address(instruction, views, rows);
  if (op === "cvt" && type === "f32" && operandType(instruction, 0) === "i32") return f32OfI32(views, rows);
  if (op === "cvt") return longConversion(operandType(instruction, 0), type, views, rows);
  if (op === "pand" || op === "por" || op === "pxor" || op === "pnot") return logic(op, views, rows);
  if (resultType(instruction) !== type) return null;
  if (type === "i32" || type === "u32") return integer(op, type === "i32", views.i32, rows);
  if (type === "f32") return floatOperation(op, views, rows);
  if (type === "f64") return doubleOperation(op, views, rows);
  if (type === "i64" || type === "u64") return longOperation(op, type === "i64", views, rows);
  return null;
}

function move(views: RegisterViews, { d, a }: Rows, type: RegisterType): LaneOperation {
  const { i32 } = views;
  if (type === "i32" || type === "u32" || type === "f32") {
    return (base, mask) => {
      if (mask === -1) i32.copyWithin(base + d, base + a, base + a + 32);
      else for (let m = mask; m !== 0; m &= m - 1) i32[base + d + lowest(m)] = i32[base + a + lowest(m)]!;
    };
  }
  return (base, mask) => {
    for (let m = mask; m !== 0; m &= m - 1) {
      const lane = 2 * lowest(m);
      i32[base + d + lane] = i32[base + a + lane]!;
      i32[base + d + lane + 1] = i32[base + a + lane + 1]!;
    }
  };
}

function movBool({ i32 }: RegisterViews, { d, a }: Rows): LaneOperation {
  return (base, mask) => {
    i32[base + d] = (i32[base + d]! & ~mask) | (i32[base + a]! & mask);
  };
}

function logic(op: "pand" | "por" | "pxor" | "pnot", { i32 }: RegisterViews, { d, a, b }: Rows): LaneOperation {
  return (base, mask) => {
    const left = i32[base + a]!;
    const right = i32[base + b]!;
    const result = op === "pand" ? left & right : op === "por" ? left | right : op === "pxor" ? left ^ right : ~left;
    i32[base + d] = (i32[base + d]! & ~mask) | (result & mask);
  };
}

function select({ i32 }: RegisterViews, { d, a, b, c }: Rows, type: RegisterType): LaneOperation {
  const words = type === "i32" || type === "u32" || type === "f32" ? 1 : 2;
  return (base, mask) => {
    const chosen = i32[base + c]!;
    for (let m = mask; m !== 0; m &= m - 1) {
      const lane = lowest(m);
      const from = base + ((chosen >>> lane) & 1 ? a : b) + words * lane;
      i32[base + d + words * lane] = i32[from]!;
      if (words === 2) i32[base + d + 2 * lane + 1] = i32[from + 1]!;
    }
  };
}

function address(instruction: Instruction, views: RegisterViews, { d, a, b }: Rows): LaneOperation | null {
  const type = operandType(instruction, 0);
  if (type !== "i32" && type !== "u32") return null;
  if (instruction.src.length > 1) {
    const { f64 } = views;
    const index = isSignedIndex(instruction) ? views.i32 : views.u32;
    const scale = instruction.scale ?? 1;
    return (base, mask) => {
      const to = (base + d) >> 1;
      const from = (base + b) >> 1;
      if (mask === -1) for (let l = 0; l < 32; l++) f64[to + l] = f64[from + l]! + index[base + a + l]! * scale;
      else
        for (let m = mask; m !== 0; m &= m - 1) {
          const lane = lowest(m);
          f64[to + lane] = f64[from + lane]! + index[base + a + lane]! * scale;
        }
    };
  }
  return null; // the start is the machine's: memory-operations.ts
}

/** In shared and local memory an unsigned index of 2^32 - 1 is -1, as on the machine. */
function isSignedIndex(instruction: Instruction): boolean {
  return operandType(instruction, 0) === "i32" || instruction.root?.kind !== "param";
}

/** dst := start + index * scale. */
export function addressFrom(
  instruction: Instruction,
  layout: RegisterLayout,
  views: RegisterViews,
  start: number,
): LaneOperation | null {
  const type = operandType(instruction, 0);
  if ((type !== "i32" && type !== "u32") || instruction.src.length > 1) return null;
  const { f64 } = views;
  const index = isSignedIndex(instruction) ? views.i32 : views.u32;
  const scale = instruction.scale ?? 1;
  const d = layout.rows[instruction.dst[0] ?? 0] ?? 0;
  const a = layout.operand(instruction, 0);
  return (base, mask) => {
    const to = (base + d) >> 1;
    const from = base + a;
    if (mask === -1) for (let lane = 0; lane < 32; lane++) f64[to + lane] = start + index[from + lane]! * scale;
    else
      for (let m = mask; m !== 0; m &= m - 1) {
        const lane = lowest(m);
        f64[to + lane] = start + index[from + lane]! * scale;
      }
  };
}

function f32OfI32({ i32, f32 }: RegisterViews, { d, a }: Rows): LaneOperation {
  return (base, mask) => {
    for (let m = mask; m !== 0; m &= m - 1) f32[base + d + lowest(m)] = i32[base + a + lowest(m)]!;
  };
}

function compare(instruction: Instruction, views: RegisterViews, rows: Rows): LaneOperation | null {
  const type = operandType(instruction, 0);
  if (type !== "i32" && type !== "u32" && type !== "f32") return null;
  const { d, c } = rows;
  const { i32 } = views;
  const test = lanesWhere(instruction, type, views, rows);
  const { combine } = instruction;
  return (base, mask) => {
    let bits = test(base);
    if (combine !== undefined) bits = combine === "and" ? bits & i32[base + c]! : bits | i32[base + c]!;
    i32[base + d] = (i32[base + d]! & ~mask) | (bits & mask);
  };
}

/** The mask of all 32 lanes for which the comparison holds; for integers the negated forms are complements. */
function lanesWhere(
  { compare }: Instruction,
  type: "i32" | "u32" | "f32",
  views: RegisterViews,
  { a, b }: Rows,
): (base: number) => number {
  const swapped = compare === "gt" || compare === "le";
  const left = swapped ? b : a;
  const right = swapped ? a : b;
  const { i32, u32, f32 } = views;
  const negate = compare === "ne" || (type !== "f32" && (compare === "ge" || compare === "le")) ? -1 : 0;
  if (type === "f32") {
    if (compare === "eq" || compare === "ne") {
      return (base) => {
        let bits = 0;
        for (let l = 0; l < 32; l++) bits |= (f32[base + left + l]! === f32[base + right + l]! ? 1 : 0) << l;
        return bits ^ negate;
      };
    }
    if (compare === "lt" || compare === "gt") {
      return (base) => {
        let bits = 0;
        for (let l = 0; l < 32; l++) bits |= (f32[base + left + l]! < f32[base + right + l]! ? 1 : 0) << l;
        return bits;
      };
    }
    const [low, high] = compare === "le" ? [a, b] : [b, a];
    return (base) => {
      let bits = 0;
      for (let l = 0; l < 32; l++) bits |= (f32[base + low + l]! <= f32[base + high + l]! ? 1 : 0) << l;
      return bits;
    };
  }
  if (compare === "eq" || compare === "ne") {
    return (base) => {
      let bits = 0;
      for (let l = 0; l < 32; l++) bits |= (i32[base + left + l]! === i32[base + right + l]! ? 1 : 0) << l;
      return bits ^ negate;
    };
  }
  if (type === "i32") {
    return (base) => {
      let bits = 0;
      for (let l = 0; l < 32; l++) bits |= (i32[base + left + l]! < i32[base + right + l]! ? 1 : 0) << l;
      return bits ^ negate;
    };
  }
  return (base) => {
    let bits = 0;
    for (let l = 0; l < 32; l++) bits |= (u32[base + left + l]! < u32[base + right + l]! ? 1 : 0) << l;
    return bits ^ negate;
  };
}

function integer(op: string, signed: boolean, r: Int32Array, rows: Rows): LaneOperation | null {
  const { d, a, b, c } = rows;
  switch (op) {
    case "add":
      return (base, mask) => {
        const D = base + d;
        const A = base + a;
        const B = base + b;
        if (mask === -1) for (let l = 0; l < 32; l++) r[D + l] = r[A + l]! + r[B + l]!;
        else
          for (let m = mask; m !== 0; m &= m - 1) {
            const l = lowest(m);
            r[D + l] = r[A + l]! + r[B + l]!;
          }
      };
    case "sub":
      return (base, mask) => {
        if (mask === -1) for (let l = 0; l < 32; l++) r[base + d + l] = r[base + a + l]! - r[base + b + l]!;
        else
          for (let m = mask; m !== 0; m &= m - 1) {
            const l = lowest(m);
            r[base + d + l] = r[base + a + l]! - r[base + b + l]!;
          }
      };
    case "mul":
      return (base, mask) => {
        const D = base + d;
        const A = base + a;
        const B = base + b;
        if (mask === -1) for (let l = 0; l < 32; l++) r[D + l] = Math.imul(r[A + l]!, r[B + l]!);
        else
          for (let m = mask; m !== 0; m &= m - 1) {
            const l = lowest(m);
            r[D + l] = Math.imul(r[A + l]!, r[B + l]!);
          }
      };
    case "mad":
      return (base, mask) => {
        const D = base + d;
        const A = base + a;
        const B = base + b;
        const C = base + c;
        if (mask === -1) for (let l = 0; l < 32; l++) r[D + l] = Math.imul(r[A + l]!, r[B + l]!) + r[C + l]!;
        else
          for (let m = mask; m !== 0; m &= m - 1) {
            const l = lowest(m);
            r[D + l] = Math.imul(r[A + l]!, r[B + l]!) + r[C + l]!;
          }
      };
    case "add3":
      return (base, mask) => {
        for (let m = mask; m !== 0; m &= m - 1) {
          const l = lowest(m);
          r[base + d + l] = r[base + a + l]! + r[base + b + l]! + r[base + c + l]!;
        }
      };
    case "lea":
      return (base, mask) => {
        for (let m = mask; m !== 0; m &= m - 1) {
          const l = lowest(m);
          const count = r[base + c + l]!;
          r[base + d + l] = (exceeds(count) ? 0 : r[base + a + l]! << count) + r[base + b + l]!;
        }
      };
    case "and":
    case "or":
    case "xor":
      return bitwise(op, r, rows);
    case "shl":
      return shiftLeft(r, d, a, b);
    case "shr":
      return signed ? shiftRightSigned(r, d, a, b) : shiftRightUnsigned(r, d, a, b);
    case "min":
    case "max":
      return signed ? extreme(op === "min", r, d, a, b) : null;
    default:
      return null;
  }
}

function bitwise(op: "and" | "or" | "xor", r: Int32Array, { d, a, b }: Rows): LaneOperation {
  switch (op) {
    case "and":
      return (base, mask) => {
        if (mask === -1) for (let l = 0; l < 32; l++) r[base + d + l] = r[base + a + l]! & r[base + b + l]!;
        else
          for (let m = mask; m !== 0; m &= m - 1) {
            const l = lowest(m);
            r[base + d + l] = r[base + a + l]! & r[base + b + l]!;
          }
      };
    case "or":
      return (base, mask) => {
        if (mask === -1) for (let l = 0; l < 32; l++) r[base + d + l] = r[base + a + l]! | r[base + b + l]!;
        else
          for (let m = mask; m !== 0; m &= m - 1) {
            const l = lowest(m);
            r[base + d + l] = r[base + a + l]! | r[base + b + l]!;
          }
      };
    case "xor":
      return (base, mask) => {
        if (mask === -1) for (let l = 0; l < 32; l++) r[base + d + l] = r[base + a + l]! ^ r[base + b + l]!;
        else
          for (let m = mask; m !== 0; m &= m - 1) {
            const l = lowest(m);
            r[base + d + l] = r[base + a + l]! ^ r[base + b + l]!;
          }
      };
  }
}

/** A shift count of 32 and more. */
function exceeds(count: number): boolean {
  return (count & ~31) !== 0;
}

function shiftLeft(r: Int32Array, d: number, a: number, b: number): LaneOperation {
  return (base, mask) => {
    for (let m = mask; m !== 0; m &= m - 1) {
      const l = lowest(m);
      r[base + d + l] = exceeds(r[base + b + l]!) ? 0 : r[base + a + l]! << r[base + b + l]!;
    }
  };
}

function shiftRightSigned(r: Int32Array, d: number, a: number, b: number): LaneOperation {
  return (base, mask) => {
    for (let m = mask; m !== 0; m &= m - 1) {
      const l = lowest(m);
      r[base + d + l] = r[base + a + l]! >> Math.min(r[base + b + l]! >>> 0, 31);
    }
  };
}

function shiftRightUnsigned(r: Int32Array, d: number, a: number, b: number): LaneOperation {
  return (base, mask) => {
    const D = base + d;
    const A = base + a;
    const B = base + b;
    if (mask === -1) for (let l = 0; l < 32; l++) r[D + l] = exceeds(r[B + l]!) ? 0 : r[A + l]! >>> r[B + l]!;
    else
      for (let m = mask; m !== 0; m &= m - 1) {
        const l = lowest(m);
        r[D + l] = exceeds(r[B + l]!) ? 0 : r[A + l]! >>> r[B + l]!;
      }
  };
}

function extreme(least: boolean, r: Int32Array, d: number, a: number, b: number): LaneOperation {
  return (base, mask) => {
    for (let m = mask; m !== 0; m &= m - 1) {
      const l = lowest(m);
      const x = r[base + a + l]!;
      const y = r[base + b + l]!;
      r[base + d + l] = x < y === least ? x : y;
    }
  };
}
