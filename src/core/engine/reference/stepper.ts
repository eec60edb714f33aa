/**
 * Steps through one block, a warp instruction at a time, forwards and backwards. Shows registers by the learner's names,
 * masks, program counters and shared memory. Runs on the launch's device memory, which a step back
 * restores too. In a cooperative launch the grid-wide barrier opens when this block's threads have arrived.
 */
import { editorLine, InputError, type SourceText, type Span } from "../../base/errors.js";
import type { Instruction, RegisterType } from "../../lower/program.js";
import {
  type ChildLaunch,
  createRawCounters,
  type PreparedLaunch,
  RAW_COUNTER_ARRAYS,
  type RawCounters,
} from "../engine.js";
import { rootExtent } from "../faults.js";
import { operandType } from "../semantics/operand-type.js";
import { BlockContext } from "./block-context.js";
import { compileProgram } from "./compiled-program.js";
import { Executor } from "./executor.js";
import { Journal } from "./journal.js";
import { createMachineState, type MachineState } from "./machine-state.js";
import { layoutRegisters, readLane } from "./register-layout.js";
import { hangFault } from "./schedule/hang-report.js";
import { allArrived, nextWarp, releaseBarrier, resumeLongLoops } from "./schedule/warp-order.js";
import type { Hold, Warp, WarpControl } from "./warp.js";

export interface StepperOptions {
  /** Steps of this warp alone count; the others run along as the barriers ask. All warps unless told. */
  readonly warp?: number;
  /** false: no step can be taken back, and a long block takes no more memory than a short one. */
  readonly history?: boolean;
  readonly holds?: readonly Hold[];
}

/** The instruction that the next step executes. */
export interface StepPosition {
  readonly warp: number;
  readonly pc: number;
  readonly activeMask: number;
  /** Lanes in which the guard holds. */
  readonly guardMask: number;
  readonly instruction: Instruction;
  readonly source: SourceText | undefined;
  readonly span: Span;
  /** Line as an editor shows it. */
  readonly line: number;
}

export interface LaneGroup {
  readonly pc: number;
  readonly mask: number;
  readonly state: "running" | "ready" | "warpPrimitive" | "barrier" | "spinning";
}

export interface WarpView {
  readonly index: number;
  /** Lanes that have not ended. */
  readonly live: number;
  readonly groups: readonly LaneGroup[];
}

export interface RegisterView {
  readonly name: string | null;
  readonly type: RegisterType;
  /** One value a lane of the warp, existing or not; bigints for i64 and u64, 0 or 1 for bool. */
  readonly values: readonly (number | bigint)[];
}

export interface Stepper {
  /** Executes one warp instruction; false at the end of the block. Throws KernelFault, with the state as before. */
  step(): boolean;
  /** Takes the last step back; false at the start. */
  back(): boolean;
  /** null at the end of the block. */
  readonly position: StepPosition | null;
  /** Steps taken from the start of the block. */
  readonly steps: number;
  readonly warps: readonly WarpView[];
  /** The registers that hold the learner's variables; `all`: every register. */
  registers(warp: number, all?: boolean): readonly RegisterView[];
  /** Values of the variable `name` in `warp` (default: the warp of the position). Throws InputError if there is none. */
  register(name: string, warp?: number): readonly (number | bigint)[];
  /** One value a lane of source operand `index` of the next instruction, in the type that it reads; empty at the end. */
  operand(index: number): readonly (number | bigint)[];
  /** Bytes of the shared array `name`, a copy. Throws InputError if there is none. */
  shared(name: string): Uint8Array;
  readonly counters: RawCounters;
  readonly printed: readonly string[];
}

interface Taken {
  readonly journal: Journal;
  readonly warp: Warp;
  readonly controls: readonly WarpControl[];
  readonly cursor: number;
  readonly pc: number;
  readonly counts: readonly number[];
  readonly printed: number;
  readonly version: number;
  readonly started: readonly ChildLaunch[];
}

/** Throws InputError for a block or warp that the launch does not have. */
export function createStepper(launch: PreparedLaunch, blockIndex: number, options: StepperOptions = {}): Stepper {
  const [x, y, z] = launch.grid;
  if (!Number.isInteger(blockIndex) || blockIndex < 0 || blockIndex >= x * y * z) {
    throw new InputError({ what: `the launch has no block ${blockIndex}`, cure: `choose 0 to ${x * y * z - 1}` });
  }
  return new BlockStepper(launch, blockIndex, options);
}

class BlockStepper implements Stepper {
  readonly counters: RawCounters;
  private readonly machine: MachineState;
  private readonly executor: Executor;
  private readonly context: BlockContext;
  private readonly history: Taken[] = [];
  private readonly chosen: number | null;
  private readonly remembers: boolean;
  private controls: readonly WarpControl[];
  private next: Warp | null;
  private taken = 0;

  constructor(
    private readonly launch: PreparedLaunch,
    block: number,
    { warp: chosen, history = true, holds = [] }: StepperOptions,
  ) {
    this.chosen = chosen ?? null;
    this.remembers = history;
    this.counters = createRawCounters(launch.program);
    this.machine = createMachineState(launch, layoutRegisters(launch), this.counters, 1);
    const compiled = compileProgram(this.machine);
    this.executor = new Executor(this.machine, compiled, {
      observer: null,
      converge: true,
      ...(holds.length === 0 ? {} : { holds }),
    });
    this.context = new BlockContext(this.machine, 0);
    const warps = this.context.warps.length;
    if (chosen !== undefined && !(Number.isInteger(chosen) && chosen >= 0 && chosen < warps)) {
      throw new InputError({ what: `the block has no warp ${chosen}`, cure: `choose 0 to ${warps - 1}` });
    }
    this.context.start(block);
    this.controls = this.context.warps.map((warp) => warp.save());
    this.next = this.findNext();
    this.saveControls();
    this.runOthers();
  }

  get steps(): number {
    return this.taken;
  }

  step(): boolean {
    if (this.next === null) {
      if (this.context.done) return false;
      throw hangFault(this.machine, [this.context], { count: 0, first: 0 }, null, null, true);
    }
    this.stepOnce(this.next);
    this.taken++;
    this.runOthers();
    return true;
  }

  back(): boolean {
    if (this.taken === 0) return false;
    for (;;) {
      const last = this.history.pop();
      if (last === undefined) return false;
      this.restore(last);
      if (this.chosen === null || last.warp.index === this.chosen) break;
    }
    this.taken--;
    return true;
  }

  /** With a chosen warp: everything up to its next instruction. */
  private runOthers(): void {
    if (this.chosen === null) return;
    while (this.next !== null && this.next.index !== this.chosen) this.stepOnce(this.next);
  }

  private stepOnce(warp: Warp): void {
    if (!this.remembers) {
      this.executor.run(this.context, warp, 1);
      this.next = this.findNext();
      return;
    }
    const { machine, context, counters } = this;
    const journal = new Journal();
    const { pc } = warp;
    const before: Taken = {
      journal,
      warp,
      controls: this.controls,
      cursor: context.cursor,
      pc,
      counts: RAW_COUNTER_ARRAYS.map((name) => counters[name][pc] ?? 0),
      printed: machine.printed.count,
      version: machine.version,
      started: this.launch.children?.started ?? [],
    };
    machine.journal = journal;
    try {
      this.executor.run(context, warp, 1);
      this.next = this.findNext();
    } catch (error) {
      this.restore(before);
      throw error;
    } finally {
      machine.journal = null;
    }
    this.saveControls();
    this.history.push(before);
  }

  private findNext(): Warp | null {
    const { executor, context } = this;
    let warp = nextWarp(executor, context);
    if (warp === null && resumeLongLoops(context)) warp = nextWarp(executor, context);
    if (warp === null && allArrived(this.machine, context, "gridsync")) {
      for (const waiting of context.warps) releaseBarrier(waiting);
      warp = nextWarp(executor, context);
    }
    // Joins the groups that have met, so that the position shows the mask that will run.
    if (warp !== null && warp.readyCount > 0 && (warp.readyPc[warp.readyCount - 1] ?? 0) <= warp.pc) {
      warp.suspend();
      warp.runReady(warp.readyCount - 1);
    }
    return warp;
  }

  private saveControls(): void {
    const { warps } = this.context;
    this.controls = this.controls.map((saved, index) => {
      const warp = warps[index];
      return warp === undefined || unchanged(saved, warp) ? saved : warp.save();
    });
  }

  private restore(taken: Taken): void {
    const { machine, context } = this;
    taken.journal.undo();
    for (const [index, control] of taken.controls.entries()) context.warps[index]?.restore(control);
    this.controls = taken.controls;
    context.cursor = taken.cursor;
    for (const [index, name] of RAW_COUNTER_ARRAYS.entries()) this.counters[name][taken.pc] = taken.counts[index] ?? 0;
    machine.printed.truncate(taken.printed);
    machine.version = taken.version;
    if (this.launch.children !== undefined) this.launch.children.started = taken.started;
    this.next = taken.warp;
  }

  get position(): StepPosition | null {
    const warp = this.next;
    const { program } = this.launch;
    const instruction = warp === null ? undefined : program.instructions[warp.pc];
    if (warp === null || instruction === undefined) return null;
    const { guard, span } = instruction;
    const source = program.sources[instruction.source];
    const held = guard === null ? -1 : (this.machine.registers.i32[warp.base + (this.row(guard.reg) ?? 0)] ?? 0);
    const guardMask = warp.mask & (guard?.negate === true ? ~held : held);
    const line = source === undefined ? span.line : editorLine(source, span.line);
    return { warp: warp.index, pc: warp.pc, activeMask: warp.mask, guardMask, instruction, source, span, line };
  }

  private row(reg: number): number | undefined {
    return this.machine.layout.rows[reg];
  }

  get warps(): readonly WarpView[] {
    return this.context.warps.map((warp) => {
      const groups: LaneGroup[] = [];
      if (warp.mask !== 0) groups.push({ pc: warp.pc, mask: warp.mask, state: "running" });
      for (let k = warp.readyCount - 1; k >= 0; k--) {
        groups.push({ pc: warp.readyPc[k] ?? 0, mask: warp.readyMask[k] ?? 0, state: "ready" });
      }
      for (const { pc, lanes } of warp.waits) groups.push({ pc, mask: lanes, state: "warpPrimitive" });
      for (const { pc, lanes } of warp.barrier) groups.push({ pc, mask: lanes, state: "barrier" });
      for (const { pc, lanes } of warp.parked) groups.push({ pc, mask: lanes, state: "spinning" });
      return { index: warp.index, live: warp.live, groups };
    });
  }

  registers(warp: number, all = false): readonly RegisterView[] {
    const base = this.warpAt(warp).base;
    return this.launch.program.registers.flatMap(({ name, type }, reg) => {
      if (name === null && !all) return [];
      const at = base + (this.row(reg) ?? 0);
      const values = Array.from({ length: 32 }, (_, lane) => readLane(this.machine.registers, at, type, lane));
      return [{ name, type, values }];
    });
  }

  register(name: string, warp?: number): readonly (number | bigint)[] {
    const found = this.registers(warp ?? this.next?.index ?? 0).find((view) => view.name === name);
    if (found !== undefined) return found.values;
    const names = this.launch.program.registers.flatMap((register) => register.name ?? []);
    throw new InputError({
      what: `no variable ${name} stands in a register`,
      cure: `choose one of ${names.join(", ")}`,
    });
  }

  operand(index: number): readonly (number | bigint)[] {
    const warp = this.next;
    const instruction = warp === null ? undefined : this.launch.program.instructions[warp.pc];
    if (warp === null || instruction === undefined || index >= instruction.src.length) return [];
    const { layout, registers } = this.machine;
    const at = warp.base + layout.operand(instruction, index);
    const type = operandType(instruction, index);
    return Array.from({ length: 32 }, (_, lane) => readLane(registers, at, type, lane));
  }

  private warpAt(index: number): Warp {
    const warp = this.context.warps[index];
    if (warp !== undefined) return warp;
    throw new InputError({
      what: `the block has no warp ${index}`,
      cure: `choose 0 to ${this.context.warps.length - 1}`,
    });
  }

  shared(name: string): Uint8Array {
    const { program } = this.launch;
    const array = program.shared.findIndex((layout) => layout.array.name === name);
    const accessing = program.instructions.find(({ root }) => root?.kind === "shared" && root.array === array);
    const layout = program.shared[array];
    if (layout === undefined) {
      const names = program.shared.map((shared) => shared.array.name);
      throw new InputError({ what: `no shared array ${name}`, cure: `choose one of ${names.join(", ")}` });
    }
    const { i32 } = this.machine.shared;
    const length = accessing === undefined ? (layout.sizeBytes ?? 0) : rootExtent(this.launch, accessing).byteLength;
    return new Uint8Array(i32.buffer, layout.offsetBytes, length).slice();
  }

  get printed(): readonly string[] {
    return this.machine.printed.result.printed.map(({ text }) => text);
  }
}

function unchanged(saved: WarpControl, warp: Warp): boolean {
  if (saved.pc !== warp.pc || saved.mask !== warp.mask || saved.live !== warp.live) return false;
  if (saved.issued !== warp.issued || saved.readyCount !== warp.readyCount) return false;
  if (saved.waits !== warp.waits || saved.barrier !== warp.barrier || saved.parked !== warp.parked) return false;
  if (saved.held !== warp.held) return false;
  for (let k = 0; k < warp.readyCount; k++) {
    if (saved.readyPc[k] !== warp.readyPc[k] || saved.readyMask[k] !== warp.readyMask[k]) return false;
  }
  return true;
}
