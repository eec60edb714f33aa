/** What C++ means, against g++: the same text, value by value. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { i64 } from "../../../../src/core/frontend/declare/element.js";
import { Gpu } from "../../../../src/core/host/gpu.js";
import { verifyIr } from "../../../../src/core/ir/verify-ir.js";
import { hasClang } from "../../../../src/node/clang/clang.js";
import { type CudaKernels, loadCuda } from "../../../../src/node/clang/cuda.js";
import { hasCompiler } from "./has-compiler.js";
import { deviceText, hostProgram, traps } from "./traps.js";

describe.runIf(hasClang() && hasCompiler())("C++ in kernels means what g++ makes of it", () => {
  const folder = mkdtempSync(join(tmpdir(), "warplab-traps-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const expected = new Map<string, string>();
  let kernels: CudaKernels = {};

  beforeAll(() => {
    const [source, program, device] = ["traps.cpp", "traps", "traps.cu"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(source, hostProgram());
    execFileSync("g++", [
      "-O0",
      "-w",
      "-std=c++17",
      "-fno-strict-aliasing",
      "-ffp-contract=off",
      "-o",
      program,
      source,
    ]);
    const lines = execFileSync(program, { encoding: "utf8" }).trim().split("\n");
    traps.forEach(({ name }, index) => {
      expected.set(name, lines[index]?.trim() ?? "");
    });
    writeFileSync(device, deviceText());
    kernels = loadCuda(device);
  });

  test.each(traps)("$name", ({ name }) => {
    const kernel = kernels[name];
    if (kernel === undefined) throw new Error(`no kernel ${name}`);
    expect(verifyIr(kernel.ir)).toEqual([]);
    const gpu = new Gpu("v100");
    const out = gpu.alloc(i64, 8);
    gpu.launch(kernel, { grid: 1, block: 32 }, { out, x: -7, u: 3_000_000_000, f: 2.75 });
    expect([...out.read()].join(" ")).toBe(expected.get(name));
  });
});
