/** Valid C++ for which a kernel has no meaning yet: refused, never compiled to something else. */
import { describe, expect, test } from "vitest";
import { CompileError } from "../../../../src/core/base/errors.js";
import { hasClang } from "../../../../src/node/clang/clang.js";
import { cuda } from "../../../../src/node/clang/cuda.js";

const refused: readonly (readonly [string, string, RegExp])[] = [
  ["a pointer into two arrays", "int* p = out; p[0] = 1; p = other; p[0] = 2;", /one array and then into another/],
  ["a texture", "out[0] = (int)tex2D<float>((cudaTextureObject_t)0, 1.0f, 2.0f);", /tex2D is not there/],
  ["goto", "again: if (out[0]++ < 3) goto again;", /goto/],
  ["a lambda", "auto f = [](int x) { return x; }; out[0] = f(1);", /lambda/],
  ["recursion", "out[0] = fib(9);", /calls itself/],
  ["pointers in memory", "int* list[2]; list[0] = out; list[0][1] = 2;", /pointer is stored/],
  [
    "a comparison with null of a pointer that may be null",
    "int* p = nullptr; if (out[0]) p = out; if (p) *p = 1;",
    /may be null/,
  ],
  ["a pointer that is made null", "int* p = out; p[0] = 1; p = nullptr; out[1] = 2;", /made null/],
  ["bit fields", "struct { unsigned a : 3; } b; b.a = 9; out[0] = b.a;", /layout/],
  ["two arrays by a condition", "int* p = out[0] ? out : other; p[0] = 1;", /by a condition/],
];

describe.runIf(hasClang())("a kernel is refused for", () => {
  test.each(refused)("%s", (_, body, reason) => {
    const text = `__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__global__ void k(int* out, int* other) { ${body} }`;
    let caught: unknown;
    try {
      cuda(Object.assign([text], { raw: [text] }));
    } catch (failure) {
      caught = failure;
    }
    if (!(caught instanceof CompileError)) throw new Error("the text was compiled");
    expect(caught.what).toMatch(reason);
    expect(caught.span?.line).toBeGreaterThan(0);
  });
});

/** Texts of a few lines, or of many that are alike, from which a compiler may make more than any memory holds. */
const endless: readonly (readonly [string, string, RegExp])[] = [
  [
    "functions with references that call each other three times, 20 deep",
    `__device__ void f0(int& x) { x++; }
${Array.from({ length: 20 }, (_, i) => `__device__ void f${i + 1}(int& x) { f${i}(x); f${i}(x); f${i}(x); }`).join("\n")}
__global__ void k(int* p) { int x = p[0]; f20(x); p[1] = x; }`,
    /more than 150000 statements/,
  ],
  [
    "a switch of 700 cases that fall through",
    `__global__ void k(int* p) { switch (p[0]) { ${Array.from({ length: 700 }, (_, i) => `case ${i}: p[${i}] = 1;`).join("\n")} } }`,
    /more than 150000 statements/,
  ],
  [
    "templates without end",
    "template <int N> __device__ int f() { return f<N + 1>(); }\n__global__ void k(int* p) { *p = f<0>(); }",
    /template instantiation/,
  ],
  ["a file that includes itself", "#include __FILE__\n__global__ void k(int* p) { *p = 1; }", /nested too deeply/],
  [
    "more kernels than a file may have, made by a macro",
    `#define A(n) __global__ void k##n(int* p) {}
#define B(n) A(n##0) A(n##1) A(n##2) A(n##3) A(n##4) A(n##5) A(n##6) A(n##7) A(n##8) A(n##9)
#define C(n) B(n##0) B(n##1) B(n##2) B(n##3) B(n##4) B(n##5) B(n##6) B(n##7) B(n##8) B(n##9)
${Array.from({ length: 21 }, (_, i) => `C(${i + 10})`).join(" ")}`,
    /has 2100 kernels/,
  ],
  ["more kernels than a file may have", "__global__ void k(int* p);\n".repeat(10_000), /has 10000 kernels/],
];

describe.runIf(hasClang())("a text that grows is refused for", () => {
  test.each(endless)("%s", (_, text, reason) => {
    expect(() => cuda(Object.assign([text], { raw: [text] })).k).toThrow(reason);
  });
});

describe.runIf(hasClang())("a truth value and a byte as parameters", () => {
  test("arrive as C++ passes them", async () => {
    const { Gpu } = await import("../../../../src/core/host/gpu.js");
    const { i32 } = await import("../../../../src/core/frontend/declare/element.js");
    const { k } = cuda`__global__ void k(int* out, bool flag, unsigned char c) { out[0] = flag ? c : -1; }`;
    const gpu = new Gpu("v100");
    const out = gpu.alloc(i32, 1);
    gpu.launch(k!, { grid: 1, block: 1 }, { out, flag: true, c: 300 });
    expect(out.read()[0]).toBe(44);
    gpu.launch(k!, { grid: 1, block: 1 }, { out, flag: false, c: 300 });
    expect(out.read()[0]).toBe(-1);
  });
});
