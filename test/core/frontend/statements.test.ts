import { describe, expect, test } from "vitest";
import { bodyOf, kernelOf, refused } from "./from-text.js";

type Row = readonly [fact: string, text: string, ir: string];

function rows(list: readonly Row[]): void {
  test.each(list)("%s", (_, text, ir) => {
    expect(bodyOf(text)).toBe(ir);
  });
}

describe("variables", () => {
  rows([
    ["const makes a constant one", "const a = n;", "let a: i32 = n"],
    ["let makes one that can change", "let a = n; a = 2;", "var a: i32 = n\na = 2"],
    ["several are declared in one line", "let a = 1, b = 2.0;", "var a: i32 = 1\nvar b: f32 = 2f"],
    [
      "a name in an inner block hides the outer one",
      "const a = n; { const a = 1.5; }",
      "let a#0: i32 = n\nblock\n  let a#1: f32 = 1.5f",
    ],
    [
      "a chained assignment sets both",
      "let a = 1; let b = 2; a = b = n;",
      "var a: i32 = 1\nvar b: i32 = 2\nb = n\na = b",
    ],
    ["an assigned parameter is copied into a variable first", "n += 1;", "var n: i32 = n\nn = (n + 1)"],
    [
      "threadIdx can be taken apart",
      "const { x: column, y } = threadIdx;",
      "let column: u32 = threadIdx.x\nlet y: u32 = threadIdx.y",
    ],
    ["threadIdx can get another name", "const t = threadIdx; output[t.x] = 0;", "output[threadIdx.x] = 0"],
  ]);
});

describe("++ and --", () => {
  rows([
    ["count a variable as a statement", "let i = 0; i++; --i;", "var i: i32 = 0\ni = (i + 1)\ni = (i - 1)"],
    ["count an element of memory", "output[u]++;", "output[u] = (output[u] + 1)"],
    ["count an unsigned variable", "let i = u; i--;", "var i: u32 = u\ni = (i -u32 1u)"],
  ]);
});

describe("an element", () => {
  rows([
    ["is read and written by index", "output[n] = input[u];", "output[n] = input[u]"],
    ["of a moved pointer counts from there", "output[0] = input.subarray(n)[2];", "output[0] = (input + n)[2]"],
    [
      "of a twice moved pointer counts from the sum",
      "output[0] = input.subarray(n).subarray(1)[2];",
      "output[0] = (input + (n + 1))[2]",
    ],
    [
      "of a tile has a flat index",
      "const t = shared(f32, [4, 33]); t[u][n] = 1.0;",
      "t[((u *u32 33u) +u32 u32(n))] = 1f",
    ],
    ["of a tile with constant indices is known", "const t = shared(i32, [2, 3, 4]); t[1][2][3] = 0;", "t[23] = 0"],
    [
      "of a row passed on keeps the row as offset",
      "const t = shared(i32, [4, 33]); const row = t[n].subarray(0);",
      "let row: shared i32* = t + ((n * 33) + 0)",
    ],
    [
      "is found once in a compound assignment",
      "output[atomicAdd(words, 0, 1)] += 5;",
      "let index: u32 = atomic.add.u32(words[0], 1u)\noutput[index] = (output[index] + 5)",
    ],
    ["of volatile memory is reached through a volatile pointer", "vol[0] += 1;", "vol[0] = (vol[0] + 1)"],
  ]);

  test("of a static shared array lies in an array of the kernel with its dimensions", () => {
    const { sharedArrays } = kernelOf("const tile = shared(f32, [32, 33]); tile[0][0] = 0.0;");
    expect(sharedArrays.map(({ name, element, dims }) => ({ name, element, dims }))).toEqual([
      { name: "tile", element: "f32", dims: [32, 33] },
    ]);
  });

  test("of an extern shared array lies in one without dimensions", () => {
    expect(kernelOf("const s = externShared(f64); s[0] = d;").sharedArrays[0]).toMatchObject({
      element: "f64",
      dims: null,
    });
  });

  test("of an array declared volatile makes the array volatile", () => {
    const ir = kernelOf("const s = volatile(shared(i32, 64)); s[0] = n;");
    expect(ir.sharedArrays[0].volatile).toBe(true);
  });

  test("of a volatile view leaves the array as it is", () => {
    const ir = kernelOf("const s = shared(i32, 64); const v = volatile(s); v[0] = n;");
    expect(ir.sharedArrays[0].volatile).toBe(false);
    expect(ir.variables[0].type).toEqual({ pointer: "i32", space: "shared", volatile: true });
  });

  test("of a local array lies in the thread's own memory", () => {
    const ir = kernelOf("const acc = local(f32, 4); acc[n] = x;");
    expect(ir.localArrays[0]).toMatchObject({ name: "acc", element: "f32", dims: [4] });
  });
});

describe("a pointer variable", () => {
  rows([
    [
      "points into its array",
      "const p = input.subarray(n); output[0] = p[1];",
      "let p: global i32* = input + n\noutput[0] = p[1]",
    ],
    ["moves within its array", "let p = input; p = p.subarray(1);", "var p: global i32* = input\np = p + 1"],
    [
      "can be a parameter that moves",
      "input = input.subarray(n);",
      "var input: global i32* = input\ninput = input + n",
    ],
  ]);
});

describe("if and loops", () => {
  rows([
    [
      "if has two arms",
      "if (n > 0) output[0] = 1; else { output[0] = 2; }",
      "if (n > 0)\n  output[0] = 1\nelse\n  output[0] = 2",
    ],
    ["an integer condition asks for not zero", "if (n & 1) output[0] = 1;", "if ((n & 1) != 0)\n  output[0] = 1"],
    [
      "else if nests",
      "if (n > 0) output[0] = 1; else if (n < 0) output[0] = 2;",
      "if (n > 0)\n  output[0] = 1\nelse\n  if (n < 0)\n    output[0] = 2",
    ],
    [
      "for has its own scope",
      "for (let i = 0; i < n; i++) output[i] = i;",
      "var i: i32 = 0\nloop (i < n)\n  output[i] = i\nupdate\n  i = (i + 1)",
    ],
    [
      "for takes commas in its header",
      "for (let i = 0, j = n; i < j; i++, j--) output[i] = j;",
      "var i: i32 = 0\nvar j: i32 = n\nloop (i < j)\n  output[i] = j\nupdate\n  i = (i + 1)\n  j = (j - 1)",
    ],
    [
      "while (true) has no condition",
      "while (true) { if (n > 0) break; continue; }",
      "loop\n  if (n > 0)\n    break\n  continue",
    ],
    ["for (;;) has none either", "for (;;) break;", "loop\n  break"],
    [
      "do-while tests at the end",
      "let i = 0; do { i++; } while (i < n);",
      "var i: i32 = 0\nloop do\n  i = (i + 1)\nwhile (i < n)",
    ],
    ["return ends the thread early", "if (n < 0) return; output[0] = n;", "if (n < 0)\n  return\noutput[0] = n"],
    ["a && f() as a statement is an if", "n > 0 && syncwarp();", "if (n > 0)\n  syncwarp(4294967295u)"],
    ["a constant condition leaves the side that runs", "if (3 > 2) output[0] = 1;", "output[0] = 1"],
    [
      "in a block where that declares names",
      "if (3 > 2) { const a = n; output[0] = a; }",
      "block\n  let a: i32 = n\n  output[0] = a",
    ],
    [
      "unroll(4) at the head of a loop is its hint",
      "for (let i = 0; i < n; i++) { unroll(4); output[i] = 0; }",
      "var i: i32 = 0\nloop (i < n) unroll 4\n  output[i] = 0\nupdate\n  i = (i + 1)",
    ],
    [
      "unroll() means all",
      "for (let i = 0; i < 8; i++) { unroll(); output[i] = 0; }",
      "var i: i32 = 0\nloop (i < 8) unroll full\n  output[i] = 0\nupdate\n  i = (i + 1)",
    ],
    [
      "a #pragma unroll comment before the loop is the same",
      "// #pragma unroll\nfor (let i = 0; i < 8; i++) output[i] = 0;",
      "var i: i32 = 0\nloop (i < 8) unroll full\n  output[i] = 0\nupdate\n  i = (i + 1)",
    ],
    [
      "so is one with a number",
      "/* #pragma unroll 2 */ for (let i = 0; i < 8; i++) output[i] = 0;",
      "var i: i32 = 0\nloop (i < 8) unroll 2\n  output[i] = 0\nupdate\n  i = (i + 1)",
    ],
  ]);
});

describe("switch", () => {
  rows([
    [
      "becomes a chain of ifs",
      "switch (n) { case 0: output[0] = 1; break; case 1: case 2: output[0] = 2; break; default: output[0] = 3; }",
      "if (n == 0)\n  output[0] = 1\nelse\n  if ((n == 1) || (n == 2))\n    output[0] = 2\n  else\n    output[0] = 3",
    ],
    [
      "falls through where a break is missing",
      "switch (n) { case 0: output[0] = 1; case 1: output[1] = 2; }",
      "if (n == 0)\n  output[0] = 1\n  output[1] = 2\nelse\n  if (n == 1)\n    output[1] = 2",
    ],
    [
      "with a break inside an if leaves a loop of one round",
      "switch (n) { case 0: if (u > 0) break; output[0] = 1; }",
      "loop do\n  if (n == 0)\n    if (u >u32 0u)\n      break\n    output[0] = 1\nwhile false",
    ],
    [
      "evaluates what it switches on once",
      "switch (input[0]) { case 7: output[0] = 1; }",
      "let selector: i32 = input[0]\nif (selector == 7)\n  output[0] = 1",
    ],
  ]);
});

describe("vectors", () => {
  rows([
    [
      "are loaded whole",
      "const v = vectors[n]; floats[0] = v.x + v.w;",
      "let v: float4 = vectors[n]\nfloats[0] = (v.x +f32 v.w)",
    ],
    ["are built and stored whole", "vectors[0] = make_float4(x, 0, 1.0, n);", "vectors[0] = float4(x, 0f, 1f, f32(n))"],
    [
      "change by component in a variable",
      "let v = pairs[0]; v.y += 1; pairs[0] = v;",
      "var v: int2 = pairs[0]\nv.y = (v.y + 1)\npairs[0] = v",
    ],
    ["change by component in memory", "pairs[n].y = 3;", "(global i32*)pairs[((n * 2) + 1)] = 3"],
    [
      "are seen in an array of scalars by asVector",
      "const v = asVector(floats, float4); vectors[0] = v[n];",
      "let v: global float4* = (global float4*)floats\nvectors[0] = v[n]",
    ],
    [
      "can be chosen by ?:",
      "vectors[0] = n > 0 ? vectors[1] : vectors[2];",
      "vectors[0] = ((n > 0) ? vectors[1] : vectors[2])",
    ],
  ]);
});

describe("lists of names", () => {
  test("exchange two elements, whose values are all found first", () => {
    expect(bodyOf("[output[0], output[n]] = [output[n], output[0]];")).toBe(
      "let exchanged#0: i32 = output[n]\nlet exchanged#1: i32 = output[0]\noutput[0] = exchanged#0\noutput[n] = exchanged#1",
    );
  });

  test("make and change variables", () => {
    expect(bodyOf("let [a, b] = [1, n]; [a, b] = [b, a + b]; output[0] = a;")).toBe(
      "var a: i32 = 1\nvar b: i32 = n\nlet exchanged#2: i32 = b\nlet exchanged#3: i32 = (a + b)\na = exchanged#2\nb = exchanged#3\noutput[0] = a",
    );
  });

  test.each([
    ["const [a, b] = output;", "as many values"],
    ["let a = 1; let b = 2; [a, b] = [1, 2, 3];", "as many values"],
    ["let a = 1; [a, , a] = [1, 2, 3];", "gap"],
  ])("%s is refused", (text, what) => {
    expect(refused(() => kernelOf(text)).what).toContain(what);
  });
});
