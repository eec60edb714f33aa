/** Random kernels reach every shape of data flow, every operation and every statement; the analysis of them is right. */
import { describe, expect, test } from "vitest";
import { builtinNames } from "../../../src/core/frontend/translate/calls/builtins.js";
import { functionsNamed } from "../functions.js";
import { leastOf, optionsOf } from "../fuzz/options.js";
import { generateKernel } from "../generate.js";
import { sourceOf } from "../print.js";
import { FIRST_SEED } from "../property.js";
import type { Expr, Stmt, Target } from "../tree.js";
import { ABSENT_WORDS } from "./cells.js";
import { countCells, faults } from "./count.js";
import { dataFlow } from "./data-flow.js";
import { tableText } from "./table.js";

const KERNELS = 600;
/** A cell that one kernel in a hundred hits has 6 of these; the seeds decide how many of them. */
const LEAST = 1;

const t = "i32";
const x = (name: string): Expr => ({ k: "var", t, name });
const number = (v: number): Expr => ({ k: "lit", t, v });
const sum = (a: Expr, b: Expr): Expr => ({ k: "binary", op: "+", t, a, b });
const declared = (name: string, init: Expr): Stmt => ({ k: "let", name, t, mutable: true, init });
const set = (name: string, value: Expr): Stmt => ({ k: "set", name, t, op: "", value });
const list = (names: readonly string[], values: readonly Expr[]): Stmt => {
  return { k: "list", declares: null, targets: names.map((name): Target => ({ name, t })), values };
};
const stored = (value: Expr): Stmt => ({ k: "store", array: "o", t, index: number(0), op: "", value });
const when = (...then: readonly Stmt[]): Stmt => {
  return { k: "if", c: { k: "compare", op: "===", t: "bool", a: x("k"), b: number(2) }, then, else: [] };
};
const loop = (...body: readonly Stmt[]): Stmt => {
  const [from, to, by] = [number(0), x("n"), number(1)];
  return { k: "for", name: "k", t, from, test: "<", to, step: "++", by, and: null, unroll: null, body };
};

/** The shapes of a kernel that declares a, b and c before the statements. */
function flowsOf(...body: readonly Stmt[]): readonly string[] {
  const first = ["a", "b", "c"].map((name, index) => declared(name, number(index)));
  const tree = { body: [...first, ...body], functions: [] };
  const found = new Set<string>();
  dataFlow(tree, (flow, column) => found.add(column === "run" ? flow : `${flow} of ${column}`));
  return [...found].sort();
}

describe("the analysis of data flow", () => {
  test.each<[string, readonly Stmt[], readonly string[]]>([
    ["a value of the last iteration", [loop(set("a", sum(x("a"), x("k")))), stored(x("a"))], ["end 0 back"]],
    [
      "one of the iteration before",
      [loop(list(["a", "b"], [sum(x("a"), x("b")), x("a")])), stored(x("b"))],
      ["inside 2 back", "end 1 back"],
    ],
    [
      "one of two iterations before",
      [loop(set("c", x("b")), set("b", x("a")), set("a", sum(x("a"), number(1)))), stored(x("c"))],
      ["inside 2 back", "end 2 back"],
    ],
    ["two swapped at once", [loop(list(["a", "b"], [x("b"), x("a")]))], ["swap by list"]],
    [
      "two swapped by a temporary",
      [loop(declared("t", x("a")), set("a", x("b")), set("b", x("t")))],
      ["swap by copies"],
    ],
    ["three rotated", [loop(list(["a", "b", "c"], [x("b"), x("c"), x("a")]))], ["rotate by list"]],
    [
      "a value of the iteration before, behind a break",
      [loop(when({ k: "break" }), set("a", sum(x("a"), number(1)))), stored(x("a"))],
      ["break 1 back", "end 0 back"],
    ],
    [
      "a value that passes a continue",
      [loop(set("a", sum(x("a"), number(1))), when({ k: "continue" }), set("b", x("k"))), stored(x("a"))],
      ["continue 0 back", "end 0 back"],
    ],
    ["a value through an if", [loop(when(set("a", sum(x("a"), x("k")))))], ["through if"]],
    ["a value through an inner loop", [loop(loop(set("a", sum(x("a"), x("k")))))], ["through loop", "within loop"]],
  ])("finds %s", (_, body, wanted) => {
    expect(flowsOf(...body)).toEqual(expect.arrayContaining([...wanted]));
  });

  test("finds nothing old in a loop that computes each value anew", () => {
    expect(flowsOf(loop(set("a", x("k")), stored(x("a"))), stored(x("a")))).toEqual(["end 0 back", "inside 0 back"]);
  });

  test("counts no value that may have different ages", () => {
    const maybe = loop(when(set("a", sum(x("k"), number(1)))));
    expect(flowsOf(maybe, stored(x("a"))).filter((flow) => flow.startsWith("end"))).toEqual([]);
  });

  test("finds nothing where a loop changes nothing that is read", () => {
    expect(flowsOf(loop(stored(x("b"))), stored(x("c")))).toEqual([]);
  });
});

describe("random kernels", () => {
  test("reach every cell of the tables of coverage at its rate", () => {
    console.log(`coverage: seeds ${FIRST_SEED} to ${FIRST_SEED + KERNELS - 1}`);
    const counted = countCells(FIRST_SEED, KERNELS);
    expect(counted.flatMap((one) => faults(one, LEAST))).toEqual([]);
    for (const one of counted) {
      for (const line of tableText(one).split("\n")) expect(line.length).toBeLessThanOrEqual(60);
    }
  });

  test("have every word of the language, but those that are told with a reason", () => {
    const used = new Set<string>();
    for (let seed = FIRST_SEED; seed < FIRST_SEED + KERNELS; seed++) {
      const { text, functions } = sourceOf(generateKernel(seed, optionsOf(seed, leastOf(seed))));
      for (const part of [text, ...functions.map((fn) => fn.text)]) {
        for (const word of part.match(/\w+/g) ?? []) used.add(word);
      }
    }
    const plain = (word: string): string => word.replace(/^__/, "");
    const missing = builtinNames().filter((word) => functionsNamed(word).length === 0 && !used.has(plain(word)));
    expect([...new Set(missing.map(plain))].sort()).toEqual(Object.keys(ABSENT_WORDS).sort());
  });
});
