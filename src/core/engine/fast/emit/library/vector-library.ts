/** Library functions on vectors of four lanes. */
import { f32x4, f64x2, get, i32, i64x2, v128 } from "../../wasm/expression.js";
import { F64X2 } from "../../wasm/simd.js";
import type { LibraryFunction } from "./library.js";

/**
 * a * b + c of float32 with one rounding, as fma32 in semantics/float32.ts. The product is exact in double. The sum is
 * rounded to odd, so that the second rounding to float32 is right (Boldo and Melquiond, 2008).
 */
export const FUSED_MULTIPLY_ADD: LibraryFunction = {
  name: "fusedMultiplyAdd",
  params: ["v128", "v128", "v128"],
  results: ["v128"],
  write: (body) => {
    const [product, addend, sum, part, error, odd] = Array.from({ length: 6 }, () => body.local("v128")) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const half = (high: boolean): void => {
      const widen = (local: number): void => {
        body.get(local);
        if (high) {
          body.get(local);
          body.shuffleWords(2, 3, 2, 3);
        }
        body.op(F64X2.promote_low_f32x4);
      };
      widen(0);
      widen(1);
      body.op(F64X2.mul);
      body.tee(product);
      widen(2);
      body.tee(addend);
      body.op(F64X2.add);
      body.tee(sum);
      // The error of the sum, exactly (Knuth): error = (product - (sum - part)) + (addend - part), part = sum - product.
      body.set(part, f64x2.sub(get(product)));
      body.set(
        error,
        f64x2.add(f64x2.sub(get(product), f64x2.sub(get(sum), get(part))), f64x2.sub(get(addend), get(part))),
      );
      // Rounding to odd: an even sum with an error other than 0 moves one step towards the error. The step is +1 if
      // the error has the sum's sign, else -1.
      // step = ((error xor sum) >> 63) | 1; it is added where the error is a number other than 0 and the low bit is 0.
      body.set(
        odd,
        v128.and(
          v128.or(i64x2.shr_s(v128.xor(get(error), get(sum)), i32(63)), i64x2(1n, 1n)),
          v128.and(f64x2.eq(get(error), get(error)), f64x2.ne(get(error), i64x2(0n, 0n))),
        ),
      );
      body.push(
        f32x4.demote_f64x2_zero(
          i64x2.add(get(sum), v128.and(get(odd), i64x2.eq(v128.and(get(sum), i64x2(1n, 1n)), i64x2(0n, 0n)))),
        ),
      );
    };
    half(false);
    half(true);
    body.shuffleWords(0, 1, 4, 5);
  },
};

/**
 * Integer division of four lanes through doubles. Both operands are exact in double. The quotient's distance from
 * the next integer is at least 1 / b, more than its rounding error, so that its integer part is right. Adding 1.5 * 2^52
 * leaves an integer's low 32 bits in the low word, which also wraps -2^31 / -1. A divisor of 0 gives anything.
 */
function division(kind: "div" | "rem", signed: boolean): LibraryFunction {
  return {
    name: `${kind}${signed ? "Signed" : "Unsigned"}4`,
    params: ["v128", "v128"],
    results: ["v128"],
    write: (body) => {
      const [a, b, quotient] = [body.local("v128"), body.local("v128"), body.local("v128")];
      const widen = (from: number, to: number, high: boolean): void => {
        body.get(from);
        if (high) {
          body.get(from);
          body.shuffleWords(2, 3, 2, 3);
        }
        body.op(signed ? F64X2.convert_low_i32x4_s : F64X2.convert_low_i32x4_u);
        body.set(to);
      };
      for (const high of [false, true]) {
        widen(0, a, high);
        widen(1, b, high);
        body.push(f64x2.trunc(f64x2.div(get(a), get(b))));
        if (kind === "rem") {
          body.set(quotient);
          body.push(f64x2.sub(get(a), f64x2.mul(get(quotient), get(b))));
        }
        body.push(f64x2.add(i64x2(0x4338000000000000n, 0x4338000000000000n)));
      }
      body.shuffleWords(0, 2, 4, 6);
    },
  };
}

export const VECTOR_DIVISION: Readonly<Record<string, LibraryFunction>> = {
  "div i32": division("div", true),
  "div u32": division("div", false),
  "rem i32": division("rem", true),
  "rem u32": division("rem", false),
};
