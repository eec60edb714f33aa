/** The frequent operations on float32 (`lane-operations.ts`). */
import { CANONICAL_NAN_F32, fma32, maxFloat, minFloat } from "../../semantics/float32.js";
import type { RegisterViews } from "../register-layout.js";
import { type LaneOperation, lowest, type Rows } from "./lane-operation.js";

/** Storing into a Float32Array rounds the result. NaN becomes the canonical one. */
export function floatOperation(op: string, { f32, i32 }: RegisterViews, rows: Rows): LaneOperation | null {
  const { d, a, b } = rows;
  switch (op) {
    case "add":
      return (base, mask) => {
        const D = base + d;
        const A = base + a;
        const B = base + b;
        if (mask === -1) {
          for (let l = 0; l < 32; l++) {
            const x = f32[A + l]! + f32[B + l]!;
            if (Number.isNaN(x)) i32[D + l] = CANONICAL_NAN_F32;
            else f32[D + l] = x;
          }
          return;
        }
        for (let m = mask; m !== 0; m &= m - 1) {
          const l = lowest(m);
          const x = f32[A + l]! + f32[B + l]!;
          if (Number.isNaN(x)) i32[D + l] = CANONICAL_NAN_F32;
          else f32[D + l] = x;
        }
      };
    case "sub":
      return (base, mask) => {
        for (let m = mask; m !== 0; m &= m - 1) {
          const l = lowest(m);
          const x = f32[base + a + l]! - f32[base + b + l]!;
          if (Number.isNaN(x)) i32[base + d + l] = CANONICAL_NAN_F32;
          else f32[base + d + l] = x;
        }
      };
    case "mul":
      return (base, mask) => {
        const D = base + d;
        const A = base + a;
        const B = base + b;
        if (mask === -1) {
          for (let l = 0; l < 32; l++) {
            const x = f32[A + l]! * f32[B + l]!;
            if (Number.isNaN(x)) i32[D + l] = CANONICAL_NAN_F32;
            else f32[D + l] = x;
          }
          return;
        }
        for (let m = mask; m !== 0; m &= m - 1) {
          const l = lowest(m);
          const x = f32[A + l]! * f32[B + l]!;
          if (Number.isNaN(x)) i32[D + l] = CANONICAL_NAN_F32;
          else f32[D + l] = x;
        }
      };
    case "mad":
      return fusedMultiplyAdd(f32, i32, rows);
    case "min":
      return (base, mask) => {
        for (let m = mask; m !== 0; m &= m - 1) {
          const l = lowest(m);
          const x = minFloat(f32[base + a + l]!, f32[base + b + l]!);
          if (Number.isNaN(x)) i32[base + d + l] = CANONICAL_NAN_F32;
          else f32[base + d + l] = x;
        }
      };
    case "max":
      return (base, mask) => {
        for (let m = mask; m !== 0; m &= m - 1) {
          const l = lowest(m);
          const x = maxFloat(f32[base + a + l]!, f32[base + b + l]!);
          if (Number.isNaN(x)) i32[base + d + l] = CANONICAL_NAN_F32;
          else f32[base + d + l] = x;
        }
      };
    default:
      return null;
  }
}

function fusedMultiplyAdd(f32: Float32Array, i32: Int32Array, { d, a, b, c }: Rows): LaneOperation {
  return (base, mask) => {
    const D = base + d;
    const A = base + a;
    const B = base + b;
    const C = base + c;
    if (mask === -1) {
      for (let l = 0; l < 32; l++) {
        const x = fma32(f32[A + l]!, f32[B + l]!, f32[C + l]!);
        if (Number.isNaN(x)) i32[D + l] = CANONICAL_NAN_F32;
        else f32[D + l] = x;
      }
      return;
    }
    for (let m = mask; m !== 0; m &= m - 1) {
      const l = lowest(m);
      const x = fma32(f32[A + l]!, f32[B + l]!, f32[C + l]!);
      if (Number.isNaN(x)) i32[D + l] = CANONICAL_NAN_F32;
      else f32[D + l] = x;
    }
  };
}
