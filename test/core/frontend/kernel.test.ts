import { describe, expect, test } from "vitest";
import { CompileError, InputError } from "../../../src/core/base/errors.js";
import { f32, f64, i32, TypedConstant, u64 } from "../../../src/core/frontend/declare/element.js";
import { ptr, volatile } from "../../../src/core/frontend/declare/parameter.js";
import { type Constants, kernel } from "../../../src/core/frontend/kernel.js";
import { printBody } from "../../../src/core/ir/print.js";
import { bodyOf, refused, resultOf } from "./from-text.js";

const outside = 5;

const scaled = kernel(
  "scaled",
  { params: { output: ptr(i32) }, constants: { FACTOR: 2 } },
  ({ output }, _, { FACTOR }) => {
    output[0] = FACTOR * 10;
  },
);

describe("a kernel", () => {
  test("is compiled when it is made, so that an error shows there", () => {
    expect(() =>
      kernel("broken", { params: { output: ptr(i32) } }, ({ output }) => {
        output[0] = outside;
      }),
    ).toThrow(CompileError);
  });

  test("keeps its name and its text", () => {
    expect(scaled.ir.name).toBe("scaled");
    expect(scaled.ir.source.text).toContain("FACTOR * 10");
  });

  test("is another instance with other constants", () => {
    expect(printBody(scaled.ir)).toBe("output[0] = 20");
    expect(printBody(scaled.with({ FACTOR: 7 }).ir)).toBe("output[0] = 70");
  });

  test("is not changed by with", () => {
    scaled.with({ FACTOR: 9 });
    expect(printBody(scaled.ir)).toBe("output[0] = 20");
  });

  test("refuses a constant that it does not have", () => {
    expect(() => scaled.with({ FACTR: 1 })).toThrow(
      "kernel.with: there is no option FACTR.\nDid you mean FACTOR? It takes FACTOR.",
    );
  });

  test("lists its constants with their types", () => {
    expect(scaled.ir.constants).toEqual([{ name: "FACTOR", type: "i32", value: 2 }]);
  });

  test("lists its parameters in the order of the launch", () => {
    const k = kernel("k", { params: { b: f64, a: volatile(ptr(f32)) } }, () => {});
    expect(k.ir.params).toEqual([
      { name: "b", kind: "scalar", type: "f64" },
      { name: "a", kind: "pointer", type: { pointer: "f32", space: "global", volatile: true } },
    ]);
  });

  test("compiles the text of a function that a test runner has rewritten", () => {
    const k = kernel("k", { params: { output: ptr(f32) } }, ({ output }) => {
      output[0] = f32(1);
    });
    expect(printBody(k.ir)).toBe("output[0] = 1f");
  });

  test("launches another kernel given as a function", () => {
    const child = kernel("child", { params: { output: ptr(i32), value: i32 } }, ({ output, value }) => {
      output[0] = value;
    });
    const parent = kernel(
      "parent",
      { params: { output: ptr(i32) }, functions: { child } },
      ({ output }, { launch }, { child }) => {
        launch(child, { grid: 1, block: 32 }, { output, value: 3 });
      },
    );
    expect(printBody(parent.ir)).toBe("launch child grid (1u, 1u, 1u) block (32u, 1u, 1u) shared 0u (output, 3)");
    expect(parent.ir.children).toEqual([child.ir]);
  });
});

describe("a template constant", () => {
  const typed: readonly (readonly [string, Constants, string])[] = [
    ["that is an integer is an i32", { C: 3 }, "i32 3"],
    ["with a fraction is an f32", { C: 0.5 }, "f32 0.5f"],
    ["that is true is a bool", { C: true }, "bool true"],
    ["that is a bigint is an i64", { C: 3n }, "i64 3LL"],
    ["above 2^31 is a u32", { C: 0xffffffff }, "u32 4294967295u"],
    ["made by f32() is a float", { C: f32(3) }, "f32 3f"],
    ["made by u64() is unsigned", { C: u64(3) }, "u64 3ULL"],
  ];
  test.each(typed)("%s", (_, constants, ir) => {
    expect(resultOf("C", { constants })).toBe(ir);
  });

  test("with a fraction is exact next to a double", () => {
    expect(resultOf("d * C", { constants: { C: 0.1 } })).toBe("f64 (d *f64 0.1d)");
  });

  test("sizes a shared array", () => {
    expect(bodyOf("const s = shared(i32, C * 2); s[0] = 1;", { constants: { C: 16 } })).toBe("s[0] = 1");
  });

  test("decides an if at compile time", () => {
    const decided = (C: number): string => bodyOf("if (C >= 512) output[0] = 1;", { constants: { C } });
    expect([decided(256), decided(512)]).toEqual(["", "output[0] = 1"]);
  });

  test("may be a type, as a template's typename is", () => {
    const text = "const s = local(T, 2); s[0] = T(n); doubles[0] = s[0];";
    expect(bodyOf(text, { constants: { T: f32 } })).toBe("s[0] = f32(n)\ndoubles[0] = f64(s[0])");
    expect(bodyOf(text, { constants: { T: f64 } })).toBe("s[0] = f64(n)\ndoubles[0] = s[0]");
    const half = kernel(
      "half",
      { params: { out: ptr(f64) }, constants: { T: f32 as typeof f32 | typeof f64 } },
      ({ out }, { local }, { T }) => {
        const kept = local(T, 1);
        kept[0] = T(0.1);
        out[0] = kept[0];
      },
    );
    expect([half.ir.localArrays[0].element, half.with({ T: f64 }).ir.localArrays[0].element]).toEqual(["f32", "f64"]);
  });

  test("without a value is refused", () => {
    expect(refused(() => bodyOf("output[0] = C;", { constants: { C: Number.NaN } })).what).toContain("C of k");
  });

  test("is a number on the host as well", () => {
    expect(f32(3) + 1).toBe(4);
    expect(f32(3)).toBeInstanceOf(TypedConstant);
  });
});

describe("a declaration in plain JavaScript is refused", () => {
  const make = kernel as unknown as (...args: unknown[]) => unknown;
  const cases: readonly (readonly [string, readonly unknown[], string])[] = [
    ["without a name", [{ params: {} }, () => {}], "without a name"],
    ["without parameters", ["k", null, () => {}], "has no parameters"],
    ["with a function for its parameters", ["k", () => {}], "has no parameters"],
    ["with a type for its parameters", ["k", i32, () => {}], "has no parameters"],
    ["without a function", ["k", { params: {} }], "no function"],
  ];
  test.each(cases)("%s", (_, args, what) => {
    expect(() => make(...args)).toThrow(InputError);
    expect(() => make(...args)).toThrow(what);
  });

  test("with a parameter of no type", () => {
    expect(() => make("k", { params: { a: undefined } }, () => {})).toThrow("A parameter has no type");
  });

  test("with a function that is no device function", () => {
    expect(() => make("k", { params: {}, functions: { f: () => 1 } }, () => {})).toThrow("no device function");
  });

  test("with a pointer to nothing", () => {
    expect(() => (ptr as unknown as () => unknown)()).toThrow("ptr: element is missing.\nGive a type, such as i32");
  });
});

test("the rest of an argument's words may stand under one name", () => {
  const rest = kernel("rest", { params: { a: ptr(i32), b: ptr(i32) } }, ({ a, ...others }, { threadIdx, ...cuda }) => {
    others.b[threadIdx.x] = a[threadIdx.x] + cuda.popc(3);
  });
  const plain = kernel("rest", { params: { a: ptr(i32), b: ptr(i32) } }, ({ a, b }, { threadIdx, popc }) => {
    b[threadIdx.x] = a[threadIdx.x] + popc(3);
  });
  expect(printBody(rest.ir)).toBe(printBody(plain.ir));
});
