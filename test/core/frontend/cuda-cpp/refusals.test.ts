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
