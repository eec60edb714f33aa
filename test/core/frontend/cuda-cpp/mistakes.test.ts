/** Learners' mistakes are told once, at their place, with what to do. */
import { describe, expect, test } from "vitest";
import { CompileError } from "../../../../src/core/base/errors.js";
import { hasClang } from "../../../../src/node/clang/clang.js";
import { cuda } from "../../../../src/node/clang/cuda.js";
import { mistakes } from "./mistakes.js";

/** Asks for each kernel: one that is refused tells why. */
function compile(text: string): unknown {
  return Object.values(cuda(Object.assign([text], { raw: [text] })));
}

describe.runIf(hasClang())("a mistake in CUDA C++", () => {
  test.each(mistakes)("$name has its line, its column and a cure", ({ text, at, cure }) => {
    let caught: unknown;
    try {
      compile(text);
    } catch (failure) {
      caught = failure;
    }
    if (!(caught instanceof CompileError)) throw new Error("the text was compiled");
    expect([caught.span?.line, caught.span?.column]).toEqual(at);
    expect(caught.cure).toMatch(cure);
    expect(caught.message.match(/\^+/g)).toHaveLength(1);
  });
});
