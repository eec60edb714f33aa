/** The kernels measured in CUDA C++, from the very texts that were measured. */
import { readFileSync } from "node:fs";
import { readCuda } from "../../../src/core/frontend/cuda/read-cuda.js";
import type { KernelIr } from "../../../src/core/ir/ir.js";
import { measuredKernels as readMeasured } from "../../../src/tools/accuracy/measured-kernels.js";

const probes = readFileSync(new URL("../../reference/h200/kernels/probes.cu", import.meta.url), "utf8");
export const probeKernels: ReadonlyMap<string, KernelIr> = readCuda(probes, "h200/kernels/probes.cu");
export const measuredKernels: ReadonlyMap<string, KernelIr> = readMeasured();
