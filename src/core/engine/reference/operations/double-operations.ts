/** The frequent operations on float64 (`lane-operations.ts`); NaN is made canonical. */
import { fma64 } from "../../semantics/float64.js";
import { CANONICAL_NAN_F64 } from "../../semantics/scalar.js";
import type { RegisterViews } from "../register-layout.js";
import { type LaneOperation, lowest, type Rows } from "./lane-operation.js";

export function doubleOperation(op: string, { f64, u64 }: RegisterViews, { d, a, b, c }: Rows): LaneOperation | null {
  switch (op) {
    case "add":
      return (base, mask) => {
        const D = (base + d) >> 1;
        const A = (base + a) >> 1;
        const B = (base + b) >> 1;
        for (let m = mask; m !== 0; m &= m - 1) {
          const l = lowest(m);
          const x = f64[A + l]! + f64[B + l]!;
          if (Number.isNaN(x)) u64[D + l] = CANONICAL_NAN_F64;
          else f64[D + l] = x;
        }
      };
    case "mul":
      return (base, mask) => {
        const D = (base + d) >> 1;
        const A = (base + a) >> 1;
        const B = (base + b) >> 1;
        for (let m = mask; m !== 0; m &= m - 1) {
          const l = lowest(m);
          const x = f64[A + l]! * f64[B + l]!;
          if (Number.isNaN(x)) u64[D + l] = CANONICAL_NAN_F64;
          else f64[D + l] = x;
        }
      };
    case "mad":
      return (base, mask) => {
        const D = (base + d) >> 1;
        const A = (base + a) >> 1;
        const B = (base + b) >> 1;
        const C = (base + c) >> 1;
        for (let m = mask; m !== 0; m &= m - 1) {
          const l = lowest(m);
          const x = fma64(f64[A + l]!, f64[B + l]!, f64[C + l]!);
          if (Number.isNaN(x)) u64[D + l] = CANONICAL_NAN_F64;
          else f64[D + l] = x;
        }
      };
    default:
      return null;
  }
}
