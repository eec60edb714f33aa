import { describe, expect, test } from "vitest";
import { bodyOf, resultOf } from "./from-text.js";

type Row = readonly [fact: string, text: string, ir: string];

function rows(list: readonly Row[]): void {
  test.each(list)("%s", (_, text, ir) => {
    expect(resultOf(text)).toBe(ir);
  });
}

describe("a literal", () => {
  rows([
    ["without a dot is an i32", "7", "i32 7"],
    ["with a dot is an f32", "7.0", "f32 7f"],
    ["whole, with an exponent as bundlers print 1000, is an i32", "1e3", "i32 1000"],
    ["with an exponent, beyond 32 bits, is an f32", "1e10", "f32 10000000000f"],
    ["with an exponent and a fraction is an f32", "1e-3", "f32 0.0010000000474974513f"],
    ["in hex above 2^31 is a u32, as in C", "0xffffffff", "u32 4294967295u"],
    ["above 2^31 that a bundler printed in decimal is the same u32", "4294967295", "u32 4294967295u"],
    ["above 2^32 is an i64", "4294967296", "i64 4294967296LL"],
    ["with n is an i64", "10n", "i64 10LL"],
    ["in binary is an i32", "0b101", "i32 5"],
    ["of f32 is rounded to float32", "0.1", `f32 ${Math.fround(0.1)}f`],
    ["true is a bool", "true", "bool true"],
    ["-2147483648 is the smallest i32", "-2147483648", "i32 -2147483648"],
  ]);
});

describe("the usual arithmetic conversions", () => {
  rows([
    ["i32 with i32 stays i32", "n + n", "i32 (n + n)"],
    ["i32 with u32 gives u32", "n + u", "u32 (u32(n) +u32 u)"],
    ["i32 with i64 gives i64", "n * l", "i64 (i64(n) *i64 l)"],
    ["u32 with i64 gives i64", "u - l", "i64 (i64(u) -i64 l)"],
    ["i64 with u64 gives u64", "l + ul", "u64 (u64(l) +u64 ul)"],
    ["i32 with f32 gives f32", "n * x", "f32 (f32(n) *f32 x)"],
    ["f32 with f64 gives f64", "x + d", "f64 (f64(x) +f64 d)"],
    ["an integer literal takes the float's type", "x + 1", "f32 (x +f32 1f)"],
    ["a float literal next to an f64 is the double", "d * 0.1", "f64 (d *f64 0.1d)"],
    ["so is a folded one", "d * (1.0 / 3.0)", `f64 (d *f64 ${1 / 3}d)`],
    ["a cast literal is not", "d * f32(0.1)", `f64 (d *f64 ${Math.fround(0.1)}d)`],
    ["a literal next to threadIdx is unsigned", "threadIdx.x + 1", "u32 (threadIdx.x +u32 1u)"],
    ["a truth value counts as an int", "n + i32(n > 0)", "i32 (n + i32((n > 0)))"],
    ["both sides of ?: get one type", "n > 0 ? n : x", "f32 ((n > 0) ? f32(n) : x)"],
  ]);
});

describe("an operator", () => {
  rows([
    ["/ divides floats", "x / 2", "f32 (x /f32 2f)"],
    ["idiv divides integers", "idiv(n, 3)", "i32 (n / 3)"],
    ["idiv of unsigned is unsigned", "idiv(u, 3)", "u32 (u /u32 3u)"],
    ["Math.trunc(a / b) divides integers", "Math.trunc(n / 3)", "i32 (n / 3)"],
    ["(a / b) | 0 divides integers", "(n / 3) | 0", "i32 (n / 3)"],
    ["Math.floor(a / b) of unsigned divides", "Math.floor(u / 3)", "u32 (u /u32 3u)"],
    ["Math.floor of floats is floor", "Math.floor(x)", "f32 floor.f32(x)"],
    ["% takes the sign of the left side", "n % 3", "i32 (n % 3)"],
    [">> of an i32 keeps the sign", "n >> 1", "i32 (n >> 1u)"],
    [">> of a u32 does not", "u >> 1", "u32 (u >>u32 1u)"],
    [">>> makes an i32 unsigned", "n >>> 1", "u32 (u32(n) >>u32 1u)"],
    [">>> makes an i64 unsigned", "l >>> 1", "u64 (u64(l) >>u64 1u)"],
    ["<< has the type of its left side", "1 << u", "i32 (1 << u)"],
    ["a shift by a signed count reads it as u32", "u << n", "u32 (u <<u32 u32(n))"],
    ["& of i32 and u32 is u32", "n & u", "u32 (u32(n) &u32 u)"],
    ["~ flips the bits", "~n", "i32 ~n"],
    ["- negates", "-x", "f32 -f32x"],
    ["** is pow of floats", "x ** 2", "f32 pow.f32(x, 2f)"],
    ["=== and == are the same", "n == 1", "bool (n == 1)"],
    ["!== and != are the same", "n != 1", "bool (n != 1)"],
    ["two truth values can be compared", "(n > 0) === (u > 0)", "bool ((n > 0) == (u >u32 0u))"],
    ["&& joins comparisons", "n > 0 && n < 9", "bool ((n > 0) && (n < 9))"],
    ["! of an integer asks for zero", "!n", "bool !(n != 0)"],
    ["unary + changes nothing", "+n", "i32 n"],
  ]);
});

describe("constants are computed at compile time", () => {
  rows([
    ["int32 wraps", "2147483647 + 1", "i32 -2147483648"],
    ["u32 wraps", "u32(0) - 1", "u32 4294967295u"],
    ["int32 products wrap", "65536 * 65537", "i32 65536"],
    ["float32 rounds at each step", "f32(16777216) + f32(1)", "f32 16777216f"],
    ["idiv truncates towards zero", "idiv(-7, 2)", "i32 -3"],
    ["% keeps the sign of the left side", "-7 % 3", "i32 -1"],
    ["a cast from float truncates", "i32(-2.9)", "i32 -2"],
    ["a cast from float saturates", "i32(3000000000.5)", "i32 2147483647"],
    ["a cast of a negative float to u32 gives 0", "u32(-1.0)", "u32 0u"],
    ["a cast of NaN gives 0", "i32(NaN)", "i32 0"],
    ["a cast of a negative int to u32 wraps", "u32(-1)", "u32 4294967295u"],
    ["a cast to i64 keeps the value", "i64(-1)", "i64 -1LL"],
    ["a cast to u64 extends the sign", "u64(-1)", "u64 18446744073709551615ULL"],
    ["a comparison of constants is known", "3 > 2", "bool true"],
    ["a choice by a constant is made", "true ? n : 0", "i32 n"],
    ["false && anything is false", "false && n > 0", "bool false"],
    ["i64 arithmetic is exact", "9007199254740993n + 1n", "i64 9007199254740994LL"],
  ]);
});

describe("an assignment", () => {
  const cases: readonly Row[] = [
    ["of an i32 to an f32 array converts", "floats[0] = n;", "floats[0] = f32(n)"],
    ["of a u32 to an i32 array keeps the bits", "output[0] = u;", "output[0] = i32(u)"],
    ["of a bool to an i32 array stores 0 or 1", "output[0] = n > 0;", "output[0] = i32((n > 0))"],
    ["of an i32 to an i64 array extends the sign", "longs[0] = n;", "longs[0] = i64(n)"],
    ["of a small i64 constant to an i32 array fits", "output[0] = 5n;", "output[0] = 5"],
    ["+= computes in the common type", "floats[0] += n;", "floats[0] = (floats[0] +f32 f32(n))"],
  ];
  test.each(cases)("%s", (_, text, ir) => {
    expect(bodyOf(text)).toBe(ir);
  });
});
