/** A finding's cure names what is meant, and the kernel that follows it is silent and right. */
import { describe, expect, it } from "vitest";
import { Gpu } from "../../../src/core/host/gpu.js";
import { i32, kernel, ptr, sanitize, threadIdx, u32 } from "../../../src/index.js";
import { cures } from "./planted/cures.js";
import { ALL, argumentsOf } from "./planted/planted.js";

const gpus = new Map(ALL.map((id) => [id, new Gpu(id, { memoryBytes: 1 << 20, stepLimit: 200_000 })]));

const rows = cures.flatMap((each) => (each.devices ?? ALL).map((device) => [each.name, device, each] as const));

describe("the cure of a planted fault", () => {
  it.each(rows)("is one finding that names it: %s, on %s", (_, device, { kernel: one, launching, cure }) => {
    const gpu = gpus.get(device)!;
    const { grid = 1, block = 64 } = launching;
    const { findings } = sanitize(() => gpu.launch(one, { grid, block }, argumentsOf(gpu, one, launching)));
    gpu.reset();
    expect(findings.map(({ tool }) => tool)).toEqual(["racecheck"]);
    expect(findings[0]?.cure).toMatch(cure);
  });

  it.each(rows)("leaves a program that is silent and right: %s, on %s", (_, device, each) => {
    const gpu = gpus.get(device)!;
    const { launching, result, right } = each;
    const twin = each.kernel.with({ FIXED: true });
    const { grid = 1, block = 64 } = launching;
    for (const schedule of ["default", ...Array.from({ length: 10 }, (_each, k) => ({ seed: k + 1 }))] as const) {
      const args = argumentsOf(gpu, twin, launching);
      const { findings } = sanitize(() => gpu.launch(twin, { grid, block, schedule }, args));
      const found = args[result] as unknown as { readonly read: () => ArrayLike<number> };
      const values = Array.from(found.read());
      gpu.reset();
      // Before 7.0 a warp runs in lockstep, and its races are notes for later GPUs.
      expect([schedule, findings.filter(({ severity }) => severity !== "note")]).toEqual([schedule, []]);
      expect(values.slice(0, right.length)).toEqual(right);
    }
  });
});

const under = kernel("under", { out: ptr(i32) }, ({ out }) => {
  out[threadIdx.x - 1] = 5;
});
const product = kernel("product", { out: ptr(i32), width: i32 }, ({ out, width }) => {
  out[i32(threadIdx.x + 60_000) * width] = 5;
});
const half = kernel("half", { out: ptr(u32) }, ({ out }) => {
  if (threadIdx.x < 32) out[threadIdx.x] = 5;
});

describe("a report", () => {
  it.each(ALL)("says by which sum or product an index has wrapped, on %s", (device) => {
    const gpu = gpus.get(device)!;
    const told = (run: () => unknown): string => sanitize(run, { tool: "memcheck" }).findings[0]!.details.join(" ");
    const out = gpu.upload(new Int32Array(64));
    const config = { grid: 1, block: 64 };
    expect(told(() => gpu.launch(under, config, { out }))).toContain(
      "0 - 1 is -1, of which an unsigned int keeps 4294967295",
    );
    const wrapped = `${60_000} * ${60_000} is ${60_000 * 60_000}, of which an int keeps ${Math.imul(60_000, 60_000)}`;
    expect(told(() => gpu.launch(product, config, { out, width: 60_000 }))).toContain(wrapped);
    gpu.reset();
  });

  it("says which elements the host reads unwritten, and nothing where it reads what a kernel wrote", () => {
    const gpu = gpus.get("v100")!;
    const run = (length: number) =>
      sanitize(() => {
        const out = gpu.alloc(u32, 64);
        gpu.launch(half, { grid: 1, block: 64 }, { out });
        const values = out.sub(0, length).read();
        out.free();
        return values;
      });
    expect(run(32).findings).toEqual([]);
    const { findings } = run(64);
    expect(findings.map(({ tool, severity }) => [tool, severity])).toEqual([["initcheck", "error"]]);
    expect(findings[0]!.details[0]).toContain("elements 32 to 63 since");
    gpu.reset();
  });

  it("names the kernel that freed memory was given to, and a part of a buffer as a part", () => {
    const gpu = gpus.get("v100")!;
    const config = { grid: 1, block: 64 };
    const freed = sanitize(() => {
      const out = gpu.alloc(u32, 64);
      out.free();
      gpu.launch(half, config, { out });
    });
    expect(freed.findings[0]!.details.join()).toContain("given to kernel half as out");
    const part = sanitize(() => gpu.launch(half, config, { out: gpu.alloc(u32, 64).sub(8, 8) }));
    expect(part.findings[0]!.details.join()).toContain("the part of a buffer that is given as out");
    gpu.reset();
  });
});
