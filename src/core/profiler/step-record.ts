/** Runs one block of a launch and records what each warp does of each source line, for a view that plays it. */
import { editorLine, InputError, KernelFault } from "../base/errors.js";
import {
  anything,
  checkArgument,
  checkOptions,
  type Fields,
  optional,
  recordOf,
  string,
  whole,
} from "../base/shape.js";
import { writtenLine } from "../base/written-line.js";
import type { LaneGroup } from "../engine/reference/index.js";
import type { Kernel } from "../frontend/index.js";
import type { DeviceBuffer, HostArray } from "../host/buffer.js";
import { type Gpu, gpuShape } from "../host/gpu.js";
import type { LaunchConfig } from "../host/launch.js";
import type { LaunchArguments } from "../host/launch-arguments.js";
import type { LaunchStepper } from "../host/stepping.js";
import type { Instruction } from "../lower/program.js";
import type { LanesElsewhere, RecordedStep, StepAccess, StepRecord } from "../show/steps.js";
import { accessOf, buffersOf, isAccess, type LineAccess, lanesOf } from "./line-access.js";

export interface StepViewOptions {
  /** Linear index of the block; default 0. */
  readonly block?: number;
  /** Record the steps of this warp alone; the others run along. All warps unless told. */
  readonly warp?: number;
  /** Steps at the most, 600 unless told: a page holds them all. */
  readonly most?: number;
  readonly title?: string;
}

/** More steps make a page slow to load. */
const MOST_STEPS = 5000;
const USUAL_STEPS = 600;

const OPTIONS: Fields<StepViewOptions> = {
  block: optional(whole(0)),
  warp: optional(whole(0)),
  most: optional(whole(1, MOST_STEPS)),
  title: optional(string),
};

const shownValue = (value: number | bigint): string =>
  typeof value === "bigint" || Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));

const zeroOf = (value: number | bigint): number | bigint => (typeof value === "bigint" ? 0n : 0);

/** A variable in a warp's lanes before a step has given it a value. */
const UNWRITTEN: readonly string[] = new Array<string>(32).fill("");

/** Values that an instruction has given to a variable, in the lanes of the mask. */
interface Written {
  readonly name: string;
  readonly mask: number;
  readonly values: readonly (number | bigint)[];
}

interface Line {
  readonly warp: number;
  readonly source: number;
  readonly line: number;
}

class Recorder {
  readonly steps: RecordedStep[] = [];
  private readonly variables: Map<string, readonly string[]>[] = [];
  /** As they were behind the step before. */
  private readonly arrays = new Map<string, HostArray>();
  /** Elements of shared arrays that a store has reached. */
  private readonly stored = new Map<string, Set<number>>();

  constructor(
    private readonly stepper: LaunchStepper,
    private readonly buffers: ReadonlyMap<string, DeviceBuffer>,
  ) {}

  /** Runs until the block ends or has made `most` steps; why it stopped before its end, or null. */
  run(most: number): string | null {
    try {
      while (this.here !== null) {
        if (this.steps.length === most) return `The record ends after ${most} steps; the block goes on.`;
        this.record();
      }
    } catch (problem) {
      if (!(problem instanceof KernelFault)) throw problem;
      return problem.message;
    }
    return null;
  }

  private get here(): Line | null {
    const { position } = this.stepper;
    return position === null ? null : { warp: position.warp, source: position.instruction.source, line: position.line };
  }

  private lineOf(pc: number): number {
    const { instructions, sources } = this.stepper.program;
    const instruction = instructions[pc];
    const source = sources[instruction?.source ?? 0];
    return source === undefined || instruction === undefined ? 0 : editorLine(source, instruction.span.line);
  }

  /** One warp at one line. Where the line's code is predicated, the active lanes are those that the predicate lets act. */
  private record(): void {
    const from = this.here!;
    const { live = 0, groups = [] } = this.stepper.warps[from.warp] ?? {};
    const elsewhere = groups.flatMap(({ pc, mask, state }): readonly LanesElsewhere[] => {
      if (state === "running") return [];
      const waits = state === "barrier" ? "barrier" : state === "ready" ? "no" : "lanes";
      return [{ mask, line: this.lineOf(pc), waits }];
    });
    const accesses: StepAccess[] = [];
    const written: Written[] = [];
    const stores: LineAccess[] = [];
    let waiting = this.waitingIn(from.warp);
    const done = new Set<number>();
    const first = this.stepper.position!.activeMask;
    let guarded: number | null = null;
    let fault: unknown = null;
    for (let at = this.stepper.position; at !== null; at = this.stepper.position) {
      const { warp, pc, line, activeMask, guardMask, instruction } = at;
      if (warp !== from.warp || line !== from.line || instruction.source !== from.source) break;
      // A loop's next iteration, or a warp that divides or comes together within the line.
      if (done.has(pc) || activeMask !== first) break;
      done.add(pc);
      if (isAccess(instruction) || (instruction.guard !== null && instruction.op !== "bra")) {
        guarded = (guarded ?? 0) | guardMask;
      }
      const touched = isAccess(instruction) ? accessOf(this.stepper, this.buffers, instruction, warp, guardMask) : null;
      const before = this.costAt(pc, touched?.space);
      try {
        this.stepper.step();
      } catch (problem) {
        fault = problem;
      }
      if (touched !== null && guardMask !== 0) {
        const { elementBytes: _, ...access } = touched;
        accesses.push({ ...access, cost: this.costAt(pc, touched.space) - before });
      }
      if (fault !== null) break;
      if (guardMask === 0) continue;
      if (touched !== null && touched.kind !== "load") stores.push(touched);
      // Lanes that wait for others have no value yet; these may be those that others have waited for, each at its instruction.
      const now = this.waitingIn(warp);
      const still = now.reduce((all, { mask }) => all | mask, 0);
      this.readWritten(warp, instruction, guardMask & ~still, written);
      for (const { mask, pc: waited } of waiting) {
        this.readWritten(warp, this.stepper.program.instructions[waited]!, mask & ~still, written);
      }
      waiting = now;
    }
    const { warp, source, line } = from;
    const changes = { variables: this.changedVariables(warp, written), shared: this.changedShared(stores) };
    this.steps.push({ warp, source, line, active: (guarded ?? first) >>> 0, live, elsewhere, accesses, ...changes });
    if (fault !== null) throw fault;
  }

  private costAt(pc: number, space: StepAccess["space"] | undefined): number {
    const { wavefronts, sectors } = this.stepper.counters;
    return (space === "shared" ? wavefronts[pc] : sectors[pc]) ?? 0;
  }

  /** Groups of the warp that wait at a warp primitive for other lanes. */
  private waitingIn(warp: number): readonly LaneGroup[] {
    return (this.stepper.warps[warp]?.groups ?? []).filter(({ state }) => state === "warpPrimitive");
  }

  /** Adds what the instruction has just given a variable. Several registers may hold one variable, each in its lanes. */
  private readWritten(warp: number, { dst }: Instruction, mask: number, into: Written[]): void {
    if (mask === 0) return;
    for (const register of dst) {
      const name = this.stepper.program.registers[register]?.name ?? null;
      if (name !== null) into.push({ name, mask, values: this.stepper.registers(warp, true)[register]?.values ?? [] });
    }
  }

  /** The first value of a lane counts, be it 0 as the register was before. */
  private changedVariables(warp: number, written: readonly Written[]): Readonly<Record<string, readonly string[]>> {
    this.variables[warp] ??= new Map();
    const known = this.variables[warp];
    const changed: Record<string, readonly string[]> = {};
    for (const { name, mask, values } of written) {
      const before = changed[name] ?? known.get(name) ?? UNWRITTEN;
      const acts = lanesOf(mask);
      changed[name] = before.map((text, lane) => (acts[lane] ? shownValue(values[lane] ?? 0) : text));
    }
    for (const [name, texts] of Object.entries(changed)) {
      if (known.get(name)?.every((text, lane) => text === texts[lane])) delete changed[name];
      else known.set(name, texts);
    }
    return changed;
  }

  private changedShared(stores: readonly LineAccess[]): RecordedStep["shared"] {
    const changed: Record<string, readonly (readonly [number, string])[]> = {};
    for (const name of this.stepper.sharedNames) {
      const now = this.stepper.shared(name);
      const known = this.arrays.get(name);
      const others: (readonly [number, string])[] = [];
      const first = this.firstStores(name, now, stores);
      // Few elements change in a step: only their texts are made.
      for (let index = 0; index < now.length; index++) {
        const value = now[index]!;
        const before = known?.[index] ?? zeroOf(value);
        if (value === before && !first.has(index)) continue;
        const text = shownValue(value);
        if (first.has(index) || text !== shownValue(before)) others.push([index, text]);
      }
      this.arrays.set(name, now);
      if (others.length > 0) changed[name] = others;
    }
    return changed;
  }

  /** Elements that the step's stores are the first to reach: one that is given 0 holds what it held. */
  private firstStores(name: string, array: HostArray, stores: readonly LineAccess[]): ReadonlySet<number> {
    const known = this.stored.get(name) ?? new Set();
    this.stored.set(name, known);
    const first = new Set<number>();
    for (const { array: stored, space, elements, elementBytes } of stores) {
      if (space !== "shared" || stored !== name) continue;
      const scalars = Math.max(1, Math.round(elementBytes / array.BYTES_PER_ELEMENT));
      for (const element of elements) {
        if (element === null) continue;
        for (let part = 0; part < scalars; part++) first.add(Math.floor(element * scalars) + part);
      }
    }
    for (const element of first) {
      if (known.has(element)) first.delete(element);
      else known.add(element);
    }
    return first;
  }
}

/**
 * Runs one block of a launch, the others not, and records it line by line: lanes, variables, shared memory, accesses. `display` makes of
 * it a view with buttons and a slider to step forwards and backwards. The block works on the arrays that it is given.
 * @throws InputError for options that are unknown; what `gpu.step` throws. A fault of the kernel ends the record, which says it.
 * @example
 * display(stepView(gpu, sum, { grid: 1, block: 64, sharedBytes: 256 }, { input, output }));
 */
export function stepView(
  gpu: Gpu,
  kernel: Kernel,
  config: LaunchConfig,
  args: LaunchArguments,
  options: StepViewOptions = {},
): StepRecord {
  checkArgument("stepView", "gpu", gpu, gpuShape);
  checkArgument("stepView", "args", args, recordOf(anything));
  checkOptions("stepView", options, OPTIONS);
  const { block = 0, warp, most = USUAL_STEPS } = options;
  const stepper = gpu.step(kernel, config, args, { block, history: false, ...(warp === undefined ? {} : { warp }) });
  const arrays = stepper.sharedNames.map((name) => ({ name, length: stepper.shared(name).length }));
  const warps = stepper.warps.length;
  const recorder = new Recorder(stepper, buffersOf(args));
  const end = recorder.run(most);
  if (recorder.steps.length === 0) {
    throw new InputError({
      what: `stepView: block ${block} of ${kernel.name} has no step.`,
      cure: end ?? "Choose another block.",
    });
  }
  const title = options.title ?? `${kernel.name}, block ${block}, line by line`;
  const counted = `${recorder.steps.length} steps of ${warps} ${warps === 1 ? "warp" : "warps"} on ${gpu.device.name}`;
  return {
    kind: "steps",
    title,
    alt: `${title}: ${counted}.${end === null ? "" : ` ${end}`}`,
    warps,
    sources: stepper.program.sources.map((source) =>
      source.text
        .split("\n")
        .map((_, index) => [editorLine(source, index + 1), writtenLine(source, index + 1) ?? ""] as const),
    ),
    arrays,
    steps: recorder.steps,
    end,
  };
}
