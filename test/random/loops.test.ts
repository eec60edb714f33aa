import { describe, expect, test } from "vitest";
import { fastEngine } from "../../src/core/engine/fast/index.js";
import { compileKernel, i32, ptr } from "../../src/core/frontend/index.js";
import { lower } from "../../src/core/lower/lower.js";
import { execute } from "../core/engine/launch.js";

/** A loop as text and as the values that its counter takes. */
interface Shape {
  readonly text: string;
  readonly from: (tid: number, n: number) => number;
  readonly holds: (k: number, n: number) => boolean;
  readonly step: number;
}

const STEP = 2;

const SHAPES: readonly Shape[] = [
  { text: "let k = T(tid); k < T(n); k++", from: (tid) => tid, holds: (k, n) => k < n, step: 1 },
  { text: "let k = T(0); k < T(n); k++", from: () => 0, holds: (k, n) => k < n, step: 1 },
  { text: "let k = T(n); k > T(0); k--", from: (_, n) => n, holds: (k) => k > 0, step: -1 },
  { text: "let k = T(tid); k < T(n); k += 3", from: (tid) => tid, holds: (k, n) => k < n, step: 3 },
  { text: "let k = T(tid); k < T(n); k += T(step)", from: (tid) => tid, holds: (k, n) => k < n, step: STEP },
  { text: "let k = T(tid); k <= T(n); k += 2", from: (tid) => tid, holds: (k, n) => k <= n, step: 2 },
  { text: "let k = T(tid); k !== T(n); k++", from: (tid) => tid, holds: (k, n) => k !== n, step: 1 },
  { text: "let k = T(n + 3); k >= T(3); k -= 1", from: (_, n) => n + 3, holds: (k) => k >= 3, step: -1 },
];

const BODIES: readonly { readonly text: string; readonly next: (s: number, k: number) => number }[] = [
  { text: "s += i32(k) * 3 + 1;", next: (s, k) => (s + k * 3 + 1) | 0 },
  { text: "s = (s ^ i32(k)) * 3;", next: (s, k) => Math.imul(s ^ k, 3) },
  { text: "s += input[k & 63];", next: (s, k) => (s + (k & 63) ** 2) | 0 },
];

const COUNTS = [4, 5, 7, 8, 9, 12, 15, 16, 17, 20, 23, 31, 33, 64, 71];

function expected(shape: Shape, body: (typeof BODIES)[number], n: number): readonly number[] {
  return [0, 1, 2, 3].map((tid) => {
    let s = 0;
    for (let k = shape.from(tid, n); shape.holds(k, n); k += shape.step) s = body.next(s, k);
    return s;
  });
}

describe("a loop whose number of rounds is known at the launch only", () => {
  const cases = ["i32", "u32"].flatMap((type) =>
    ["", "unroll(2);", "unroll(4);", "unroll(8);", "unroll(16);"].map((unroll) => [type, unroll] as const),
  );
  test.each(cases)("computes what plain arithmetic computes, with a counter of type %s and %s", (type, unroll) => {
    const input = Int32Array.from({ length: 64 }, (_, i) => i * i);
    for (const shape of SHAPES) {
      for (const body of BODIES) {
        const loop = shape.text.replaceAll("T", type);
        const text = `({ output, input, n, step }, { threadIdx, i32, u32, unroll }) => {
          const tid = i32(threadIdx.x);
          let s = 0;
          for (${loop}) { ${unroll} ${body.text} }
          output[tid] = s;
        }`;
        const params = { output: ptr(i32), input: ptr(i32), n: i32, step: i32 };
        const ir = compileKernel({ name: "loop", text, params, constants: {}, functions: {} });
        const program = lower(ir, { computeCapability: { major: 9, minor: 0 }, contractFma: true });
        for (const n of COUNTS) {
          const args = { output: new Int32Array(4), input, n, step: STEP };
          const { read } = execute(program, { block: 4, args, stepLimit: 20_000, engine: fastEngine });
          expect([...read<Int32Array>("output")], `${loop} ${body.text} n = ${n}`).toEqual(expected(shape, body, n));
        }
      }
    }
  });
});
