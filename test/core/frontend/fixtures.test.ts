import { describe, expect, test } from "vitest";
import { printBody, printKernel } from "../../../src/core/ir/print.js";
import { verifyIr } from "../../../src/core/ir/verify-ir.js";
import { everyKernel } from "../../kernels/index.js";
import * as notes from "../../kernels/notes.js";
import * as warpExamples from "../../kernels/warp-examples.js";

describe("every kernel of the seed documents", () => {
  test.each(everyKernel().map((kernel) => [kernel.name, kernel] as const))(
    "%s keeps the IR's invariants",
    (_, kernel) => {
      expect(verifyIr(kernel.ir)).toEqual([]);
    },
  );
});

describe("the notes' kernels", () => {
  test("a pointer into the block's data is input moved by blockDim.x * blockIdx.x", () => {
    expect(printBody(notes.neighboredImproved.ir)).toContain(
      "let data: global i32* = input + (blockDim.x *u32 blockIdx.x)",
    );
  });

  test("the volatile last warp reads and writes global memory through a volatile pointer", () => {
    expect(printBody(notes.warpUnrolling.ir)).toContain("let vsmem: volatile global i32* = (volatile global i32*)data");
  });

  test("complete unrolling with === leaves one step for a block of 128", () => {
    const conditions = printBody(notes.completeUnrollingAsPrinted.ir).match(/^if .*/gm);
    expect(conditions).toEqual(["if (tid < 64)", "if (tid < 32)", "if (tid == 0)"]);
  });

  test("complete unrolling with >= has all four steps for a block of 1024", () => {
    const conditions = printBody(notes.completeUnrolling.with({ BLOCK: 1024 }).ir).match(/^if .*/gm);
    expect(conditions?.slice(0, 4)).toEqual(["if (tid < 512)", "if (tid < 256)", "if (tid < 128)", "if (tid < 64)"]);
  });

  test("the recursive reduction launches itself with moved pointers", () => {
    expect(printBody(notes.recursiveReduce.ir)).toContain(
      "launch self grid (1u, 1u, 1u) block (u32(stride), 1u, 1u) shared 0u (idata, odata, u32(stride))",
    );
  });
});

describe("the Warp Reduction Examples", () => {
  test("the three warp functions become three device functions", () => {
    expect(warpExamples.multipleReductions.ir.functions.map(({ name }) => name)).toEqual([
      "warp_reduce_sum",
      "warp_reduce_max",
      "warp_reduce_min",
    ]);
  });

  test("a cooperative group's reduce becomes a butterfly of its width", () => {
    expect(printKernel(warpExamples.cooperativeReduction.ir)).toContain(
      `device cg_reduce_plus_i32_32#0(mask: u32, value: i32): i32
  var result: i32 = value
  var offset: i32 = 16
  loop (offset > 0)
    let other: i32 = shflXor.i32(mask, result, offset, 32)
    result = (result + other)`,
    );
  });
});
