/** Text that template constants rule out is not compiled, as C++17's `if constexpr`; its names and syntax are read. */
import { describe, expect, test } from "vitest";
import { device, f32, i32, kernel, ptr } from "../../../../src/core/frontend/index.js";
import { Gpu } from "../../../../src/core/host/gpu.js";
import { bodyOf, compiled, kernelOf, refused } from "../from-text.js";

type Row = readonly [what: string, text: string, ir: string];

describe("an error that hangs on a constant's value is none in", () => {
  const constants = { N: 0, W: 32, ON: true };
  const rows: readonly Row[] = [
    ["the side of an if", "if (W === 32) output[0] = 1; else output[0] = (1 << W) - 1;", "output[0] = 1"],
    ["an if without an else", "if (N > 0) output[0] = idiv(100, N); output[1] = 2;", "output[1] = 2"],
    ["the else of a constant flag", "if (!ON) { output[0] = n % N; } else { output[0] = 3; }", "output[0] = 3"],
    [
      "a chain of else if",
      "if (W > 32) output[0] = n << W; else if (W < 32) output[0] = n >> W; else output[0] = 4;",
      "output[0] = 4",
    ],
    ["the side of a choice", "output[0] = N > 0 ? idiv(100, N) : -1;", "output[0] = -1"],
    ["the other side of a choice", "output[0] = N === 0 ? 7 : 100 % N;", "output[0] = 7"],
    ["behind &&", "if (N > 0 && idiv(n, N) > 3) output[0] = 1; output[1] = 2;", "output[1] = 2"],
    ["behind ||", "if (N === 0 || n % N === 0) output[0] = 1;", "output[0] = 1"],
    [
      "behind && after what is not known",
      "if (n > 5 && N > 0 && n % N > 1) output[0] = 1; output[1] = 2;",
      "output[1] = 2",
    ],
    [
      "&& as a value",
      "const flag = W < 32 && (n >> W) > 0; output[0] = flag ? 1 : 0;",
      "let flag: bool = false\noutput[0] = 0",
    ],
    [
      "a case of a switch",
      "switch (N) { case 0: output[0] = 5; break; case 1: output[0] = idiv(n, N); break; default: output[0] = n % N; }",
      "output[0] = 5",
    ],
    [
      "the default of a switch",
      "switch (W) { case 8: output[0] = n << W; break; default: output[0] = 6; }",
      "output[0] = 6",
    ],
    [
      "a loop whose variable starts at its end",
      "for (let i = 0; i < N; i++) output[i] = n % N; output[1] = 2;",
      "block\n  var i: i32 = 0\noutput[1] = 2",
    ],
    [
      "a loop that halves from nothing",
      "for (let s = N >> 1; s > 0; s >>= 1) output[0] = idiv(n, N); output[1] = 2;",
      "block\n  var s: i32 = 0\noutput[1] = 2",
    ],
    ["a while loop", "while (N > 0) output[0] = n % N; output[1] = 2;", "output[1] = 2"],
    ["behind a return", "if (N === 0) return; output[0] = idiv(100, N);", "return"],
    [
      "behind a return in a block",
      "{ if (N === 0) { output[0] = 1; return; } } output[0] = idiv(100, N);",
      "block\n  output[0] = 1\n  return",
    ],
    [
      "behind a continue",
      "for (let i = 0; i < n; i++) { if (N === 0) continue; output[0] = n % N; }",
      "var i: i32 = 0\nloop (i < n)\n  continue\nupdate\n  i = (i + 1)",
    ],
    ["the length of an array", "if (N > 0) { const s = shared(i32, N); s[0] = 1; } output[1] = 2;", "output[1] = 2"],
    [
      "the number of copies of a loop",
      "if (N > 0) for (let i = 0; i < n; i++) { unroll(N); output[i] = 1; } output[1] = 2;",
      "output[1] = 2",
    ],
    [
      "the width of a shuffle",
      "if (W < 32) output[0] = shfl_sync(0xffffffff, n, 0, N); output[1] = 2;",
      "output[1] = 2",
    ],
    [
      "the size of a tile",
      "if (W < 32) output[0] = tiled_partition(this_thread_block(), N).shfl(n, 0); output[1] = 2;",
      "output[1] = 2",
    ],
    [
      "what a minifier makes of an if",
      "N > 0 && (output[0] = n % N); N > 0 ? (output[0] = n % N) : (output[1] = 2);",
      "output[1] = 2",
    ],
  ];
  test.each(rows)("%s", (_, text, ir) => {
    expect(bodyOf(text, { constants })).toBe(ir);
  });

  test("a constant variable computed from constants", () => {
    const text = "const half = W >> 6; if (half > 0) output[0] = n % half; else output[0] = 8;";
    expect(bodyOf(text, { constants })).toBe("let half: i32 = 0\noutput[0] = 8");
  });
});

describe("with the other value of the constant the error is there:", () => {
  test.each([
    ["a shift", "if (W === 32) output[0] = 1; else output[0] = (1 << W) - 1;", { W: 33 }, "shift by 33"],
    ["a division", "output[0] = N > -1 ? idiv(100, N) : -1;", { N: 0 }, "by zero"],
    ["behind &&", "if (N < 1 && n % N > 1) output[0] = 1;", { N: 0 }, "by zero"],
    ["in a loop that runs once", "for (let i = 0; i <= N; i++) output[i] = n % N;", { N: 0 }, "by zero"],
    ["in a do loop", "do { output[0] = n % N; } while (N > 0);", { N: 0 }, "by zero"],
    ["behind an if that may not return", "if (n === 0) return; output[0] = n % N;", { N: 0 }, "by zero"],
  ] as const)("%s", (_, text, constants, what) => {
    expect(refused(() => kernelOf(text, { constants })).what).toContain(what);
  });
});

describe("a choice that constants make", () => {
  test("has the common type of both its sides, as in C++", () => {
    const text = "const mask = W === 32 ? 0xffffffff : (1 << W) - 1; words[0] = mask;";
    expect(bodyOf(text, { constants: { W: 5 } })).toBe("let mask: u32 = 31u\nwords[0] = 31u");
    expect(bodyOf(text, { constants: { W: 32 } })).toBe("let mask: u32 = 4294967295u\nwords[0] = 4294967295u");
    expect(bodyOf("const v = N > 0 ? idiv(100, N) : 2.5; floats[0] = v;", { constants: { N: 0 } })).toContain(
      "f32 = 2.5f",
    );
    expect(bodyOf("const v = N === 0 ? 1 : d * N; doubles[0] = v;", { constants: { N: 0 } })).toContain("f64 = 1d");
  });

  test("of vectors gives the side that it takes", () => {
    const text = "vectors[0] = N > 0 ? make_float4(1 % N, 0, 0, 0) : vectors[1];";
    expect(bodyOf(text, { constants: { N: 0 } })).toBe("vectors[0] = vectors[1]");
  });

  test("of different types is refused all the same", () => {
    const { what } = refused(() => kernelOf("output[0] = N > 0 ? vectors[0] : 1;", { constants: { N: 0 } }));
    expect(what).toContain("different types");
  });
});

describe("what is ruled out", () => {
  const constants = { N: 0 };
  test("leaves no array, no function, no variable and no warning behind", () => {
    const f = device("f", { params: { x: i32 } }, ({ x }) => x + 1);
    const ir = kernelOf(
      "if (N > 0) { const s = shared(i32, 64); const t = local(f32, 8); t[0] = 1.0; s[0] = f(n); if (n < u) output[0] = -u; } output[1] = N > 0 ? f(2) : 3;",
      { constants, functions: { f } },
    );
    const { sharedArrays, localArrays, functions, variables, warnings } = ir;
    expect([sharedArrays, localArrays, functions, variables, warnings]).toEqual([[], [], [], [], []]);
  });

  test("keeps the effects of the condition", () => {
    const text = "if (atomicAdd(output, 0, 1) > 0 && N > 0) output[1] = n % N; output[2] = 1;";
    expect(bodyOf(text, { constants })).toBe("((atomic.add.i32(output[0], 1) > 0) && false)\noutput[2] = 1");
  });

  const refusals: readonly (readonly [string, string, string])[] = [
    ["a name from outside", "if (N > 0) output[0] = total;", "total is not a name"],
    ["one that a notebook rewrote", "if (N > 0) output[0] = exports.total;", "total is not a name"],
    ["a misspelt one", "if (N > 0) output[0] = threadIdxx.x;", "Did you mean threadIdx"],
    ["a name behind &&", "if (N > 0 && total > 1) output[0] = 1;", "total is not a name"],
    ["a name in a side of ?:", "output[0] = N > 0 ? total : 1;", "total is not a name"],
    ["a name in a case", "switch (N) { case 0: break; case 1: output[0] = total; }", "total is not a name"],
    ["a name in a loop", "for (let i = 0; i < N; i++) output[i] = total;", "total is not a name"],
    ["a name behind a return", "if (N === 0) return; output[0] = total;", "total is not a name"],
    ["console", "if (N > 0) console.log(n);", "console does not exist"],
    ["a class", "if (N > 0) { class A {} }", "Classes have no place"],
    ["new", "if (N > 0) { const a = new Int32Array(4); }", "`new` makes an object"],
    ["??", "if (N > 0) output[0] = n ?? 1;", "`??`"],
    ["a dimension that is not there", "if (N > 0) output[0] = threadIdx.w;", "threadIdx has no w"],
  ];
  test.each(refusals)("is read for its names and its syntax: %s", (_, text, what) => {
    const { message } = refused(() => kernelOf(text, { constants }));
    expect(message).toContain(what);
  });

  test("may use in one statement what another one declares", () => {
    const text =
      "if (N === 0) return; const sum = n + 1; let [a, b] = [sum, sum]; output[0] = a + b; output[1] = idiv(sum, N);";
    expect(bodyOf(text, { constants })).toBe("return");
    const cases = "switch (N) { case 0: output[0] = 1; break; case 1: const sum = n % N; output[0] = sum; break; }";
    expect(bodyOf(cases, { constants })).toBe("output[0] = 1");
  });

  test("may use names that it declares, parts of objects, arguments by name, and words of the language", () => {
    const f = device("f", { params: { x: i32 } }, ({ x }) => x);
    const text = `if (N > 0) { const [a, b] = [n, 1]; const { x, y: row } = threadIdx; let c = a + b + x + row;
      for (let i = 0; i < c; i++) { const v = vectors[i]; c += i32(v.x) + f({ x: c }) + Math.min(c, 3); }
      printf(\`%d\\n\`, c); launch(self, { grid: 1, block: [32, 1] }, [input]); }`;
    expect(bodyOf(text, { constants, functions: { f } })).toBe("");
  });
});

test("the returns that are ruled out have no say in a device function's type", () => {
  const average = device("average", { params: { sum: i32 }, constants: { COUNT: 0 } }, ({ sum }, _, { COUNT }) => {
    if (COUNT === 0) return f32(0.5);
    return sum % COUNT;
  });
  expect(kernelOf("floats[0] = average(n);", { functions: { average } }).functions[0].returns).toBe("f32");
});

describe("by value, on GPUs of both kinds", () => {
  const masks = kernel(
    "masks",
    { params: { out: ptr(i32) }, constants: { W: 32, N: 0 } },
    ({ out }, { threadIdx, idiv, u32, i32 }, { W, N }) => {
      const mask = W === 32 ? 0xffffffff : u32((1 << W) - 1);
      let parts = 0;
      for (let i = 0; i < N; i++) parts += idiv(100, N);
      if (N > 0 && idiv(threadIdx.x, N) % 2 === 1) parts += 1000;
      out[threadIdx.x] = i32(mask & threadIdx.x) + parts;
    },
  );
  const cases = [
    [32, 0, (i: number) => i],
    [3, 0, (i: number) => i & 7],
    [4, 5, (i: number) => (i & 15) + 100 + (Math.floor(i / 5) % 2) * 1000],
  ] as const;
  test.each(cases)("W = %i, N = %i", (W, N, expected) => {
    for (const id of ["m2070", "h200"]) {
      for (const schedule of ["default", { seed: 3 }] as const) {
        const gpu = new Gpu(id, { memoryBytes: 1 << 20 });
        const out = gpu.alloc(i32, 64);
        gpu.launch(masks.with({ W, N }), { grid: 1, block: 64, schedule }, { out });
        expect([...out.read()]).toEqual(Array.from({ length: 64 }, (_, i) => expected(i)));
      }
    }
  });
});

test("the kernel compiles with every value of its constants, and CUDA's text has what is taken", () => {
  const text = "({ output, n }, { idiv }, { N }) => { output[0] = N > 0 ? idiv(n, N) : -1; }";
  expect(compiled(text, { constants: { N: 0 } }).body).toHaveLength(1);
  expect(compiled(text, { constants: { N: 4 } }).body).toHaveLength(1);
});

test("what stands after a return that constants decide knows the names that are declared there", () => {
  const text = `({ output, n }, { idiv }, { N }) => {
    if (N === 0) { output[0] = 1; return; }
    let sum = 0;
    if (n > 2) { sum = idiv(n, N); sum += 1; }
    switch (N) { case 1: { const one = sum; output[1] = one; break; } default: output[2] = sum; }
    output[0] = sum;
  }`;
  expect(compiled(text, { constants: { N: 0 } }).body).toHaveLength(2);
  expect(() => compiled(text, { constants: { N: 4 } })).not.toThrow();
});
