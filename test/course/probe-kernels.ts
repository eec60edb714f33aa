/** The kernels of the measured probes, from the very text that was measured. */
import { readFileSync } from "node:fs";
import type { KernelIr } from "../../src/ir/ir.js";
import { readCuda } from "../lower/cuda-text.js";

export const probeKernels: ReadonlyMap<string, KernelIr> = readCuda(
  readFileSync(new URL("../reference/probes/probes.cu", import.meta.url), "utf8"),
);
