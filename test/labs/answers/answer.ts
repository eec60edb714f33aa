/** Answers to an exercise, as learners give them: right ones, and wrong ones with the check that catches each. */
import { i32, type Kernel, type PointerParameter, ptr, type ScalarType } from "../../../src/core/frontend/index.js";
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
