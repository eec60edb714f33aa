/** One block of a launch, watched at a line of its text: which lanes touch which elements, each time a warp comes there. */

import { InputError } from "../base/errors.js";
import {
  anything,
  boolean,
  checkArgument,
  checkOptions,
  type Fields,
  finite,
  listOf,
  objectWith,
  oneOf,
  optional,
  orNull,
  positive,
  recordOf,
  type Shape,
  string,
  whole,
} from "../base/shape.js";
import { writtenLine } from "../base/written-line.js";
import type { RawCounters } from "../engine/engine.js";
import type { Kernel } from "../frontend/index.js";
import type { DeviceBuffer } from "../host/buffer.js";
import type { Gpu } from "../host/gpu.js";
import { gpuShape } from "../host/gpu.js";
import type { LaunchConfig } from "../host/launch.js";
import type { LaunchArguments } from "../host/launch-arguments.js";
import type { LaunchStepper } from "../host/stepping.js";
import { accessOf, buffersOf, isAccess, type LineAccess, lanesOf } from "./line-access.js";

export interface WatchedLine {
  /** A part of the line's text: "sdata[tid] +=". Several lines may have it. */
  readonly line: string;
  /** The variable that tells one time from the next, such as "s". */
  readonly by?: string;
  /** Which block is watched; 0 unless given. */
  readonly blockIndex?: number;
  /** The warp whose lanes are told; 0 unless given. */
  readonly warp?: number;
}

/** One time that the block comes to the line. */
export interface LineVisit {
  /** "s = 4"; where no variable was named "block 0", or "block 0, time 3" where there are several. */
  readonly label: string;
  /** The variable's value, or the number of the time from 1. */
  readonly value: number;
  /** Whether each lane of the watched warp reads or writes something. */
  readonly lanes: readonly boolean[];
  /** The accesses of the watched warp, in their order. */
  readonly accesses: readonly LineAccess[];
  /** Threads of the whole block that read or write something, and warps that have such a thread. */
  readonly threads: number;
  readonly warps: number;
  /** Wavefronts of the whole block over the least possible; null where no shared memory is touched. */
  readonly conflictDegree: number | null;
}

interface WarpVisit {
  readonly pcs: Set<number>;
  value: number | null;
  /** Whether it has come to an access. */
  touched: boolean;
  acting: number;
  wavefronts: number;
  idealWavefronts: number;
  readonly accesses: LineAccess[];
}

/** Wavefronts that an instruction has taken so far, and the least that its requests need. */
function cycles({ wavefronts, idealWavefronts }: RawCounters, pc: number) {
  return { wavefronts: wavefronts[pc] ?? 0, idealWavefronts: idealWavefronts[pc] ?? 0 };
}

function lanesIn(mask: number): number {
  return lanesOf(mask).filter((acts) => acts).length;
}

class Watch {
  readonly #visits: WarpVisit[][] = [];
  /** The last time of each line, by warp. */
  readonly #latest: Map<string, WarpVisit>[] = [];

  constructor(
    private readonly stepper: LaunchStepper,
    private readonly buffers: ReadonlyMap<string, DeviceBuffer>,
    private readonly options: WatchedLine,
  ) {}

  /** Runs the block to its end; the times that each warp comes to the line. */
  run(): readonly (readonly WarpVisit[])[] {
    const { stepper, options } = this;
    for (let position = stepper.position; position !== null; position = stepper.position) {
      const { warp, pc, instruction, guardMask, span } = position;
      const here = stepper.sourceLine.includes(options.line);
      const visit = here ? this.visitOf(warp, pc, `${instruction.source}:${span.line}`) : null;
      const touching = visit !== null && isAccess(instruction) ? visit : null;
      if (touching !== null) {
        // Before its first access a line may compute what needs no variable, while the variable is that of the time before.
        if (!touching.touched) touching.value = this.value(warp);
        touching.touched = true;
        touching.acting |= guardMask;
        if (warp === (options.warp ?? 0))
          touching.accesses.push(accessOf(this.stepper, this.buffers, instruction, warp, guardMask));
      }
      const before = cycles(stepper.counters, pc);
      stepper.step();
      if (touching === null || instruction.space !== "shared") continue;
      const after = cycles(stepper.counters, pc);
      touching.wavefronts += after.wavefronts - before.wavefronts;
      touching.idealWavefronts += after.idealWavefronts - before.idealWavefronts;
    }
    return this.#visits;
  }

  /** The line's time that goes on, whatever other lines' instructions stand between; a new one where the warp is back at one. */
  private visitOf(warp: number, pc: number, line: string): WarpVisit {
    this.#latest[warp] ??= new Map();
    const latest = this.#latest[warp];
    let visit = latest.get(line);
    if (visit === undefined || visit.pcs.has(pc)) {
      const value = this.value(warp);
      visit = {
        pcs: new Set(),
        value,
        touched: false,
        acting: 0,
        wavefronts: 0,
        idealWavefronts: 0,
        accesses: [],
      };
      latest.set(line, visit);
      this.#visits[warp] ??= [];
      this.#visits[warp].push(visit);
    }
    visit.pcs.add(pc);
    return visit;
  }

  /** The value of the variable that tells the executions apart. */
  private value(warp: number): number | null {
    const { by } = this.options;
    return by === undefined ? null : Number(this.stepper.register(by, warp)[0]);
  }
}

function linesWith(stepper: LaunchStepper, text: string): readonly string[] {
  const lines = stepper.program.sources.flatMap((source) =>
    source.text.split("\n").map((_, at) => writtenLine(source, at + 1) ?? ""),
  );
  return lines.filter((line) => line.includes(text));
}

/** The warps' times beside each other, as the times of the block. */
function blockVisits(byWarp: readonly (readonly WarpVisit[])[], options: WatchedLine): readonly LineVisit[] {
  const { by, warp = 0, blockIndex = 0 } = options;
  const most = Math.max(0, ...byWarp.map((visits) => visits.length));
  return Array.from({ length: most }, (_, time): LineVisit => {
    const all = byWarp.flatMap((visits) => visits[time] ?? []);
    const watched = byWarp[warp]?.[time];
    const value = (watched ?? all[0])?.value ?? time + 1;
    const sum = (of: (visit: WarpVisit) => number): number => all.reduce((total, visit) => total + of(visit), 0);
    const ideal = sum((visit) => visit.idealWavefronts);
    return {
      label: by === undefined ? `block ${blockIndex}${most === 1 ? "" : `, time ${value}`}` : `${by} = ${value}`,
      value,
      lanes: lanesOf(watched?.acting ?? 0),
      accesses: watched?.accesses ?? [],
      threads: sum((visit) => lanesIn(visit.acting)),
      warps: all.filter((visit) => visit.acting !== 0).length,
      conflictDegree: ideal === 0 ? null : sum((visit) => visit.wavefronts) / ideal,
    };
  });
}

export const WATCHED_LINE: Fields<WatchedLine> = {
  line: string,
  by: optional(string),
  blockIndex: optional(whole(0)),
  warp: optional(whole(0)),
};

const lanes = listOf(orNull(finite));

export const visitsShape: Shape = listOf(
  objectWith(
    {
      label: string,
      value: finite,
      lanes: listOf(boolean),
      accesses: listOf(
        objectWith({
          array: string,
          space: oneOf("shared", "global"),
          kind: oneOf("load", "store", "atomic"),
          elements: lanes,
          elementBytes: positive,
        }),
      ),
      threads: finite,
      warps: finite,
      conflictDegree: orNull(finite),
    },
    "what watchLine(...) or watchAccesses(...) returns",
  ),
);

/**
 * Runs one block of any launch. For each execution of a line it tells which lanes work and what they touch. All of it is
 * exact. The block works on the arrays that it is given.
 * @throws InputError for a line that the kernel does not have; what `gpu.step` throws.
 * @example
 * const visits = watchAccesses(gpu, transpose, { grid: 4, block: [32, 8] }, { to, from }, { line: "tile[" });
 * display(bankFigure(visits), sectorFigure(visits));
 */
export function watchAccesses(
  gpu: Gpu,
  kernel: Kernel,
  config: LaunchConfig,
  args: LaunchArguments,
  options: WatchedLine,
): readonly LineVisit[] {
  checkArgument("watchAccesses", "gpu", gpu, gpuShape);
  checkArgument("watchAccesses", "args", args, recordOf(anything));
  checkOptions("watchAccesses", options, WATCHED_LINE);
  const stepper = gpu.step(kernel, config, args, { block: options.blockIndex ?? 0, history: false });
  if (options.line === "" || linesWith(stepper, options.line).length === 0) {
    throw new InputError({
      what: `watchAccesses: no line of kernel ${kernel.name} has the text "${options.line}".`,
      cure: `Give a part of one of its lines, such as "${linesWith(stepper, "=").at(-1)?.trim() ?? ""}".`,
    });
  }
  return blockVisits(new Watch(stepper, buffersOf(args), options).run(), options);
}
