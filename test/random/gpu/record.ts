/**
 * The record of what an H200 left in memory: `values/random.json` has a hash a kernel, `values/random-kernels.json.gz` the
 * kernels themselves, so that the record holds however the generator changes.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { KernelSource } from "../print.js";
import { canonicalBytes, initialData } from "../run-case.js";
import { NUMERIC } from "../tree.js";
import { INPUT_LENGTH, SLACK } from "../values.js";

const FOLDER = join(import.meta.dirname, "../../reference");

export interface RecordedRun {
  /** nvcc's -fmad, and the lowering's contractFma. */
  readonly contractFma: boolean;
  /** Kernels that ran on the GPU, and how many of them left the reference engine's memory when the record was made. */
  readonly tried: number;
  readonly agreed: number;
  /** Names of the others; README.md has their reasons. */
  readonly differ: readonly string[];
  /** By name of each stored kernel: memoryHash of what the GPU left. */
  readonly memory: Readonly<Record<string, string>>;
}

export interface GpuRecord {
  readonly device: string;
  readonly compiler: string;
  readonly date: string;
  /** Hash of the input arrays' values. */
  readonly inputs: string;
  /** "defined": what CUDA C++ defines; "wild": with overflow, long shifts, conversions out of range, bits of NaN. */
  readonly runs: { readonly defined: RecordedRun; readonly definedContracted: RecordedRun; readonly wild: RecordedRun };
}

export type StoredKernels = Readonly<Record<"defined" | "wild", readonly KernelSource[]>>;

/** Hash of the pools that all kernels read. */
export function inputsHash(): string {
  const hash = createHash("sha256");
  for (const t of NUMERIC) {
    hash.update(
      canonicalBytes(initialData({ name: "", t, kind: "array", length: INPUT_LENGTH + SLACK, fill: "corners" })),
    );
  }
  return hash.digest("hex").slice(0, 16);
}

export function readRecord(): GpuRecord {
  return JSON.parse(readFileSync(join(FOLDER, "values/random.json"), "utf8")) as GpuRecord;
}

export function readKernels(): StoredKernels {
  return parsedKernels(gunzipSync(readFileSync(join(FOLDER, "values/random-kernels.json.gz"))).toString("utf8"));
}

export function parsedKernels(text: string): StoredKernels {
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value === "string" && /^-?\d+n$/.test(value)) return BigInt(value.slice(0, -1));
    return typeof value === "string" && SPECIAL.has(value) ? SPECIAL.get(value) : value;
  }) as StoredKernels;
}

/** Numbers that JSON does not have. */
const SPECIAL: ReadonlyMap<string, number> = new Map([
  ["number NaN", Number.NaN],
  ["number Infinity", Number.POSITIVE_INFINITY],
  ["number -Infinity", Number.NEGATIVE_INFINITY],
  ["number -0", -0],
]);

function storable(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "number" || (Number.isFinite(value) && !Object.is(value, -0))) return value;
  return Object.is(value, -0) ? "number -0" : `number ${value}`;
}

export function storedText(kernels: StoredKernels): string {
  return JSON.stringify(kernels, storable);
}

export function writeKernels(kernels: StoredKernels): void {
  writeFileSync(join(FOLDER, "values/random-kernels.json.gz"), gzipSync(storedText(kernels), { level: 9 }));
}

export function writeRecord(record: GpuRecord): void {
  writeFileSync(join(FOLDER, "values/random.json"), `${JSON.stringify(record, null, 1)}\n`);
}
