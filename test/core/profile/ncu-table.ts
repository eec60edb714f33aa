/** Launches of test/reference/ncu, simulated on an H200, beside the counters that Nsight Compute read there. */

import { readFileSync } from "node:fs";
import { readCuda } from "../../../src/core/frontend/cuda/read-cuda.js";
import { callees } from "../../../src/core/frontend/declare/definition.js";
import { f32, f64, i32, Kernel, type ScalarType } from "../../../src/core/frontend/index.js";
import type { DeviceBuffer } from "../../../src/core/host/buffer.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import type { LaunchResult } from "../../../src/core/host/launch-result.js";
import type { MetricSpec } from "../../../src/core/profile/catalog/metric-spec.js";

export interface CountedLaunch {
  readonly kernel: string;
  readonly args: string;
  readonly grid: readonly [number, number, number];
  readonly block: readonly [number, number, number];
  readonly counters: Readonly<Record<string, number>>;
}

const read = (name: string): string => readFileSync(new URL(`../../reference/ncu/${name}`, import.meta.url), "utf8");
const texts = readCuda(read("kernels.cu"), "ncu/kernels.cu");
export const countedLaunches: readonly CountedLaunch[] = JSON.parse(read("counters.json")).rows;

const M20 = 1 << 20;
const M22 = 1 << 22;
const LENGTHS: Readonly<Record<string, number>> = { D: M22, E: M22, F: M22, V: M22, I: M22, LO: 528 * 256 };

const golden = (k: number): number => Math.imul(k, 2654435761) >>> 22;
function mixed(k: number): number {
  let v = k ^ (k >>> 16);
  v = Math.imul(v, 0x85ebca6b);
  v ^= v >>> 13;
  v = Math.imul(v, 0xc2b2ae35);
  return (v ^ (v >>> 16)) >>> 0;
}
const CONTENTS: Readonly<Record<string, (k: number) => number>> = {
  I: golden,
  V: (k) => mixed(k) >>> 22,
  R: (k) => mixed(k) & (M22 - 1),
  F: (k) => (golden(k) + 1) / 1024,
  G: (k) => (golden(k) + 1) / 1024,
  D: (k) => (golden(k) + 1) / 1024,
  E: (k) => (golden(k) + 1) / 1024,
};

const TYPES: Readonly<Record<string, ScalarType>> = { f32, f64, i32 };

function arrayOf(type: "i32" | "f32" | "f64", length: number, make: (k: number) => number): ArrayLike<number> {
  const ArrayType = { i32: Int32Array, f32: Float32Array, f64: Float64Array }[type];
  const values = new ArrayType(length);
  for (let k = 0; k < length; k++) values[k] = make(k);
  return values;
}

/** The arguments as the measured launch wrote them: "F, G, 1.5f, M20". */
export function simulate({ kernel: name, args, grid, block }: CountedLaunch): LaunchResult {
  const gpu = new Gpu("h200", { memoryBytes: 160 << 20 });
  const ir = texts.get(name)!;
  const kernel: Kernel = Object.assign(Object.create(Kernel.prototype), { name, ir, kind: "kernel" });
  callees.add(kernel);
  const words = args.split(", ").map((word) => word.replace("(double *)", ""));
  const given: Record<string, DeviceBuffer | number> = {};
  ir.params.forEach((param, index) => {
    const word = words[index]!;
    if (param.kind === "scalar") {
      given[param.name] = word === "M20" ? M20 : word === "M22" ? M22 : Number(word.replace("f", ""));
      return;
    }
    const length = LENGTHS[word] ?? 2 * M20;
    const make = CONTENTS[word];
    const buffer = gpu.alloc(TYPES[String(param.type.pointer)]!, length) as DeviceBuffer;
    if (make !== undefined) buffer.write(arrayOf(param.type.pointer as "i32", length, make) as never);
    given[param.name] = buffer;
  });
  return gpu.launch(kernel, { grid, block }, given);
}

/** The tool's value for a row of the table, in the row's own unit; null where a counter is missing. */
export function counted(spec: MetricSpec, { counters }: CountedLaunch): number | null {
  let sum: number | null = spec.ncu.length === 0 ? null : 0;
  for (const text of spec.ncu) {
    const [first, second] = text.match(/[a-z0-9]+__[a-z0-9_.]+/g)!;
    const value = counters[first!];
    if (value === undefined || sum === null) return null;
    const factor = Number(/^(\d+) x/.exec(text)?.[1] ?? 1);
    const under = second === undefined ? 1 : counters[second];
    if (under === undefined) return null;
    // The tool shows 0 where there is nothing to divide by.
    sum += under === 0 ? 0 : (factor * value) / under;
  }
  return sum === null ? null : sum / (spec.inNcu?.factor ?? 1);
}
