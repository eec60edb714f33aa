/** Mistakes planted in the compiler are found by the first random kernels; and mutants are small changes of a text. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mutantsOf, mutated } from "./mutate.js";
import { MutatedCompiler } from "./mutated-compiler.js";

const KERNELS = 72;
const SECONDS = 360;

/** Mistakes: the module, its text, and the text that takes its place. */
const PLANTED: readonly (readonly [what: string, module: string, right: string, wrong: string])[] = [
  [
    "a loop's parameter whose register takes the next value too early (the lost copy)",
    "emit/emission.js",
    "let reg = this.phis.get(now);",
    "let reg = this.register(now);",
  ],
  [
    "two values in one register at the same time",
    "emit/register-coalescing.js",
    "interference.meets(candidates[a], candidates[b])",
    "false",
  ],
  [
    "an else side under the guard of the other side",
    "emit/emit.js",
    "underGuard(() => this.region(node.else, flip))",
    "underGuard(() => this.region(node.else, guard))",
  ],
  [
    "a compare of constants with its operands swapped",
    "ssa/constant-folding.js",
    "readAs(source, a), readAs(source, b)",
    "readAs(source, b), readAs(source, a)",
  ],
  [
    "a difference of constants, subtracted the other way around",
    "ssa/constant-folding.js",
    "return wrap(type, a - b);",
    "return wrap(type, b - a);",
  ],
  [
    "an unrolled loop with the next values of the original",
    "ssa/clone.js",
    "copy.nexts = this.list(node.nexts)",
    "copy.nexts = [...node.nexts]",
  ],
];

describe("a mistake planted in the compiler", () => {
  const compiler = new MutatedCompiler(join(import.meta.dirname, "../../.."));
  beforeAll(async () => {
    await compiler.prepare();
    await compiler.corpus({ kernels: KERNELS, firstSeed: 1, code: false });
  });
  afterAll(() => compiler.remove());

  test.each(PLANTED)("is found: %s", async (_, module, right, wrong) => {
    const path = join("core/lower", module);
    const text = compiler.text(path);
    expect(text.split(right)).toHaveLength(2);
    const { killed, why } = await compiler.fateOf(path, text.replace(right, wrong), SECONDS);
    expect(["value", "unsound"], why ?? "not found").toContain(killed);
  });

  test("is none where nothing is changed", async () => {
    const path = "core/lower/emit/emit.js";
    const fate = await compiler.fateOf(path, `${compiler.text(path)}\n`, SECONDS);
    expect(fate).toEqual({ killed: null, why: null, code: null, randomCode: null, kernels: KERNELS });
  });
});

describe("the mutants of a text", () => {
  const changed = (text: string): readonly string[] => mutantsOf(text).map((mutant) => mutated(text, mutant));

  test.each([
    ["a < b;", ["(a) <= (b);", ";"]],
    ["x = a && b;", ["x = (a) || (b);", ";"]],
    ["x = 3;", ["x = 4;", "x = (2);", ";"]],
    ["if (a) b();", ["if (!(a)) b();", "if (a) ;"]],
    ["f(a, b);", ["f(b, a);", ";"]],
    ["x = list.some(f);", ["x = list.every(f);", ";"]],
    ["function f() { g(); }", ["function f() { return;  g(); }", "function f() { ; }"]],
  ])("%s", (text, wanted) => {
    expect([...changed(text)].sort()).toEqual([...wanted].sort());
  });

  test("leave what an error says", () => {
    expect(changed("throw new Error(a + 1);")).toEqual([]);
  });
});
