import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cudaKernel } from "../../src/cuda/kernel.js";
import type { Kernel } from "../../src/frontend/index.js";
import * as labs from "../kernels/labs.js";

/** nvcc's version line, or null where there is no nvcc: the tests that need it then say so and pass over. */
function nvccVersion(): string | null {
  try {
    return execFileSync("nvcc", ["--version"], { encoding: "utf8" }).trim().split("\n").at(-1) ?? null;
  } catch {
    return null;
  }
}

const nvcc = nvccVersion();

describe.skipIf(nvcc === null)("nvcc", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "warplab-nvcc-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const kernels = Object.entries(labs as Record<string, unknown>).filter(
    (entry): entry is [string, Kernel] => typeof entry[1] === "object" && entry[1] !== null && "ir" in entry[1],
  );
  test.each(kernels)("compiles %s to PTX without an error", (name, kernel) => {
    const file = join(folder, `${name}.cu`);
    writeFileSync(
      file,
      `#include <cuda_runtime.h>\n#include <cmath>\n#include <cstdio>\n${cudaKernel(kernel.ir).text}`,
    );
    const ptx = execFileSync("nvcc", ["-arch=sm_90", "-ptx", "-o", "-", file], { encoding: "utf8" });
    expect(ptx).toContain(".entry");
  });
});
