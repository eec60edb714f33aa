/** Library functions on vectors of four lanes. */
import { F32X4, F64X2, I64X2, V128 } from "../../wasm/simd.js";
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
      body.get(product);
      body.op(F64X2.sub);
      body.set(part);
      body.get(product);
      body.get(sum);
      body.get(part);
      body.op(F64X2.sub, F64X2.sub);
      body.get(addend);
      body.get(part);
      body.op(F64X2.sub, F64X2.add);
      body.set(error);
      // Rounding to odd: an even sum with an error other than 0 moves one step towards the error. The step is +1 if
      // the error has the sum's sign, else -1.
      // step = ((error xor sum) >> 63) | 1; it is added where the error is a number other than 0 and the low bit is 0.
      body.get(error);
      body.get(sum);
      body.op(V128.xor);
      body.i32(63);
      body.op(I64X2.shr_s);
      body.i64x2(1n, 1n);
      body.op(V128.or);
      body.get(error);
      body.get(error);
      body.op(F64X2.eq);
      body.get(error);
      body.i64x2(0n, 0n);
      body.op(F64X2.ne, V128.and, V128.and);
      body.set(odd);
      body.get(sum);
      body.get(odd);
      body.get(sum);
      body.i64x2(1n, 1n);
      body.op(V128.and);
      body.i64x2(0n, 0n);
      body.op(I64X2.eq, V128.and, I64X2.add, F32X4.demote_f64x2_zero);
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
        body.get(a);
        body.get(b);
        body.op(F64X2.div, F64X2.trunc);
        if (kind === "rem") {
          body.set(quotient);
          body.get(a);
          body.get(quotient);
          body.get(b);
          body.op(F64X2.mul, F64X2.sub);
        }
        body.i64x2(0x4338000000000000n, 0x4338000000000000n);
        body.op(F64X2.add);
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
