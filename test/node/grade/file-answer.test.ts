/** Submissions are read as text: what a file declares counts, and all that would have to be run is refused with its line. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Kernel } from "../../../src/core/frontend/index.js";
import { handedIn } from "../../../src/course/exercises/answer.js";
import { exercise, exerciseIds } from "../../../src/course/exercises/exercise.js";
import { answerOfFile } from "../../../src/node/grade/file-answer.js";
import { answerOfNotebook } from "../../../src/node/grade/notebook-answer.js";
import { Refused } from "../../../src/node/grade/refused.js";
import { inCourseOrder } from "../../../src/node/site/site.js";

const root = join(import.meta.dirname, "../../..");

/** CUDA of the kernel, whose instructions tell what was understood. */
function cudaOf(id: string, answer: Parameters<typeof handedIn>[1]): string {
  const kernel = handedIn(exercise(id), answer);
  if (typeof kernel === "string") throw new Error(kernel);
  return kernel.toCuda({ comments: false });
}

const IMPORT = 'import { i32, kernel, ptr, threadIdx, blockIdx, device } from "warplab";';
const ANSWER = `export const answer = kernel("answer", { input: ptr(i32), output: ptr(i32) }, ({ input, output }) => {
  output[blockIdx.x] = input[threadIdx.x];
});`;

function refusal(text: string): Refused {
  try {
    answerOfFile("my.ts", text);
  } catch (problem) {
    if (problem instanceof Refused) return problem;
    throw problem;
  }
  throw new Error("the text was not refused");
}

describe.each(exerciseIds())("the files of %s", (id) => {
  it.each(["starter", "solution"])("give, as text, the same kernel as their module: %s", async (name) => {
    const path = join(root, "labs", id, `${name}.ts`);
    const module = (await import(path)) as { readonly answer: Kernel };
    expect(cudaOf(id, answerOfFile(`${name}.ts`, readFileSync(path, "utf8")))).toBe(cudaOf(id, module));
  });

  it("and the notebook's exercise cell give a kernel of the exercise", () => {
    const name = inCourseOrder(join(root, "notebooks")).find((each) => each.startsWith(id)) ?? "";
    const text = readFileSync(join(root, "notebooks", `${name}.ipynb`), "utf8");
    expect(cudaOf(id, answerOfNotebook(name, text, id))).toContain("__global__ void answer(");
  });
});

it("whatever a typing error makes of a solution gives a kernel, a sentence or a refusal, and nothing else", () => {
  const spec = exercise("lab-29");
  const text = readFileSync(join(root, "labs/lab-29/solution.ts"), "utf8");
  const pieces = [
    "(",
    ")",
    "{",
    "}",
    "`",
    "$" + "{",
    "...",
    "?.",
    "!",
    "<T>",
    "get ",
    "new ",
    "__proto__",
    "0n",
    "/*",
    "'",
  ];
  const change = fc.record({
    at: fc.nat(text.length),
    drop: fc.nat(12),
    insert: fc.oneof(fc.constant(""), fc.constantFrom(...pieces, "constructor", "undefined", "this", "async ")),
  });
  const changed = (changes: readonly { at: number; drop: number; insert: string }[]): string =>
    changes.reduce((now, { at, drop, insert }) => now.slice(0, at) + insert + now.slice(at + drop), text);
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      try {
        const found = handedIn(spec, answerOfFile("my.ts", changed(changes)));
        // JavaScript's own errors would be faults of the reader.
        if (typeof found === "string") expect(found).not.toMatch(/(Type|Range|Reference)Error/);
      } catch (problem) {
        expect(problem).toBeInstanceOf(Refused);
      }
    }),
    { seed: 38, numRuns: 500 },
  );
});

describe("a submission's file", () => {
  it("has types, constants, device functions and other kernels beside its answer, whose lines are the file's", () => {
    const text = `// My answer.\r\n${IMPORT}\r
type Pair = { readonly a: number };
interface Sums { readonly input: unknown }
const WIDTH = (1 << 5) * 2 - 2 ** 5;
const params = { input: ptr(i32), output: ptr(i32) } as const;
const twice = device("twice", { x: i32 }, ({ x }: { x: number }): number => (x as number) * 2);
function first({ input, output }: Record<string, number[]>, { threadIdx }: never, { WIDTH }: Pair & never) {
  let sum: number = input[threadIdx.x]!;
  sum += WIDTH;
  output[0] = twice(<number>sum);
}
export const answer = kernel("answer", { params: { ...params }, constants: { WIDTH } }, first);
export { twice };
`;
    const { answer } = answerOfFile("my.ts", text) as { readonly answer: Kernel };
    expect(answer.spec.constants).toEqual({ WIDTH: 32 });
    expect(answer.ir.source).toMatchObject({ where: "my.ts" });
    expect(answer.ir.source.lines?.[1]).toBe(9);
    expect(answer.toCuda({ comments: false })).toContain("twice(sum)");
  });

  it("calls a device function as it was before the kernel, as a module that runs does", () => {
    const twice = (factor: number): string => `device("scaled", { x: i32 }, ({ x }) => x * ${factor})`;
    const text = `${IMPORT}
const a = ${twice(3)};
${ANSWER.replace("input[threadIdx.x]", "scaled(input[0])")}
const b = ${twice(5)};`;
    const { answer } = answerOfFile("my.ts", text) as { readonly answer: Kernel };
    expect(answer.toCuda({ comments: false })).toMatch(/x \* 3/);
    expect(answer.toCuda({ comments: false })).not.toMatch(/x \* 5/);
  });

  it("that is a notebook is told its ending", () => {
    for (const text of ['{"cells": []}', '\n{\n "metadata": {}, "cells": []}', '{ "nbformat": 4 }']) {
      expect(refusal(text).message).toBe("my.ts holds a notebook. Cure: Hand it in with the ending .ipynb.");
    }
  });

  it("that names its kernel otherwise, or has none, is told so", () => {
    const renamed = answerOfFile("my.ts", `${IMPORT}\n${ANSWER.replace("const answer", "const mine")}`);
    expect(handedIn(exercise("lab-28"), renamed)).toMatch(/no kernel named answer, but mine/);
    expect(handedIn(exercise("lab-28"), answerOfFile("my.ts", IMPORT))).toMatch(/is no kernel/);
  });

  it("whose kernel does not compile gives the compiler's reason with the file's line", () => {
    const wrong = answerOfFile("my.ts", `${IMPORT}\n\n${ANSWER.replace("threadIdx.x]", "theadIdx.x]")}`);
    expect(handedIn(exercise("lab-28"), wrong)).toMatch(/theadIdx.*At line 4 \(output\[blockIdx\.x\]/);
  });
});

describe("a file that would have to be run", () => {
  it.each([
    ["another package", 'import { readFileSync } from "node:fs";', /node:fs/],
    ["a package's side effects", 'import "warplab";', /Imports name/],
    ["a whole package", 'import * as all from "warplab";', /Imports name/],
    ["an import by require", 'import fs = require("node:fs");', /does not run this statement/],
    ["a module of its own", 'export * from "./other.js";', /does not run this statement/],
    ["a call", "process.exit(0);", /does not run this statement/],
    ["an endless loop", "for (;;) {}", /does not run this statement/],
    ["an assignment", "globalThis.answer = 1;", /does not run this statement/],
    ["a class", "class A { static { process.exit(0); } }", /does not run this statement/],
    ["an enumeration", "enum A { B = process.pid }", /does not run this statement/],
    ["a dynamic import", 'const fs = import("node:fs");', /does not call import/],
    ["a call in a constant", "const a = Date.now();", /does not call Date\.now/],
    ["a function that is called in place", "const a = (() => 1)();", /does not call/],
    ["a constructor of functions", 'const a = ptr.constructor("return process")();', /does not call/],
    ["a member of the package's functions", "const a = i32.constructor;", /no field constructor/],
    ["a method of a kernel", "const a = kernel.call(null);", /does not call kernel\.call/],
    ["its own function instead of kernel's", "const kernel = () => 1;\nconst b = kernel();", /does not call kernel/, 2],
    ["a getter", "const a = { get input() { return 1; } };", /a getter, a setter or a method/],
    ["a method", "const a = { toString() { return 1; } };", /a getter, a setter or a method/],
    ["a computed name", 'const a = { ["input"]: 1 };', /computed/],
    ["a prototype", "const a = { __proto__: { n: i32 } };", /prototype/],
    ["a prototype in quotes", 'const a = { "__proto__": { n: i32 } };', /prototype/],
    ["an object that passes for the package's", 'const a = { kind: "device", text: "x" };', /A text stands where/],
    ["a text that is put together", "const a = `$" + "{1}`;", /put together/],
    ["a tagged text", "const a = String.raw`x`;", /does not run this/],
    ["new", 'const a = new Function("return 1");', /does not run this/],
    ["a condition", "const a = 1 ? 2 : 3;", /does not run this/],
    ["an assignment within", "const a = (i32 = 1);", /does not compute =/],
    ["several at once", "const { a } = { a: 1 };", /names one value/],
    ["a name that it does not declare", "const a = { n: process };", /process is not declared/],
    ["a parameter of no type", "const a = ptr(3);", /ptr: element is 3/],
    ["spread arguments", "const a = ptr(...i32);", /does not run this/],
    ["large numbers of other sorts", "const a = 2n ** 100000n;", /numbers alone/],
  ])("is refused with the line: %s", (_, line, what, at = 1) => {
    const { at: place, message, cure } = refusal(`${IMPORT}\n${line}\n${ANSWER}`);
    expect(message).toMatch(what);
    expect(place).toMatchObject({ where: "my.ts", line: at + 1, text: line.split("\n")[at - 1] });
    expect(cure).not.toBe("");
  });

  it("is refused where it is no TypeScript, or has a line of more than a thousand characters", () => {
    expect(refusal(`${IMPORT}\nconst a = ;`)).toMatchObject({
      at: { line: 2 },
      what: expect.stringMatching(/no TypeScript/),
    });
    expect(refusal(`${IMPORT}\n// ${"x".repeat(1001)}`)).toMatchObject({
      at: { line: 2 },
      what: expect.stringMatching(/1004 characters/),
    });
  });
});

function notebook(...cells: readonly (string | object)[]): string {
  return JSON.stringify({
    nbformat: 4,
    cells: cells.map((cell) => (typeof cell === "string" ? { cell_type: "code", source: cell } : cell)),
  });
}

const CHECK = 'display(verdictTable(checkExercise("lab-28", answer)));';

describe("a submission's notebook", () => {
  const spec = exercise("lab-28");
  const cudaIn = (text: string): string => cudaOf(spec.id, answerOfNotebook("my.ipynb", text, spec.id));

  it("hands in what the last exercise cell names, with the last declarations before it, and runs no cell", () => {
    const text = notebook(
      { cell_type: "markdown", source: "text" },
      `${IMPORT}\nprocess.exit(1);\nconst arrays = { input: ptr(i32), output: ptr(i32) };`,
      'const scaled = device("scaled", { x: i32 }, ({ x }) => x * 3);',
      `this is no TypeScript`,
      'const scaled = device("scaled", { x: i32 }, ({ x }) => x * 7);\nconst broken = device("broken", {}, 1);',
      `const mine = kernel("mine", arrays, ({ input, output }) => {\n  output[0] = scaled(input[0]);\n});\nconst later = device("scaled", { x: i32 }, ({ x }) => x * 8);\nwhile (true) {}\n${CHECK.replace("answer)", "mine)")}`,
      'const scaled = device("scaled", { x: i32 }, ({ x }) => x * 9);',
    );
    expect(cudaIn(text)).toMatch(/x \* 7/);
  });

  it("is told the cell and the line of what cannot be read, and of a kernel that does not compile", () => {
    const refused = (...cells: readonly (string | object)[]): unknown => {
      try {
        return handedIn(spec, answerOfNotebook("my.ipynb", notebook(...cells), spec.id));
      } catch (problem) {
        return problem;
      }
    };
    expect(refused(IMPORT, CHECK)).toMatchObject({ at: { where: "my.ipynb, cell 2", line: 1 } });
    expect(refused("const a = make();", `const answer = kernel("answer", a, () => {});\n${CHECK}`)).toMatchObject({
      what: expect.stringMatching(/does not call make/),
      at: { where: "my.ipynb, cell 1", line: 1 },
    });
    expect(refused(`const answer = { ...answer };\n${CHECK}`)).toMatchObject({
      what: expect.stringMatching(/declared by itself/),
    });
    expect(refused(`\n\nconst = 3;\n${CHECK}`)).toMatchObject({ at: { where: "my.ipynb, cell 1", line: 3 } });
    // The answer in a cell of its own, as nbgrader has it.
    expect(refused("not this", `${ANSWER}\nconst = 3;`, CHECK)).toMatchObject({
      at: { where: "my.ipynb, cell 2", line: ANSWER.split("\n").length + 1 },
    });
    expect(refused(`${IMPORT}\n${ANSWER.replace("threadIdx.x]", "theadIdx.x]")}\n${CHECK}`)).toMatch(/At line 3/);
  });

  it("without its exercise cell, or of another form, is refused with a sentence", () => {
    const refused = (text: string): string => {
      try {
        return String(answerOfNotebook("my.ipynb", text, spec.id));
      } catch (problem) {
        expect(problem).toBeInstanceOf(Refused);
        return (problem as Refused).message;
      }
    };
    expect(refused(notebook(ANSWER))).toMatch(/no cell that calls checkExercise\("lab-28", answer\)/);
    expect(refused(notebook('// checkExercise("lab-28", answer)'))).toMatch(/Cell 1 of my.ipynb hands nothing in/);
    expect(refused("{")).toMatch(/no JSON/);
    expect(refused("null")).toMatch(/nbformat 4/);
    expect(refused('{"nbformat": 3, "cells": []}')).toMatch(/nbformat 4/);
    expect(refused('{"nbformat": 4, "cells": [null, 3, {"cell_type": "code", "source": [1]}]}')).toMatch(/no cell/);
  });
});
