import { describe, expect, test } from "vitest";
import { InputError } from "../../../src/core/base/errors.js";
import type { Callee } from "../../../src/core/frontend/declare/definition.js";
import { f32, float4, i32, u32 } from "../../../src/core/frontend/declare/element.js";
import { ptr, sharedPtr, volatile } from "../../../src/core/frontend/declare/parameter.js";
import { device } from "../../../src/core/frontend/kernel.js";
import { printKernel } from "../../../src/core/ir/print.js";
import { deviceOfText } from "./device-of-text.js";
import { bodyOf, kernelOf, refused } from "./from-text.js";

function functionsOf(statements: string, functions: Readonly<Record<string, Callee>>): string {
  return printKernel(kernelOf(statements, { functions })).split("\nkernel")[0];
}

const square = deviceOfText("square", { v: f32 }, "({ v }) => v * v");
const clear = deviceOfText("clear", { data: ptr(i32), at: u32 }, "({ data, at }) => { data[at] = 0; }");

describe("a device function", () => {
  test("is called by position", () => {
    expect(bodyOf("floats[0] = square(x);", { functions: { square } })).toBe("floats[0] = square#0(x)");
  });

  test("is called by name", () => {
    expect(bodyOf("clear({ at: n, data: output });", { functions: { clear } })).toBe("clear#0(output, u32(n))");
  });

  test("converts its arguments as an assignment does", () => {
    expect(bodyOf("floats[0] = square(n);", { functions: { square } })).toBe("floats[0] = square#0(f32(n))");
  });

  test("has the type of its returns", () => {
    expect(functionsOf("floats[0] = square(x);", { square })).toBe("device square#0(v: f32): f32\n  return (v *f32 v)");
  });

  test("without a return gives nothing", () => {
    expect(functionsOf("clear(output, 0);", { clear })).toContain("): void");
  });

  test("brings returns of constants to the type of the others", () => {
    const positive = deviceOfText("positive", { v: f32 }, "({ v }) => { if (v > 0) return v; return 0; }");
    expect(functionsOf("floats[0] = positive(x);", { positive })).toBe(
      "device positive#0(v: f32): f32\n  if (v >f32 0f)\n    return v\n  return 0f",
    );
  });

  test("returns vectors", () => {
    const first = deviceOfText("first", { data: ptr(float4) }, "({ data }) => data[0]");
    expect(functionsOf("vectors[1] = first(vectors);", { first })).toContain("): float4\n  return data[0]");
  });

  test("is compiled once for each memory space that it is called with", () => {
    const ir = kernelOf("const s = shared(i32, 4); clear(s, 0); clear(output, 0); clear(s, 1); clear(input, 2);", {
      functions: { clear },
    });
    expect(ir.functions.map(({ params }) => ir.variables[params[0]].type)).toEqual([
      { pointer: "i32", space: "shared", volatile: false },
      { pointer: "i32", space: "global", volatile: false },
    ]);
  });

  test("can change its parameters, which are copies", () => {
    const next = deviceOfText("next", { v: i32 }, "({ v }) => { v += 1; return v; }");
    expect(functionsOf("output[0] = next(n);", { next })).toBe("device next#0(v: i32): i32\n  v = (v + 1)\n  return v");
  });

  test("can move its pointer parameter", () => {
    const skip = deviceOfText("skip", { data: ptr(i32) }, "({ data }) => { data = data.subarray(2); return data[0]; }");
    expect(functionsOf("output[0] = skip(input);", { skip })).toContain("data = data + 2\n  return data[0]");
  });

  test("calls other device functions, which come before it", () => {
    const fourth = deviceOfText("fourth", { v: f32 }, "({ v }, c, { square }) => square(square(v))", { square });
    const ir = kernelOf("floats[0] = fourth(x);", { functions: { fourth } });
    expect(ir.functions.map(({ name }) => name)).toEqual(["square", "fourth"]);
  });

  test("synchronizes the block like the kernel itself", () => {
    const wait = deviceOfText("wait", {}, "(p, { syncthreads }) => { syncthreads(); }");
    expect(functionsOf("wait();", { wait })).toContain("syncthreads()");
  });

  test("has shared arrays of its own", () => {
    const scratch = deviceOfText(
      "scratch",
      {},
      "(p, { shared, i32 }) => { const s = shared(i32, 32); s[0] = 1; return s[0]; }",
    );
    const ir = kernelOf("output[0] = scratch() + scratch();", { functions: { scratch } });
    expect(ir.sharedArrays.map(({ name }) => name)).toEqual(["s"]);
  });

  test("that warns quotes its own text", () => {
    const below = deviceOfText("below", { a: i32, b: u32 }, "({ a, b }) => {\n  return a < b;\n}");
    const [warning] = kernelOf("output[0] = below(n, u);", { functions: { below } }).warnings;
    expect([warning.source?.name, warning.span.line]).toEqual(["below", 2]);
  });

  test("with a volatile pointer takes plain arrays", () => {
    const touch = deviceOfText("touch", { s: volatile(sharedPtr(i32)) }, "({ s }) => { s[0] += 1; }");
    expect(bodyOf("const s = shared(i32, 4); touch(s);", { functions: { touch } })).toBe("touch#0(s)");
  });

  test("called on the host says where it belongs", () => {
    const onHost = device("onHost", { params: { v: i32 } }, ({ v }) => v + 1);
    expect(() => onHost(1)).toThrow(InputError);
    expect(() => onHost(1)).toThrow("Call it inside of a kernel");
  });
});

describe("a device function is refused", () => {
  const cases: readonly (readonly [string, string, Readonly<Record<string, Callee>>, string])[] = [
    ["with too few arguments", "square();", { square }, "takes 1 argument (v)"],
    ["with an unknown name", "clear({ to: n, data: output });", { clear }, "no parameter to"],
    ["with a missing name", "clear({ data: output });", { clear }, "without at"],
    ["with a number for an array", "clear(n, 0);", { clear }, "An array is needed here"],
    [
      "with an array for a number",
      "floats[0] = square(floats);",
      { square },
      "A value is needed here; this is an array",
    ],
    [
      "with an array of another type",
      "clear(floats, 0);",
      { clear },
      "data of clear points to i32; this array holds f32",
    ],
    ["with a volatile array that it does not expect", "clear(vol, 0);", { clear }, "data of clear is not volatile"],
    [
      "with global memory where it takes shared",
      "touch(output);",
      { touch: deviceOfText("touch", { s: sharedPtr(i32) }, "({ s }) => { s[0] = 1; }") },
      "takes shared arrays; this one is global",
    ],
    [
      "if a path returns nothing",
      "output[0] = f(n);",
      { f: deviceOfText("f", { v: i32 }, "({ v }) => { if (v > 0) return 1; }") },
      "can end without returning",
    ],
    [
      "if its returns have different types",
      "output[0] = f(n);",
      { f: deviceOfText("f", { v: i32 }, "({ v }, { i32, f32 }) => { if (v > 0) return v; return f32(v); }") },
      "another return of this function gives an i32",
    ],
    [
      "if it returns an array",
      "output[0] = f(input);",
      { f: deviceOfText("f", { v: ptr(i32) }, "({ v }) => { return v; }") },
      "A device function returns a number or a vector; this is an array",
    ],
    ["as a value without its call", "output[0] = square;", { square }, "the device function square"],
  ];
  test.each(cases)("%s", (_, text, functions, what) => {
    expect(refused(() => kernelOf(text, { functions })).what).toContain(what);
  });

  test("with its own line in the message", () => {
    const broken = deviceOfText("broken", { v: i32 }, "({ v }) => {\n  return v / 2;\n}");
    const { message } = refused(() => kernelOf("output[0] = broken(n);", { functions: { broken } }));
    expect(message).toContain("in device function broken, line 2\n2 |   return v / 2;\n  |          ^^^^^");
  });
});
