/** One fault planted in a small program, and what the sanitizers have to say of it. */
import type { Kernel } from "../../../../src/core/frontend/index.js";
import type { Gpu } from "../../../../src/core/host/gpu.js";
import type { LaunchConfig } from "../../../../src/core/host/launch.js";
import type { LaunchArgument } from "../../../../src/core/host/launch-arguments.js";
import type { SanitizerFinding, SanitizerTool } from "../../../../src/index.js";

export const OLD = "m2070";
export const NEW: readonly string[] = ["v100", "h200"];
export const ALL: readonly string[] = [OLD, ...NEW];

/** A finding that must be there: each line by a part of its text that stands in no other line. */
export interface Expected {
  readonly tool: SanitizerTool;
  readonly severity: SanitizerFinding["severity"];
  /** A part of the title. */
  readonly title: string;
  readonly lines: readonly string[];
}

export interface Planted {
  readonly name: string;
  /** GPUs on which it is a fault. */
  readonly devices: readonly string[];
  readonly finds: readonly Expected[];
  /** The program with the fault, or corrected. */
  readonly run: (gpu: Gpu, fixed: boolean) => unknown;
}

export function error(tool: SanitizerTool, title: string, ...lines: readonly string[]): Expected {
  return { tool, severity: "error", title, lines };
}

export function warning(tool: SanitizerTool, title: string, ...lines: readonly string[]): Expected {
  return { tool, severity: "warning", title, lines };
}

type Access = "Read" | "Write" | "Atomic";

function race(kind: string, space: string, lines: readonly [string, string], by: Access, then: Access): Expected {
  return error("racecheck", `between ${by} access and ${then} access of __${space}__ memory (${kind})`, ...lines);
}

/** A read after a write. */
export function raw(
  space: "shared" | "global",
  write: string,
  read: string,
  by: "Write" | "Atomic" = "Write",
): Expected {
  return race("RAW", space, [write, read], by, "Read");
}

/** A write after a read. */
export function war(space: "shared" | "global", read: string, write: string): Expected {
  return race("WAR", space, [read, write], "Read", "Write");
}

/** A write after a write. */
export function waw(
  space: "shared" | "global",
  first: string,
  then: string,
  by: "Write" | "Atomic" = "Write",
): Expected {
  return race("WAW", space, [first, then], "Write", by);
}

const ARRAYS = { i32: Int32Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array } as const;
const WIDE = { i64: BigInt64Array, u64: BigUint64Array } as const;

export interface Launching extends Partial<LaunchConfig> {
  /** Elements of each array, unless `sizes` says another number: 64 unless told. */
  readonly length?: number;
  /** Elements of some arrays; those of `unwritten` are allocated alone. */
  readonly sizes?: Readonly<Record<string, number>>;
  readonly unwritten?: readonly string[];
  /** Arrays of zeros, for counters and locks. The others hold values that all differ. */
  readonly zeros?: readonly string[];
  /** Values of parameters that are no arrays. */
  readonly values?: Readonly<Record<string, number>>;
}

/** Arrays as large as the grid, unless told otherwise, and values for a kernel's parameters. */
export function argumentsOf(gpu: Gpu, kernel: Kernel, launching: Launching): Record<string, LaunchArgument> {
  const { length = 64, sizes = {}, unwritten = [], zeros = [], values: scalars = {} } = launching;
  const pairs = kernel.ir.params.map((param): readonly [string, LaunchArgument] => {
    const { name } = param;
    if (param.kind === "scalar") return [name, scalars[name] ?? 0];
    const scalar = param.type.pointer as keyof typeof ARRAYS | keyof typeof WIDE;
    const size = sizes[name] ?? length;
    if (unwritten.includes(name)) return [name, gpu.alloc({ type: scalar }, size)];
    const valueAt = (i: number): number => (zeros.includes(name) ? 0 : 3 * i + 1);
    if (scalar === "i64" || scalar === "u64") {
      return [name, gpu.upload(new WIDE[scalar](size).map((_, i) => BigInt(valueAt(i))))];
    }
    const elements = new ARRAYS[scalar](size).map((_: number, i: number) => valueAt(i));
    return [name, gpu.upload(elements)];
  });
  return Object.fromEntries(pairs);
}

/** A fault in a kernel that has a constant FIXED: its corrected twin is the kernel with FIXED true. */
export function planted(
  name: string,
  kernel: Kernel,
  launching: Launching,
  finds: readonly Expected[],
  devices: readonly string[] = ALL,
): Planted {
  const { length: _, sizes: __, unwritten: ___, zeros: ____, values: _____, ...config } = launching;
  const twin = kernel.with({ FIXED: true });
  return {
    name,
    devices,
    finds,
    run: (gpu, fixed) => {
      const one = fixed ? twin : kernel;
      const args = argumentsOf(gpu, one, launching);
      gpu.launch(one, { grid: 1, block: 64, ...config }, args);
      for (const each of Object.values(args)) if (typeof each === "object") each.free();
    },
  };
}

/** A race between lanes of one warp: a fault from compute capability 7.0 on, and before a note. */
export function plantedInWarp(
  name: string,
  kernel: Kernel,
  launching: Launching,
  finds: readonly Expected[],
): readonly Planted[] {
  const notes = finds.map((each): Expected => ({ ...each, severity: "note" }));
  return [planted(name, kernel, launching, finds, NEW), planted(name, kernel, launching, notes, [OLD])];
}
