/**
 * Stepping through one block of a launch, a warp instruction at a time, forwards and backwards: what a debugger shows.
 * The block runs in the reference engine on the GPU's memory; a step back restores that too.
 */
import { InputError } from "../base/errors.js";
import { boolean, checkArgument, checkOptions, type Fields, optional, string, whole } from "../base/shape.js";
import { writtenLine } from "../base/written-line.js";
import type { PreparedLaunch, RawCounters } from "../engine/engine.js";
import {
  createStepper,
  type LaneGroup,
  type RegisterView,
  type StepPosition,
  type Stepper,
  type WarpView,
} from "../engine/reference/index.js";
import type { Kernel } from "../frontend/index.js";
import { byteSize } from "../ir/types.js";
import type { Program } from "../lower/program.js";
import { type HostArray, scalarOf, view } from "./buffer.js";
import { LaunchTree, launchesChildren } from "./children/child-grids.js";
import { checkConfig, enginesOf, type LaunchConfig, type LaunchSite, prepareLaunch } from "./launch.js";
import type { LaunchArguments } from "./launch-arguments.js";
import { heldBy, holdsOf, type LaunchSchedule } from "./launch-schedule.js";

export interface SteppingOptions {
  /** Linear index of the block; default 0. The blocks before it are not run, nor child grids that it does not wait for. */
  readonly block?: number;
  /** Steps of this warp alone count; the others run along as the barriers ask. All warps unless told. */
  readonly warp?: number;
  /** false: no step can be taken back, and a long block takes no more memory than a short one. Default true. */
  readonly history?: boolean;
}

const STEPPING: Fields<SteppingOptions> = {
  block: optional(whole(0)),
  warp: optional(whole(0)),
  history: optional(boolean),
};

function unsigned(group: LaneGroup): LaneGroup {
  return { ...group, mask: group.mask >>> 0 };
}

/** Masks are unsigned: bit i is lane i. */
export class LaunchStepper {
  readonly program: Program;
  readonly #stepper: Stepper;

  constructor(program: Program, stepper: Stepper) {
    this.program = program;
    this.#stepper = stepper;
  }

  /** Executes one warp instruction; false at the end of the block. Throws KernelFault, with the state as before. */
  step(): boolean {
    return this.#stepper.step();
  }

  /** Takes the last step back; false at the start. */
  back(): boolean {
    return this.#stepper.back();
  }

  /** Steps until the next instruction is one of another source line (or warp); false at the end of the block. */
  stepLine(): boolean {
    const from = this.position;
    if (from === null) return false;
    do {
      if (!this.step()) return false;
    } while (this.position?.line === from.line && this.position.warp === from.warp);
    return this.position !== null;
  }

  /** The instruction that the next step executes, with its lanes and source line; null at the end of the block. */
  get position(): StepPosition | null {
    const position = this.#stepper.position;
    if (position === null) return null;
    return { ...position, activeMask: position.activeMask >>> 0, guardMask: position.guardMask >>> 0 };
  }

  /** Text of the source line of the position; empty at the end. */
  get sourceLine(): string {
    const position = this.#stepper.position;
    if (position?.source === undefined) return "";
    return writtenLine(position.source, position.span.line)?.trim() ?? "";
  }

  /** Steps taken from the start of the block. */
  get steps(): number {
    return this.#stepper.steps;
  }

  /** Every warp of the block: its lanes that live, and where groups of them stand or wait. */
  get warps(): readonly WarpView[] {
    return this.#stepper.warps.map((warp) => ({ ...warp, live: warp.live >>> 0, groups: warp.groups.map(unsigned) }));
  }

  /** The registers that hold the learner's variables, 32 values each; `all`: every register. */
  registers(warp: number = this.position?.warp ?? 0, all: boolean = false): readonly RegisterView[] {
    checkArgument("stepper.registers", "warp", warp, whole(0));
    checkArgument("stepper.registers", "all", all, boolean);
    return this.#stepper.registers(warp, all);
  }

  /** One value a lane of the variable `name`. Throws InputError where no register holds it. */
  register(name: string, warp?: number): readonly (number | bigint)[] {
    checkArgument("stepper.register", "name", name, string);
    checkArgument("stepper.register", "warp", warp, optional(whole(0)));
    return this.#stepper.register(name, warp);
  }

  /**
   * One value a lane of source operand `index` of the next instruction, which is `position.instruction`; empty at the end.
   * Operand 0 of a memory access is the byte address, without the instruction's offset.
   */
  operand(index: number): readonly (number | bigint)[] {
    checkArgument("stepper.operand", "index", index, whole(0));
    return this.#stepper.operand(index);
  }

  /** A copy of the shared array `name` as it is now; a vector's scalars one after the other. */
  shared(name: string): HostArray {
    checkArgument("stepper.shared", "name", name, string);
    const bytes = this.#stepper.shared(name);
    const array = this.program.shared.find((layout) => layout.array.name === name)?.array;
    const scalar = scalarOf(array?.element ?? "u32");
    return view(scalar, bytes.buffer, bytes.byteOffset, Math.floor(bytes.byteLength / byteSize(scalar)));
  }

  /** Names of the block's shared arrays. */
  get sharedNames(): readonly string[] {
    return this.program.shared.map(({ array }) => array.name);
  }

  get counters(): RawCounters {
    return this.#stepper.counters;
  }

  /** Lines of printf so far. */
  get printed(): readonly string[] {
    return this.#stepper.printed;
  }
}

/** Child grids run where the block waits for them. The others would come after the block, as other blocks do. */
function withChildren(
  { device, limits }: LaunchSite,
  launch: PreparedLaunch,
  schedule: LaunchSchedule,
): PreparedLaunch {
  if (!launchesChildren(launch.program)) return launch;
  const engines = enginesOf(launch.program, schedule, null);
  return { ...launch, children: new LaunchTree(launch, { device, limits, ...engines }).root };
}

/** Checks as a launch does, and stops before the block's first instruction. */
export function startStepping(
  site: LaunchSite,
  kernel: Kernel,
  config: LaunchConfig,
  args: LaunchArguments,
  options: SteppingOptions,
): LaunchStepper {
  checkOptions("gpu.step", options, STEPPING);
  checkConfig(kernel, config);
  const { schedule = "default" } = config;
  if (schedule !== "default" && "seed" in schedule) {
    throw new InputError({
      what: `Stepping through kernel ${kernel.name}: a step follows the default schedule, or one with holds.`,
      cure: "Leave schedule out, or give { hold: [...] } as sanitize's search of schedules finds it.",
    });
  }
  const holds = holdsOf(kernel.name, heldBy(schedule));
  const { launch } = prepareLaunch(site, kernel, config, args);
  const { block = 0, ...how } = options;
  return new LaunchStepper(
    launch.program,
    createStepper(withChildren(site, launch, schedule), block, { ...how, holds }),
  );
}
