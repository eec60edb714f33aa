/** The kernels that mutants of the compiler are tried on, and what the compiler without a change makes of each. */
import { createHash } from "node:crypto";
import type { KernelIr } from "../../../src/core/ir/ir.js";
import type { LoweringOptions, Program } from "../../../src/core/lower/program.js";
import type { KernelTree } from "../tree.js";

export interface Compilation {
  readonly options: LoweringOptions;
  /** Of its program; null where the compiler without a change refuses the kernel. */
  readonly hash: string | null;
}

export interface CorpusKernel {
  readonly name: string;
  readonly ir: KernelIr;
  /** Null for a kernel whose code alone is compared. */
  readonly tree: KernelTree | null;
  readonly compilations: readonly Compilation[];
}

/** A place in a compiled module, as "core/lower/emit/emit.js:1234", with the offset of a character. */
export type Place = string;

export interface Corpus {
  /** Each kernel by itself, serialized: a mutant's process reads few. */
  readonly kernels: readonly Uint8Array[];
  /** How many random kernels there are. They stand first. */
  readonly random: number;
  /** The kernels whose compilation runs the code of a place. */
  readonly reaching: ReadonlyMap<Place, readonly number[]>;
}

/** All that the engines, the counters and the timing see of a program. */
export function programHash(program: Program): string {
  const { instructions, registers, body, registersPerThread, shared, local } = program;
  const code = instructions.map(({ span, source, ...rest }) => rest);
  return createHash("sha256")
    .update(JSON.stringify([code, registers.map(({ type }) => type), body, registersPerThread, shared, local], plain))
    .digest("base64");
}

function plain(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  return typeof value === "number" && (Object.is(value, -0) || !Number.isFinite(value))
    ? `#${Object.is(value, -0) ? "-0" : value}`
    : value;
}
