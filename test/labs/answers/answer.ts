/** Answers to an exercise, as learners give them: right ones, and wrong ones with the check that catches each. */
import { i32, Kernel, type PointerParameter, ptr, type ScalarType } from "../../../src/core/frontend/index.js";
import type { CheckSpec } from "../../../src/index.js";

export interface RightAnswer {
  /** Its style. */
  readonly how: string;
  readonly answer: Kernel;
}

export interface WrongAnswer {
  /** The fault in it. */
  readonly what: string;
  readonly answer: Kernel;
  readonly caughtBy: CheckSpec["kind"];
}

export interface Answers {
  readonly right: readonly RightAnswer[];
  readonly wrong: readonly WrongAnswer[];
}

type Sum = {
  readonly input: PointerParameter<ScalarType<"i32">>;
  readonly output: PointerParameter<ScalarType<"i32">>;
};

export const sum: Sum = { input: ptr(i32), output: ptr(i32) };
export const guardedSum: Sum & { readonly n: ScalarType<"i32"> } = { ...sum, n: i32 };

/**
 * The kernel with changes of its text, as a learner's slip makes them. `from` stands in it once; a blank of it is any
 * white space. The text is the one that the kernel was compiled from, where 0xffffffff reads 4294967295.
 */
export function changed({ spec }: Kernel, ...changes: readonly (readonly [from: string, to: string])[]): Kernel {
  // The place and the names are those of the text before the changes.
  const { place: _place, named: _named, ...same } = spec;
  // The test runner's transformer puts a semicolon behind the block of a loop.
  let text = spec.text.replace(/\/\/.*$/gm, "").replace(/\};/g, "}");
  for (const [from, to] of changes) {
    const words = from.split(" ").map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    const pieces = text.split(new RegExp(words.join("\\s+")));
    if (pieces.length !== 2) throw new Error(`"${from}" is to stand once in ${text}`);
    text = pieces.join(to);
  }
  return new Kernel({ ...same, text });
}
