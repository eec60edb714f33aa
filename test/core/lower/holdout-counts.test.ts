/**
 * Executed instructions of 109 kernels as learners write them, against an H200's counts. They are regression data:
 * most were examined after their first measurement. test/DEVIATIONS.md states each table's mean and worst error;
 * this test prints each kernel that is off.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fastEngine } from "../../../src/core/engine/fast/index.js";
import { readCuda } from "../../../src/core/frontend/cuda/read-cuda.js";
import type { KernelIr } from "../../../src/core/ir/ir.js";
import { lower } from "../../../src/core/lower/lower.js";
import { countEvents } from "../../../src/core/profile/counters.js";
import { type DataArray, execute } from "../engine/launch.js";
import { expectAsStated } from "./stated-code.js";

interface Row {
  readonly kernel: string;
  /** Names of buffers, numbers, or M (2^20), separated by commas. */
  readonly args: string;
  readonly grid: readonly [number, number, number];
  readonly block: readonly [number, number, number];
  readonly sharedBytes: number;
  readonly instructionsPerWarp: number;
  /** Checksums of the buffers that the kernel wrote, as "E=3579043509". */
  readonly checksums?: string;
}

const TABLES = ["instruction-counts/1", "instruction-counts/2", "instruction-counts/3"] as const;

const TOTAL = 2 ** 20 + 2 ** 16;

const hash = (k: number): number => Math.imul(k, 2654435761) >>> 22;

/** measure.cu's data: hash(k) = k * 2654435761 >> 22. */
const BUFFERS: Readonly<Record<string, () => DataArray>> = {
  I: () => Int32Array.from({ length: TOTAL }, (_, k) => hash(k)),
  S: () => Int32Array.from({ length: TOTAL }, (_, k) => k >> 10),
  O: () => new Int32Array(TOTAL),
  F: () => Float32Array.from({ length: TOTAL }, (_, k) => (hash(k) + 1) / 1024),
  H: () => new Float32Array(TOTAL),
  D: () => Float64Array.from({ length: TOTAL }, (_, k) => (hash(k) + 1) / 1024),
  E: () => new Float64Array(TOTAL),
  Q: () => BigInt64Array.from({ length: TOTAL }, (_, k) => BigInt(hash(k)) * 3000000001n),
  R: () => new BigInt64Array(TOTAL),
};
/** Buffers with the same contents as others. */
const LIKE: Readonly<Record<string, string>> = { W: "I", P: "O", G: "F", V: "F" };

const made = new Map<string, DataArray>();

/** The initial contents of a buffer. It is made once; each launch has a copy in its memory. */
function filled(name: string): DataArray {
  const data = made.get(name) ?? BUFFERS[name]?.();
  if (data === undefined) throw new Error(`no buffer ${name}`);
  made.set(name, data);
  return data;
}

function argument(text: string, long: boolean): number | bigint | DataArray {
  const plain = text.trim().replace(/^\(.*?\)/, "");
  const number = plain === "M" ? 2 ** 20 : Number(plain.replace(/f$/, ""));
  if (!Number.isNaN(number)) return long ? BigInt(number) : number;
  return filled(LIKE[plain] ?? plain);
}

/** FNV-1a of a buffer's words. */
function checksum(data: DataArray): number {
  let sum = 2166136261;
  for (const word of new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4)) {
    sum = Math.imul(sum ^ word, 16777619);
  }
  return sum >>> 0;
}

/** Kernels whose results may differ from an H200's in some bits. */
const OWN_RESULTS: Readonly<Record<string, string>> = {
  compactBallot: "warps take their places in the order in which they come",
  softmaxRow: "__expf is an approximation of the hardware's",
};

function counted(row: Row, ir: KernelIr | undefined): number {
  if (ir === undefined) throw new Error(`no kernel ${row.kernel}`);
  const program = lower(ir, { computeCapability: { major: 9, minor: 0 }, contractFma: true });
  const names = row.args.split(",").map((text) => text.trim().replace(/^\(.*?\)/, ""));
  const wide = (i: number): boolean => {
    const param = program.params[i];
    return param?.kind === "scalar" && (param.type === "u64" || param.type === "i64");
  };
  const values = row.args.split(",").map((text, i) => argument(text, wide(i)));
  const args = Object.fromEntries(program.params.map(({ name }, i) => [name, values[i] ?? 0]));
  const { counters, read } = execute(program, {
    grid: row.grid,
    block: row.block,
    dynamicSharedBytes: row.sharedBytes,
    args,
    engine: fastEngine,
    sharedMemory: true,
    stepLimit: 1e9,
  });
  if (row.checksums !== undefined && !(row.kernel in OWN_RESULTS)) {
    const written = new Map(row.checksums.split(" ").map((text) => text.split("=") as [string, string]));
    program.params.forEach(({ name }, i) => {
      const expected = written.get(names[i]!);
      if (expected !== undefined) expect(checksum(read(name))).toBe(Number(expected));
    });
  }
  return countEvents(program, counters).warpInstructions / counters.warps;
}

describe.each(TABLES)("the kernels of %s", (folder) => {
  const reference = (name: string): string =>
    readFileSync(new URL(`../../reference/${folder}/${name}`, import.meta.url), "utf8");
  const { rows } = JSON.parse(reference("counts.json")) as { readonly rows: readonly Row[] };
  const kernels = readCuda(reference("kernels.cu"));
  const counts: (readonly [kernel: string, own: number, measured: number])[] = [];

  it.each(rows.map((row) => [row.kernel, row] as const))(
    "leave the memory that an H200 left, where it was kept: %s",
    (kernel, row) => {
      counts.push([kernel, counted(row, kernels.get(kernel)), row.instructionsPerWarp]);
    },
  );

  it("execute an H200's instructions, as far as stated", () => {
    expectAsStated(`instructions executed a warp in \`${folder}\``, counts);
  });
});
