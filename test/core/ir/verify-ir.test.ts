import { describe, expect, test } from "vitest";
import { compileKernel } from "../../../src/core/frontend/compile.js";
import { i32 } from "../../../src/core/frontend/declare/element.js";
import { ptr } from "../../../src/core/frontend/declare/parameter.js";
import type { Expr, KernelIr, Stmt } from "../../../src/core/ir/ir.js";
import { verifyIr } from "../../../src/core/ir/verify-ir.js";

const span = { line: 3, column: 0, length: 1 };

const sound: KernelIr = compileKernel({
  name: "sound",
  text: "({ data, n }) => { let sum = 0; for (let i = 0; i < n; i++) sum += data[i]; data[0] = sum; }",
  params: { data: ptr(i32), n: i32 },
  constants: {},
  functions: {},
});

const one: Expr = { kind: "const", type: "i32", value: 1, span };
const half: Expr = { kind: "const", type: "f32", value: 0.5, span };
const unsigned: Expr = { kind: "const", type: "u32", value: 1, span };
const data: Expr & { kind: "pointer" } = {
  kind: "pointer",
  type: { pointer: "i32", space: "global", volatile: false },
  root: { kind: "param", index: 0 },
  offset: null,
  span,
};

function withStatement(stmt: Stmt): readonly string[] {
  return verifyIr({ ...sound, body: [...sound.body, stmt] });
}

function withValue(value: Expr): readonly string[] {
  return withStatement({ kind: "expr", value, span });
}

describe("the validator of the IR", () => {
  test("finds nothing in a sound kernel", () => {
    expect(verifyIr(sound)).toEqual([]);
  });

  const broken: readonly (readonly [string, Expr, string])[] = [
    [
      "operands of two types",
      { kind: "binary", op: "add", type: "i32", left: one, right: unsigned, span },
      "right operand is u32, not i32",
    ],
    [
      "a shift by a signed count",
      { kind: "binary", op: "shl", type: "i32", left: one, right: one, span },
      "right operand is i32, not u32",
    ],
    [
      "a remainder of floats",
      { kind: "binary", op: "rem", type: "f32", left: half, right: half, span },
      "rem of floats",
    ],
    [
      "a comparison of two types",
      { kind: "compare", op: "lt", type: "bool", operandType: "i32", left: one, right: half, span },
      "right side is f32, not i32",
    ],
    [
      "&& of numbers",
      { kind: "logical", op: "and", type: "bool", left: one, right: one, span },
      "left side is i32, not bool",
    ],
    [
      "a choice by a number",
      { kind: "select", type: "i32", condition: one, whenTrue: one, whenFalse: one, span },
      "condition is i32, not bool",
    ],
    [
      "a conversion to the same type",
      { kind: "convert", type: "i32", operand: one, span },
      "conversion without a change",
    ],
    ["a float constant that is not rounded", { kind: "const", type: "f32", value: 0.1, span }, "is not rounded"],
    ["an int constant out of range", { kind: "const", type: "i32", value: 2147483648, span }, "out of range"],
    ["a 64-bit constant that is no bigint", { kind: "const", type: "i64", value: 1, span }, "wrong form"],
    [
      "a load of another type than the array's",
      { kind: "load", type: "f32", pointer: data, index: one, span },
      "element of global i32* has type f32",
    ],
    ["a fractional index", { kind: "load", type: "i32", pointer: data, index: half, span }, "index is no integer"],
    [
      "a pointer to an array that is not there",
      { ...data, root: { kind: "shared", array: 4 } },
      "pointer to a shared that is not there",
    ],
    ["a pointer to a number", { ...data, root: { kind: "param", index: 1 } }, "pointer to a scalar parameter"],
    ["a pointer to bools", { ...data, type: { ...data.type, pointer: "bool" } }, "a bool has no place in memory"],
    ["a call of nothing", { kind: "call", type: "void", callee: 0, args: [], span }, "function that is not there"],
    [
      "a swap without its value",
      { kind: "atomic", op: "cas", type: "i32", pointer: data, index: one, args: [one], span },
      "operands of an atomic",
    ],
    [
      "a component of a number",
      { kind: "component", type: "i32", vector: one, component: 0, span },
      "component of no vector",
    ],
    ["a variable of another type", { kind: "variable", type: "f32", variable: 0, span }, "variable of another type"],
  ];
  test.each(broken)("finds %s", (_, value, problem) => {
    expect(withValue(value).join("\n")).toContain(problem);
  });

  const statements: readonly (readonly [string, Stmt, string])[] = [
    ["a break outside of a loop", { kind: "break", span }, "break outside of a loop"],
    ["a return with a value", { kind: "return", value: one, span }, "value of a return"],
    [
      "a condition that is a number",
      { kind: "if", condition: one, else: [], ...thenNothing(), span },
      "condition is i32, not bool",
    ],
    [
      "a store of another type",
      { kind: "store", pointer: data, index: one, value: half, compound: false, span },
      "has type f32",
    ],
    [
      "an assignment of another type",
      { kind: "assign", variable: 0, component: null, value: half, span },
      "assigned value is f32, not i32",
    ],
  ];
  test.each(statements)("finds %s", (_, stmt, problem) => {
    expect(withStatement(stmt).join("\n")).toContain(problem);
  });

  test("finds an assignment to a constant", () => {
    const variables = sound.variables.map((variable) => ({ ...variable, mutable: false }));
    expect(verifyIr({ ...sound, variables }).join("\n")).toContain("assignment to sum, which is constant");
  });

  test("finds a recursion", () => {
    const call: Stmt = { kind: "expr", value: { kind: "call", type: "void", callee: 0, args: [], span }, span };
    const recursive = { name: "f", source: sound.source, params: [], returns: "void" as const, body: [call] };
    expect(verifyIr({ ...sound, functions: [recursive] })).toEqual(["line 3: a call that could recurse"]);
  });

  test("names the line", () => {
    expect(withStatement({ kind: "continue", span })).toEqual(["line 3: continue outside of a loop"]);
  });
});

/** Biome takes a literal `then` for a thenable. */
function thenNothing(): { readonly then: readonly Stmt[] } {
  const then: readonly Stmt[] = [];
  return { then };
}
