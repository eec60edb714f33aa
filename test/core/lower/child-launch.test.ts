import { describe, expect, it } from "vitest";
import { CompileError } from "../../../src/core/base/errors.js";
import { i32, type Kernel, kernel, ptr } from "../../../src/core/frontend/index.js";
import { lower } from "../../../src/core/lower/lower.js";
import { verifyProgram } from "../../../src/core/lower/machine/verify-program.js";
import type { Program } from "../../../src/core/lower/program.js";

const child: Kernel = kernel("child", { params: { data: ptr(i32), n: i32 } }, ({ data, n }) => {
  data[0] += n;
});

function on(made: Kernel, major: number, minor = 0): Program {
  return lower(made.ir, { computeCapability: { major, minor }, contractFma: true });
}

const count = (program: Program, op: string): number => program.instructions.filter((inst) => inst.op === op).length;

describe("a launch", () => {
  const parent: Kernel = kernel(
    "parent",
    { params: { data: ptr(i32) }, functions: { child } },
    ({ data }, { threadIdx, launch }, { child }) => {
      data[0] = 1;
      if (threadIdx.x === 0) launch(child, { grid: 1, block: 1 }, { data, n: 2 });
      data[0] = 3;
    },
  );

  it("keeps a store before it that a later one overwrites: the child sees it", () => {
    expect(count(on(parent, 9), "st")).toBe(2);
  });
  it("stands behind a branch, not under a guard, as nvcc compiles its calls", () => {
    const launch = on(parent, 9).instructions.find(({ op }) => op === "launch");
    expect(launch?.guard).toBeNull();
    expect(count(on(parent, 9), "bra")).toBe(1);
  });
  it("is two calls and a store for each argument, as in nvcc's machine code", () => {
    const launch = on(parent, 9).instructions.find(({ op }) => op === "launch");
    const mnemonics = launch?.issue.map(({ mnemonic }) => mnemonic) ?? [];
    expect(mnemonics.filter((mnemonic) => mnemonic === "CALL.ABS.NOINC")).toHaveLength(2);
    expect(mnemonics.filter((mnemonic) => mnemonic === "ST.E")).toHaveLength(2);
  });
  it("needs compute capability 3.5", () => {
    expect(() => on(parent, 3, 0)).toThrow(CompileError);
    expect(() => on(parent, 3, 0)).toThrow(
      /child grids \(dynamic parallelism\) need 3\.5[\s\S]*launch\(child[\s\S]*\^\^/,
    );
    expect(verifyProgram(on(parent, 3, 5))).toEqual([]);
  });
  it("brings its child along, compiled for the same GPU, and what that launches", () => {
    const grandparent: Kernel = kernel(
      "grandparent",
      { params: { data: ptr(i32) }, functions: { parent } },
      ({ data }, { launch }, { parent }) => {
        launch(parent, { grid: 1, block: 1 }, { data });
      },
    );
    const program = on(grandparent, 9);
    expect(program.children?.[0]?.name).toBe("parent");
    expect(program.children?.[0]?.children?.[0]?.name).toBe("child");
    expect(program.children?.[0]?.computeCapability).toEqual({ major: 9, minor: 0 });
  });
  it("of a kernel that the GPU cannot run is refused with that kernel's line", () => {
    const matching: Kernel = kernel("matching", { params: { data: ptr(i32) } }, ({ data }, { match_any_sync, i32 }) => {
      data[0] = i32(match_any_sync(0xffffffff, data[1]));
    });
    const launcher: Kernel = kernel(
      "launcher",
      { params: { data: ptr(i32) }, functions: { matching } },
      ({ data }, { launch }, { matching }) => {
        launch(matching, { grid: 1, block: 32 }, { data });
      },
    );
    expect(() => on(launcher, 6)).toThrow(/match functions need 7\.0[\s\S]*in kernel matching/);
  });
});

describe("deviceSynchronize", () => {
  const waiting: Kernel = kernel(
    "waiting",
    { params: { data: ptr(i32) }, functions: { child } },
    ({ data }, { launch, deviceSynchronize }, { child }) => {
      const before = data[0];
      launch(child, { grid: 1, block: 1 }, { data, n: 2 });
      deviceSynchronize();
      data[1] = before + data[0];
    },
  );
  it("makes the parent read again what a child may have written", () => {
    expect(count(on(waiting, 7), "ld")).toBe(2);
  });
  it("is gone from compute capability 9.0 on", () => {
    expect(() => on(waiting, 8, 9)).not.toThrow();
    expect(() => on(waiting, 9)).toThrow(CompileError);
    expect(() => on(waiting, 10)).toThrow(CompileError);
  });
});
