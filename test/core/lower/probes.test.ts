import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readCuda } from "../../../src/core/frontend/cuda/read-cuda.js";
import { lower } from "../../../src/core/lower/lower.js";
import { verifyProgram } from "../../../src/core/lower/machine/verify-program.js";

const probes = readCuda(readFileSync(new URL("../../reference/h200/kernels/probes.cu", import.meta.url), "utf8"));
const h200 = { computeCapability: { major: 9, minor: 0 }, contractFma: true };

describe("every probe kernel", () => {
  for (const [name, ir] of probes) {
    it(`${name} lowers to a sound program`, () => {
      expect(verifyProgram(lower(ir, h200))).toEqual([]);
    });
  }
});
