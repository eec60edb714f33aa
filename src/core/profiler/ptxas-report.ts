/**
 * The resources of a compiled kernel, as `nvcc -Xptxas -v` prints them: registers, barriers, stack frame, spills, static
 * shared memory and constant memory. They come from the program that the simulator runs.
 */

import { InputError } from "../base/errors.js";
import {
  anything,
  checkArgument,
  checkOptions,
  either,
  type Fields,
  object,
  objectWith,
  optional,
  string,
  whole,
} from "../base/shape.js";
import { shown } from "../base/shown.js";
import { checkOccupancySpec } from "../device/check-spec.js";
import {
  type ComputeCapability,
  type IdOr,
  type Occupancy,
  type OccupancyDeviceId,
  type OccupancySpec,
  occupancy,
  occupancyDeviceById,
} from "../device/index.js";
import { accessBytes } from "../engine/faults.js";
import type { Kernel } from "../frontend/index.js";
import { kernelShape } from "../frontend/index.js";
import { byteSize, isPointer, type Type } from "../ir/types.js";
import { reportedRegisters } from "../lower/emit/register-count.js";
import { lower } from "../lower/lower.js";
import { targetOf } from "../lower/machine/target.js";
import type { Program } from "../lower/program.js";

export interface PtxasReportOptions {
  /** A GPU, or the id of one ("v100"). Give this or `capability`. */
  readonly device?: OccupancySpec | IdOr<OccupancyDeviceId>;
  /** A compute capability: "7.0", "sm_70" or { major: 7, minor: 0 }. */
  readonly capability?: ComputeCapability | string;
  /** Threads a block; with a device the report has the occupancy of such blocks. */
  readonly block?: number;
}

export interface PtxasReport {
  readonly kernel: string;
  /** "sm_70" and the like. */
  readonly target: string;
  /** The newest toolkit that compiles for the target; the text has its form. */
  readonly toolkit: string;
  /** Registers a thread, predicted: mostly within 4 of ptxas (test/DEVIATIONS.md). */
  readonly registers: number;
  /** Named barriers that the kernel uses. */
  readonly barriers: number;
  /** Bytes of local memory a thread: arrays and values that do not fit into registers. */
  readonly stackFrameBytes: number;
  /**
   * Bytes of the kernel's stores and loads of values that do not fit into registers, each instruction once. The kernel
   * language has neither `__launch_bounds__` nor -maxrregcount, so only the architecture's limit forces spills.
   */
  readonly spillStoreBytes: number;
  readonly spillLoadBytes: number;
  /** Static shared memory a block, bytes; from 9.0 on in whole units of 16. */
  readonly sharedBytes: number;
  /** Constant bank 0: what the driver keeps there, then the parameters. */
  readonly constantBytes: number;
  /** The parameters alone, bytes. */
  readonly parameterBytes: number;
  /** For blocks of `block` threads without dynamic shared memory; null without a block or a device. */
  readonly occupancy: Occupancy | null;
  /** The lines of nvcc, without its compile time. */
  readonly text: string;
}

/** Where the parameters begin in constant bank 0 (cuobjdump's listings; the driver's launch data lie before them). */
function parametersStart({ major }: ComputeCapability): number {
  if (major < 3) return 32;
  if (major < 7) return 320;
  if (major < 9) return 352;
  return major < 10 ? 528 : 896;
}

/** The newest CUDA toolkit that compiles for a compute capability (CUDA's release notes). */
function newestToolkit({ major, minor }: ComputeCapability): string {
  if (major < 3) return "8.0";
  if (major < 5) return "11.8";
  return major < 7 || (major === 7 && minor < 5) ? "12.9" : "13.0";
}

const POINTER_BYTES = 8;

function sizeOf(type: Type): number {
  return isPointer(type) ? POINTER_BYTES : type === "bool" ? 1 : byteSize(type);
}

/** The bytes of the stores or loads of spilled values. */
function spillBytes({ instructions, local }: Program, op: "st" | "ld"): number {
  const spills = instructions.filter(
    (inst) => inst.op === op && inst.root?.kind === "local" && local[inst.root.array]?.spills === true,
  );
  return spills.reduce((sum, inst) => sum + accessBytes(inst), 0);
}

/** Each parameter at a multiple of its own size, as the members of a C structure. */
function parameterBytes(program: Program): number {
  return program.params.reduce((end, { type }) => {
    const size = sizeOf(type);
    return Math.ceil(end / size) * size + size;
  }, 0);
}

function parsedCapability(given: ComputeCapability | string): ComputeCapability {
  const parts = typeof given === "string" ? /^(?:sm_)?(\d+)(?:\.(\d)|)$/.exec(given.trim()) : null;
  const digits = parts === null ? "" : `${parts[1]}${parts[2] ?? ""}`;
  const { major, minor } =
    typeof given === "object" && given !== null
      ? given
      : { major: Number(digits.slice(0, -1)), minor: Number(digits.slice(-1)) };
  if (Number.isInteger(major) && Number.isInteger(minor) && major >= 2 && major <= 12 && minor >= 0 && minor <= 9) {
    return { major, minor };
  }
  throw new InputError({
    what: `ptxasReport: ${typeof given === "string" ? `"${given}"` : JSON.stringify(given)} is no compute capability.`,
    cure: 'Give one such as "7.0" or "sm_70" (a V100), from 2.0 on.',
  });
}

const OPTIONS: Fields<PtxasReportOptions> = {
  device: optional(either(string, object)),
  capability: optional(either(string, objectWith({ major: whole(0), minor: whole(0) }))),
  block: optional(anything),
};

function checkTarget(options: PtxasReportOptions): void {
  if ((options.device === undefined) !== (options.capability === undefined)) return;
  throw new InputError({
    what: `ptxasReport was given ${options.device === undefined ? "neither a device nor" : "both a device and"} a compute capability.`,
    cure: 'Give one of them: { device: "v100" } or { capability: "7.0" }.',
  });
}

function checkBlock(block: number | undefined, spec: OccupancySpec | null): void {
  if (block === undefined) return;
  const most = spec?.limits.maxThreadsPerBlock ?? 1024;
  if (Number.isInteger(block) && block >= 1 && block <= most) return;
  throw new InputError({
    what: `ptxasReport: block is ${shown(block)}.`,
    cure: `Give a whole number of threads from 1 to ${most}, or leave it out.`,
  });
}

function reportText(report: Omit<PtxasReport, "text">, capability: ComputeCapability): string {
  const { kernel, stackFrameBytes, spillStoreBytes, spillLoadBytes } = report;
  const used = [`Used ${report.registers} registers`];
  if (capability.major >= 5) used.push(`used ${report.barriers} barriers`);
  if (stackFrameBytes > 0) used.push(`${stackFrameBytes} bytes cumulative stack size`);
  if (report.sharedBytes > 0) used.push(`${report.sharedBytes} bytes smem`);
  // ptxas 13.0 names no constant bank for 9.0 and later.
  if (capability.major < 9) used.push(`${report.constantBytes} bytes cmem[0]`);
  return [
    `ptxas info    : Compiling entry function '${kernel}' for '${report.target}'`,
    `ptxas info    : Function properties for ${kernel}`,
    `    ${stackFrameBytes} bytes stack frame, ${spillStoreBytes} bytes spill stores, ${spillLoadBytes} bytes spill loads`,
    `ptxas info    : ${used.join(", ")}`,
  ].join("\n");
}

/**
 * The resources that `nvcc -Xptxas -v` would print. All but the registers follow from the language's rules; the registers are
 * predicted. Left out is what ptxas counts over a whole file (gmem), and the constants that it makes itself (cmem[2]).
 * @throws InputError for no kernel, an unknown device, an impossible capability or block.
 * @throws CompileError where the kernel needs what the GPU lacks.
 * @example console.log(ptxasReport(sum, { device: "v100" }).text);
 */
export function ptxasReport(kernel: Kernel, options: PtxasReportOptions): PtxasReport {
  checkArgument("ptxasReport", "kernel", kernel, kernelShape);
  checkOptions("ptxasReport", options, OPTIONS);
  checkTarget(options);
  const { device, block } = options;
  const spec = typeof device === "string" ? occupancyDeviceById(device) : (device ?? null);
  if (spec !== null) checkOccupancySpec(spec);
  checkBlock(block, spec);
  const computeCapability = spec?.computeCapability ?? parsedCapability(options.capability ?? "");
  const report = programReport(lower(kernel.ir, { computeCapability, contractFma: true }));
  if (spec === null || block === undefined) return report;
  const { registers: registersPerThread, sharedBytes: staticSharedBytes } = report;
  return { ...report, occupancy: occupancy(spec, { threadsPerBlock: block, registersPerThread, staticSharedBytes }) };
}

/** The same of a lowered program. */
export function programReport(program: Program): PtxasReport {
  const { major, minor } = program.computeCapability;
  const parameters = parameterBytes(program);
  const spills = program.local.some((array) => array.spills === true);
  const facts = {
    kernel: program.name,
    target: `sm_${major}${minor}`,
    toolkit: newestToolkit(program.computeCapability),
    registers: spills ? program.registersPerThread : reportedRegisters(program, targetOf(program.computeCapability)),
    barriers: program.instructions.some(({ op }) => op === "bar" || op === "gridsync") ? 1 : 0,
    stackFrameBytes: program.localBytesPerThread,
    spillStoreBytes: spillBytes(program, "st"),
    spillLoadBytes: spillBytes(program, "ld"),
    sharedBytes: major < 9 ? program.staticSharedBytes : Math.ceil(program.staticSharedBytes / 16) * 16,
    constantBytes: parametersStart(program.computeCapability) + parameters,
    parameterBytes: parameters,
    occupancy: null,
  };
  return { ...facts, text: reportText(facts, program.computeCapability) };
}
