/**
 * Two joined compares of one word with constants. Every pair of operators and bounds, signed and unsigned, accepts
 * the words that JavaScript's compares accept, on both engines.
 */
import { describe, expect, it } from "vitest";
import { fastEngine } from "../../../src/core/engine/fast/index.js";
import { referenceEngine } from "../../../src/core/engine/reference/index.js";
import { execute } from "../engine/launch.js";
import { compileCuda, mnemonics } from "./kernel-code.js";

const ENGINES = [
  ["fast", fastEngine],
  ["reference", referenceEngine],
] as const;
const OPERATORS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
};
const LEAST = -(2 ** 31);
/** Words around the bounds and at the sign change. */
const WORDS = [LEAST, LEAST + 1, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 25, 26, 27, 2 ** 31 - 2, 2 ** 31 - 1];
const SIGNED_BOUNDS = [LEAST, -3, 0, 3, 26, 2 ** 31 - 1];
const UNSIGNED_BOUNDS = [0, 1, 3, 26, 2 ** 31, 2 ** 32 - 1];

function pairs(bounds: readonly number[]): readonly (readonly [string, number, string, number])[] {
  const sides = Object.keys(OPERATORS).flatMap((op) => bounds.map((bound) => [op, bound] as const));
  return sides.flatMap(([first, a]) => sides.map(([second, b]) => [first, a, second, b] as const));
}

/** A kernel that writes a bit for each pair of tests; 32 tests a word. */
function kernelOf(tests: readonly string[], type: "int" | "unsigned int"): string {
  const words = Math.ceil(tests.length / 32);
  const lines = tests.map(
    (test, i) =>
      `if (${test}) r |= ${2 ** (i % 32)}u;${i % 32 === 31 || i === tests.length - 1 ? ` out[t * ${words} + ${i >> 5}] = r; r = 0;` : ""}`,
  );
  return `extern "C" __global__ void joined(const ${type} *in, unsigned int *out) {
    int t = threadIdx.x; ${type} x = in[t]; unsigned int r = 0;
    ${lines.join("\n")} }`;
}

describe.each(ENGINES)("two joined compares on the %s engine", (_, engine) => {
  describe.each([
    ["int", SIGNED_BOUNDS],
    ["unsigned int", UNSIGNED_BOUNDS],
  ] as const)("of %s", (type, bounds) => {
    it.each(["&&", "||"])("let through by %s what they let through one by one", (joint) => {
      const read = (word: number): number => (type === "int" ? word | 0 : word >>> 0);
      const literal = (bound: number): string =>
        type === "int" ? (bound === LEAST ? "(-2147483647 - 1)" : `${bound}`) : `${bound}u`;
      const all = pairs(bounds);
      const program = compileCuda(
        kernelOf(
          all.map(([p, a, q, b]) => `(x ${p} ${literal(a)}) ${joint} (x ${q} ${literal(b)})`),
          type,
        ),
      );
      const words = Math.ceil(all.length / 32);
      const done = execute(program, {
        block: WORDS.length,
        args: { in: Int32Array.from(WORDS), out: new Uint32Array(WORDS.length * words) },
        engine,
      });
      const found = done.read<Uint32Array>("out");
      WORDS.forEach((word, t) => {
        const wrong = all.filter(([p, a, q, b], i) => {
          const one = OPERATORS[p]!(read(word), a);
          const two = OPERATORS[q]!(read(word), b);
          const expected = joint === "&&" ? one && two : one || two;
          return ((found[t * words + (i >> 5)]! >>> (i % 32)) & 1) !== Number(expected);
        });
        expect([word, wrong]).toEqual([word, []]);
      });
    });
  });
});

describe("what is known of a value within a range", () => {
  const kernel = (test: string, use: string): string =>
    `extern "C" __global__ void known(const int *in, int *out, int n) { int x = in[threadIdx.x]; if (${test}) out[threadIdx.x] = ${use}; }`;

  it.each([
    ["x >= 0 && x < 26", true],
    ["x >= 3 && x < 26", true],
    ["x >= 0 && x < n", true],
    ["x >= -3 && x < 26", false],
    ["x < 26", false],
    ["x >= 0 || x < n", false],
  ])("shows its quotient to be a shift where %s: %s", (test, shift) => {
    expect(!mnemonics(compileCuda(kernel(test, "x / 4"))).includes("LEA.HI")).toBe(shift);
  });
});
