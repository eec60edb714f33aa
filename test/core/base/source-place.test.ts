/** Where a kernel's text stands in the learner's file or cell. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { CompileError, editorLine, placeText } from "../../../src/core/base/errors.js";
import { alignLines } from "../../../src/core/base/line-alignment.js";
import { isOwnCall, placeOf } from "../../../src/core/base/source-place.js";
import { i32, kernel, ptr } from "../../../src/core/frontend/index.js";

const folder = mkdtempSync(join(tmpdir(), "warplab-place-"));
afterAll(() => rmSync(folder, { recursive: true }));

const text = ["({ a }, { threadIdx }) => {", "  const i = threadIdx.x;", "  a[i] = 1;", "}"].join("\n");
const own = "Error\n    at kernel (file:///pkg/src/core/frontend/kernel.ts:1:1)\n";
const stackOf = (file: string, line: number): string =>
  `${own}    at file://${file}:${line}:11\n    at node:internal/x:1:1`;

function fileOf(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

describe("a kernel's text in a file", () => {
  it("that holds it as it is has its lines", () => {
    const file = fileOf("plain.mjs", `// a comment\n\nconst k = kernel("k", { params },\n  ${text});\n`);
    expect(placeOf(text, stackOf(file, 3), "k")).toEqual({ where: "plain.mjs", lines: [4, 5, 6, 7] });
  });

  it("is found by a stack as Firefox and Safari write it", () => {
    const file = fileOf("firefox.mjs", `const k = kernel("k", { params },\n  ${text});\n`);
    const stack = `kernel@file:///pkg/src/core/frontend/kernel.ts:1:1\n@file://${file}:1:11\nrun@blob:null/1-2:3:4\n`;
    expect(placeOf(text, stack, "k")).toEqual({ where: "firefox.mjs", lines: [2, 3, 4, 5] });
  });

  it("is looked for behind the call, where the same text stands twice", () => {
    const file = fileOf("twice.mjs", `kernel("k", p, ${text});\n\nkernel("k", p, ${text});\n`);
    expect(placeOf(text, stackOf(file, 6), "k")?.lines).toEqual([6, 7, 8, 9]);
  });

  it("written with types, comments and blank lines has its lines by their words", () => {
    const file = fileOf(
      "typed.ts",
      `const k = kernel("k", { params },\n  (\n    { a },\n    { threadIdx },\n  ) => {\n\n    // The thread.\n    const i: number = threadIdx.x;\n\n    a[i] = 1;\n  });\n`,
    );
    expect(placeOf(text, stackOf(file, 1), "k")?.where).toBe("typed.ts");
    expect(placeOf(text, stackOf(file, 1), "k")?.lines?.slice(1, 3)).toEqual([8, 10]);
  });

  it("that does not hold it is named with the line of the call, if the kernel's name stands there", () => {
    const file = fileOf("other.ts", `\nconst k = kernel("k", make());\n`);
    expect(placeOf(text, stackOf(file, 2), "k")).toEqual({ where: "other.ts:2", lines: null });
    expect(placeOf(text, stackOf(file, 1), "unknown")).toEqual({ where: "other.ts", lines: null });
  });

  it("is found in a bundle that holds the package too", () => {
    const file = fileOf("bundle.mjs", `function kernel() {}\n\nconst k = kernel("k", p, ${text});\n`);
    const stack = `Error\n    at kernel (file://${file}:1:1)\n    at file://${file}:3:11`;
    expect(placeOf(text, stack, "k")).toEqual({ where: "bundle.mjs", lines: [3, 4, 5, 6] });
    expect(isOwnCall(stack)).toBe(false);
    const beside = stack.replace("bundle.mjs:1", "chunk-a1b2.mjs:1");
    expect(placeOf(text, beside, "k")?.where).toBe("bundle.mjs");
    expect(isOwnCall(beside)).toBe(false);
  });

  it("is the package's own where its folder's modules make the kernel", () => {
    expect(isOwnCall(`${own}    at file:///pkg/src/course/lab-kernels.ts:3:1`)).toBe(true);
    expect(isOwnCall(stackOf("/home/me/reduce.ts", 3))).toBe(false);
    expect(isOwnCall(undefined)).toBe(false);
  });

  it("that cannot be read, or a stack without one, gives no place", () => {
    expect(placeOf(text, stackOf(join(folder, "none.ts"), 1), "k")).toBeUndefined();
    expect(placeOf(text, undefined, "k")).toBeUndefined();
    expect(placeOf(text, `${own}    at <anonymous>:1:1`, "k")).toBeUndefined();
  });
});

describe("the lines of a text", () => {
  const align = (lines: readonly string[], source: readonly string[]): readonly number[] | null =>
    alignLines(lines, source, 0);

  it("are found where one source line was printed as two", () => {
    const lines = ["() => {", "if (tid < s)", "sdata[tid] += sdata[tid + s];", "}"];
    expect(align(lines, ["() => {", "", "if (tid < s) sdata[tid] += sdata[tid + s];", "}"])).toEqual([2, 3, 3, 4]);
  });

  it("are found where a condition and what it guards were printed apart, and short lines repeat", () => {
    const lines = [
      "() => {",
      "if (tid < s)",
      "    s2[tid] += s2[tid + s];",
      "syncthreads();",
      "}",
      "if (tid === 0)",
      "    out[0] = s2[0];",
    ];
    const source = [
      "() => {",
      "for (;;) {",
      "if (tid < s) s2[tid] += s2[tid + s];",
      "syncthreads();",
      "}",
      "",
      "if (tid === 0) out[0] = s2[0];",
    ];
    expect(align(lines, source)?.slice(1)).toEqual([3, 3, 4, 5, 7, 7]);
  });

  it("are found in order, where the same line comes twice", () => {
    const lines = ["() => {", "a = b + 1;", "c = d;", "a = b + 1;", "}"];
    expect(align(lines, ["() => {", "a = b + 1;", "// c = d", "c = d;", "", "a = b + 1;", "}"])).toEqual([
      1, 2, 4, 6, 7,
    ]);
  });

  it("are not told where one of them has no counterpart", () => {
    expect(align(["() => {", "a = b + 1;", "e = f;", "}"], ["() => {", "a = b + 1;", "x = y;", "}"])).toBeNull();
  });

  it("are not told where the source only happens to have some of the words", () => {
    const source = ["const words = 'a, f, n';", "a[0] = n;", "for (const [what, a] of list) min(what);", "f(a, n, 1);"];
    expect(align(["() => {", "a[0] = min(n, 1, 2);", "f[n] = min(a[1], 7);", "}"], source)).toBeNull();
  });

  it("pass over what a notebook makes of outer names", () => {
    const lines = ["() => {", "const s = shared((0, warplab_1.i32), 64);", "}"];
    expect(align(lines, ["", "() => {", "const s = shared(i32, 64);", "}"])?.[1]).toBe(3);
  });
});

describe("an error", () => {
  it("names the line of the file, or of the text and where that is made, or the text's alone", () => {
    const source = { name: "k", text, firstLine: 1 };
    expect(placeText(source, 3)).toBe("line 3");
    expect(placeText({ ...source, where: "reduce.ts:12" }, 3)).toBe("line 3 of its text (reduce.ts:12)");
    const placed = { ...source, where: "reduce.ts", lines: [10, 11, 14, 15] };
    expect(placeText(placed, 3)).toBe("line 14 of reduce.ts");
    expect(editorLine(placed, 2)).toBe(11);
  });

  it("of a kernel in this file names the file", () => {
    const make = (): unknown =>
      kernel("here", { params: { a: ptr(i32) } }, ({ a }) => {
        a[0] = 1.5;
      });
    expect(make).toThrow(CompileError);
    expect(make).toThrow("source-place.test.ts");
  });
});
