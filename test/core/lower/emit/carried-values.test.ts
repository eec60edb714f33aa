/**
 * Loops that carry values: what is read behind a loop, after a jump or at its test is the value of the iteration that
 * the text means. Each text runs as JavaScript, too, whose numbers are those of C as long as they stay small.
 */
import { describe, expect, it } from "vitest";
import type { Engine } from "../../../../src/core/engine/engine.js";
import { fastEngine } from "../../../../src/core/engine/fast/index.js";
import { referenceEngine } from "../../../../src/core/engine/reference/index.js";
import { compileKernel, f32, f64, i32, i64, ptr, u32, u64 } from "../../../../src/core/frontend/index.js";
import { lower } from "../../../../src/core/lower/lower.js";
import { capabilityOf, isLockstep } from "../../../random/capabilities.js";
import { type DataArray, execute } from "../../engine/launch.js";

/** Types of the carried values. Their arrays, for results. */
const TYPES = { i32, u32, i64, u64, f32, f64 };
const RESULTS: Readonly<Record<keyof typeof TYPES, (length: number) => DataArray>> = {
  i32: (length) => new Int32Array(length),
  u32: (length) => new Uint32Array(length),
  i64: (length) => new BigInt64Array(length),
  u64: (length) => new BigUint64Array(length),
  f32: (length) => new Float32Array(length),
  f64: (length) => new Float64Array(length),
};

/** Statements over n, which differs from lane to lane, and o. `T(x)` is a value of the type that is tried. */
const SHAPES: Readonly<Record<string, string>> = {
  "the last value, by a list": "let a = T(1), b = T(0); for (let i = 0; i < n; i++) [a, b] = [a + b, a]; o[0] = b;",
  "the last value, by a temporary":
    "let a = T(1), b = T(0); for (let i = 0; i < n; i++) { const t = a; a = a + b; b = t; } o[0] = b; o[1] = a;",
  "the last value, not unrolled":
    "let a = T(1), b = T(0); for (let i = 0; i < n; i++) { unroll(1); const t = a; a = a + b; b = t; } o[0] = b;",
  "the last but one":
    "let a = T(1), b = T(2), c = T(3); for (let i = 0; i < n; i++) [a, b, c] = [b, c, a + c]; o[0] = a; o[1] = b; o[2] = c;",
  "a window of three":
    "let l = T(1), m = T(2), r = T(3); let s = T(0); for (let i = 0; i < n; i++) { s = s + l * m + r; l = m; m = r; r = T(i); } o[0] = s; o[1] = l; o[2] = m;",
  "two swapped": "let a = T(1), b = T(2); for (let i = 0; i < n; i++) [a, b] = [b, a]; o[0] = a; o[1] = b;",
  "two swapped, in a do":
    "let a = T(1), b = T(2); let i = 0; do { [a, b] = [b, a]; i = i + 1; } while (i < n); o[0] = a; o[1] = b;",
  "three rotated":
    "let a = T(1), b = T(2), c = T(3); for (let i = 0; i < n; i++) [a, b, c] = [b, c, a]; o[0] = a; o[1] = b; o[2] = c;",
  "a counter behind its loop":
    "let i = 0; let last = 0; while (i < n) { last = i; i = i + 2; } o[0] = T(last); o[1] = T(i);",
  "what the test of a do reads":
    "let i = 0; let old = 0; let s = T(0); do { old = i; i = i + 1; s = s + T(old); } while (old < n); o[0] = s; o[1] = T(old);",
  "a flag of the iteration before":
    "let go = true; let i = 0; let was = false; do { was = go; go = i < n; i = i + 1; } while (was); o[0] = T(i);",
  "behind a break":
    "let a = T(1), b = T(0); for (let i = 0; i < 50; i++) { if (i >= n) break; [a, b] = [a + b, a]; if (i > 9) break; } o[0] = a; o[1] = b;",
  "behind a break after the step":
    "let a = T(1), b = T(0); for (let i = 0; i < 20; i++) { [a, b] = [a + b, a]; if (i === n) break; } o[0] = a; o[1] = b;",
  "through a continue":
    "let a = T(1), b = T(0); for (let i = 0; i < n; i++) { if (i % 3 === 1) continue; [a, b] = [a + b, a]; } o[0] = a; o[1] = b;",
  "set before a continue":
    "let a = T(1), b = T(0), c = T(0); for (let i = 0; i < n; i++) { c = b; b = a; if (i % 2 === 1) continue; a = a + c; } o[0] = a; o[1] = b; o[2] = c;",
  "through an if":
    "let a = T(1), b = T(0); for (let i = 0; i < n; i++) { if (i % 2 === 0) [a, b] = [b + T(1), a]; else b = a; } o[0] = a; o[1] = b;",
  "swapped in an if": "let a = T(1), b = T(2); if (n > 2) [a, b] = [b, a]; o[0] = a; o[1] = b;",
  "through a nested loop":
    "let a = T(1), b = T(0); for (let i = 0; i < n; i++) { for (let j = 0; j < 2; j++) { unroll(1); [a, b] = [b + T(j), a]; } } o[0] = a; o[1] = b;",
  "through a nested loop of its own length":
    "let a = T(1), b = T(0), c = T(0); for (let i = 0; i < n; i++) { c = b; for (let j = 0; j < i; j++) [a, b] = [b + T(1), a]; } o[0] = a; o[1] = b; o[2] = c;",
  "past a break of the inner loop":
    "let a = T(1), b = T(0); for (let i = 0; i < n; i++) { for (let j = 0; j < 5; j++) { if (j === i) break; [a, b] = [b + T(1), a]; } } o[0] = a; o[1] = b;",
  "through a switch":
    "let a = T(1), b = T(0); for (let i = 0; i < n; i++) { switch (i % 3) { case 0: [a, b] = [b, a]; break; case 1: b = a + T(1); break; default: a = b + T(2); } } o[0] = a; o[1] = b;",
};

const MOST = 12;

function wanted(text: string, n: number): readonly number[] {
  const o = [0, 0, 0];
  new Function("n", "o", "T", "unroll", text)(
    n,
    o,
    (x: number) => x,
    () => {},
  );
  return o;
}

/** The generations whose code differs most. */
const CAPABILITIES = ["2.0", "7.0", "9.0"].map(capabilityOf);

const ENGINES: readonly Engine[] = [fastEngine, referenceEngine];

describe.each(Object.entries(SHAPES))("a loop that carries %s", (what, text) => {
  it.each(Object.keys(TYPES) as (keyof typeof TYPES)[])("gives what the text says, of type %s", (type) => {
    const body = text.replaceAll("T(", `${type}(`);
    const words = ["threadIdx", ...new Set(["i32", type]), ...(body.includes("unroll") ? ["unroll"] : [])];
    const ir = compileKernel({
      name: "carried",
      text: `({ out }, { ${words.join(", ")} }) => {
        const n = i32(threadIdx.x); const o = out.subarray(3 * n);
        ${body}
      }`,
      params: { out: ptr(TYPES[type]) },
      constants: {},
      functions: {},
      form: "long",
    });
    const results = Array.from({ length: MOST + 1 }, (_, n) => wanted(text, n)).flat();
    for (const computeCapability of CAPABILITIES) {
      for (const debug of [false, true]) {
        const program = lower(ir, { computeCapability, contractFma: false, debug });
        for (const engine of ENGINES) {
          const args = { out: RESULTS[type](results.length) };
          const run = execute(program, { block: MOST + 1, lockstep: isLockstep(computeCapability), args, engine });
          expect([...run.read<Int32Array>("out")].map(Number), what).toEqual(results);
        }
      }
    }
  });
});
