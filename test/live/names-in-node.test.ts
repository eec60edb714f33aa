import { expect, test } from "vitest";
import { hasClang } from "../../src/node/clang/clang.js";
import { cuda } from "../../src/node/clang/cuda.js";
import "../../src/live/index.js";

test.runIf(hasClang())("Node's compiler of CUDA C++ stays where the names of a page's package are read", () => {
  expect(Object.keys(cuda`__global__ void one(int* out) { out[0] = 1; }`)).toEqual(["one"]);
});
