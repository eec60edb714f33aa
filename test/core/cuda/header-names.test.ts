/** Names of the headers in a kernel's text: they are changed, and nvcc takes what stands for them. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cudaKernel } from "../../../src/core/cuda/kernel.js";
import { i32, kernelFromText, ptr, WrittenFunction } from "../../../src/core/frontend/index.js";
import { compileToPtx, nvccVersion } from "./nvcc.js";

/** Of each kind one or more: macros, C's and CUDA's functions, types, variables, C++'s words. */
const NAMES: readonly string[] =
  "NULL INFINITY NAN EOF RAND_MAX M_PI stdout stdin errno unix linux nullptr round sin sinf time y1 j0 yn printf malloc free dim3 uint size_t div remove index rename gamma int4 float2 clock assert cudaMalloc half template union".split(
    " ",
  );

function text(name: string, parameter: string): string {
  const place = { where: "names.ts", lines: null };
  const body = new WrittenFunction(`({ output, ${parameter} }) => { output[0] = ${parameter}; }`, place);
  return cudaKernel(kernelFromText(name, [{ output: ptr(i32), [parameter]: i32 }, body], new Map()).ir).text;
}

/** JavaScript has some of these names as words. */
const asParameter = (name: string): string =>
  name === "template" || name === "union" || !/^[A-Za-z]\w*$/.test(name) ? "n" : name;

describe("a name that C++ or CUDA's headers have", () => {
  it("is changed with a comment that says so", () => {
    const shown = text("time", "NULL");
    expect(shown).toContain("// time is a name of C++ or of CUDA's headers: time_ here.");
    expect(shown).toContain("time_(int* output, int NULL_)");
    expect(text("sum", "n")).not.toContain("headers");
  });

  it("is nothing that nvcc refuses, as a kernel's name or a parameter's", (context) => {
    if (nvccVersion() === null) return context.skip();
    const includes =
      "#include <cuda_runtime.h>\n#include <algorithm>\n#include <cmath>\n#include <cstdint>\n#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <vector>\n";
    const file = join(mkdtempSync(join(tmpdir(), "warplab-names-")), "names.cu");
    writeFileSync(file, includes + NAMES.map((name) => text(name, asParameter(name))).join("\n"));
    const ptx = compileToPtx(file);
    for (const name of NAMES) expect(ptx).toMatch(new RegExp(`\\.entry ${name}_?\\(`));
  });
});
