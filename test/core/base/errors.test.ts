import { inspect } from "node:util";
import { expect, test } from "vitest";
import type { KernelFault } from "../../../src/core/base/errors.js";
import { i32, kernel, ptr } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";

const beyond = kernel("beyond", { params: { a: ptr(i32) } }, ({ a }, { threadIdx }) => {
  a[threadIdx.x + 5] = 1;
});

function fault(): KernelFault {
  const gpu = new Gpu("v100", { memoryBytes: 1 << 20 });
  try {
    gpu.launch(beyond, { grid: 1, block: 32 }, { a: gpu.alloc(i32, 32) });
  } catch (error) {
    return error as KernelFault;
  }
  throw new Error("no fault");
}

test("an error's stack begins at the caller's own line: no frame of the package, none of WebAssembly", () => {
  const { stack = "" } = fault();
  const frames = stack.split("\n").filter((line) => line.startsWith("    at "));
  expect(frames[0]).toContain("errors.test.ts");
  expect(stack).not.toContain("wasm://");
  expect(stack).not.toMatch(/src.dist|builds/);
});

test("a console prints its message once, and its fields can be read", () => {
  const error = fault();
  const text = inspect(error);
  expect(text.split("an illegal memory access").length).toBe(2);
  expect(text).not.toContain("allocation:");
  expect(error).toMatchObject({ code: "cudaErrorIllegalAddress", place: { kernel: "beyond" } });
  expect(error.name).toBe("KernelFault");
});

test("an error's cure has two parts: the kernel's text can follow one, its launch another", () => {
  const { cure, kernelCure } = fault();
  expect(kernelCure).toBe("guard the access with the number of elements (if (i < n) ...)");
  expect(cure).toBe(`${kernelCure}, or launch fewer threads, or allocate more`);
});
