/** The kernels measured in CUDA C++, from the very texts that were measured. */
import { readFileSync } from "node:fs";
import { measuredKernels as readMeasured } from "../../src/course/measured-texts.mjs";
import type { KernelIr } from "../../src/ir/ir.js";
import { readCuda } from "../lower/cuda-text.js";

const probes = readFileSync(new URL("../reference/probes/probes.cu", import.meta.url), "utf8");
export const probeKernels: ReadonlyMap<string, KernelIr> = readCuda(probes, "probes/probes.cu");
export const measuredKernels: ReadonlyMap<string, KernelIr> = readMeasured(readCuda);
