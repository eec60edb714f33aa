import { expect, test } from "vitest";
import { CompileError } from "../../../src/core/base/errors.js";
import { i32, kernel, launch, ptr, shared, threadIdx } from "../../../src/index.js";
import { thrownFailure } from "../../../src/node/notebook/cell-failure.js";

const child = kernel("child", { data: ptr(i32) }, ({ data }) => {
  data[threadIdx.x] = 1;
});

test("an error of the package's own has no frames of map and the like between the package's", () => {
  let thrown: unknown = null;
  try {
    kernel("handsOn", {}, () => {
      launch(child, { grid: 1, block: 32 }, { data: shared(i32, 32) });
    });
  } catch (problem) {
    thrown = problem;
  }
  expect(thrown).toBeInstanceOf(CompileError);
  expect((thrown as Error).stack).toContain("(<anonymous>)");
  const { traceback } = thrownFailure(thrown, new Map());
  expect(traceback[0]).toMatch(/^CompileError: /);
  expect(traceback.join("\n")).not.toContain("<anonymous>");
});
