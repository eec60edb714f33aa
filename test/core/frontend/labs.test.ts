import { describe, expect, test } from "vitest";
import { printBody, printKernel } from "../../../src/core/ir/print.js";
import * as labs from "../../kernels/labs.js";

describe("the kernels of Labs 25 to 28", () => {
  test("sequential addressing reads as its CUDA original", () => {
    expect(printKernel(labs.sequential.ir)).toBe(
      `kernel sequential(input: global i32*, output: global i32*)
  extern shared sdata: i32[]
  let tid: u32 = threadIdx.x
  sdata[tid] = input[((blockIdx.x *u32 blockDim.x) +u32 tid)]
  syncthreads()
  var s: u32 = (blockDim.x >>u32 1u)
  loop (s >u32 0u)
    if (tid <u32 s)
      sdata[tid] = (sdata[tid] + sdata[(tid +u32 s)])
    syncthreads()
  update
    s = (s >>u32 1u)
  if (tid ==u32 0u)
    output[blockIdx.x] = sdata[0]`,
    );
  });

  test("the divergent version takes an unsigned remainder by a variable", () => {
    expect(printBody(labs.divergent.ir)).toContain("if ((tid %u32 (2u *u32 s)) ==u32 0u)");
  });

  test("the last warp works on the kernel's shared array through a volatile pointer", () => {
    const { functions, variables } = labs.lastWarp.ir;
    const [reduce] = functions;
    expect(variables[reduce.params[0]].type).toEqual({ pointer: "i32", space: "shared", volatile: true });
    expect(printBody(labs.lastWarp.ir)).toContain("if (tid#0 <u32 32u)\n  warpReduce#0(sdata, tid#0)");
  });

  test("no unsigned kernel has a warning", () => {
    for (const lab of [labs.divergent, labs.nonDivergent, labs.sequential, labs.firstAdd, labs.lastWarp]) {
      expect(lab.warnings).toEqual([]);
    }
  });
});

describe("the kernels of Example 03", () => {
  test("signed indices go through unsigned arithmetic where they meet blockDim, as in C", () => {
    expect(printBody(labs.ex03v3.ir)).toContain("if ((u32(i) +u32 blockDim.x) <u32 u32(n))");
  });

  test("V3 warns that a length that could be negative is compared as unsigned", () => {
    expect(labs.ex03v3.warnings.map(({ span, message }) => [span.line, message.split(":")[0]])).toEqual([
      [6, "`<` mixes i32 with u32"],
    ]);
  });

  test("a stride that starts at 1 and doubles gives no warning", () => {
    expect(labs.ex03v1.warnings).toEqual([]);
  });
});
