/** One block of a launch at a time, all of it or its beginning, for an observer: what it writes can be taken back. */
import { KernelFault } from "../../base/errors.js";
import { type Instruction, WARP_PRIMITIVES } from "../../lower/program.js";
import {
  addRawCounters,
  createRawCounters,
  type EngineResult,
  type Observer,
  type PreparedLaunch,
  RAW_COUNTER_ARRAYS,
  type RawCounters,
} from "../engine.js";
import { BlockContext } from "./block-context.js";
import { compileProgram } from "./compiled-program.js";
import { Executor } from "./executor.js";
import { Journal } from "./journal.js";
import { createMachineState, type MachineState } from "./machine-state.js";
import { layoutRegisters } from "./register-layout.js";
import { nextWarp } from "./schedule/warp-order.js";

export interface Beginning {
  /** Warp instructions run. */
  readonly instructions: number;
  /** The block has ended, as it does in the default order. */
  readonly ended: boolean;
}

/** Instructions of a warp after which it is seen again how many there may be. */
const AT_A_TIME = 256;
/**
 * Warp instructions of the grid's first and last block that are watched for undefined behaviour. The observer sees fewer,
 * but the barriers and the exchange of a long block stand at its end.
 */
const MOST_WATCHED = 250_000;

export class SingleBlock {
  private readonly machine: MachineState;
  private readonly executor: Executor;
  /** Goes on where nobody observes; null where there is nothing to watch for. */
  private readonly watching: Executor | null;
  private readonly context: BlockContext;
  private readonly journal: Journal;
  private readonly buffer: ArrayBufferLike;

  constructor(
    private readonly launch: PreparedLaunch,
    observer: Observer | null,
  ) {
    this.buffer = launch.memory.buffer;
    this.machine = createMachineState(launch, layoutRegisters(launch), createRawCounters(launch.program), 1);
    this.journal = new Journal(this.machine.global.i32);
    this.machine.journal = this.journal;
    const compiled = compileProgram(this.machine);
    this.executor = new Executor(this.machine, compiled, { observer, converge: true });
    this.watching =
      launch.watch !== undefined && launch.program.instructions.some(mayBeUndefined)
        ? new Executor(this.machine, compiled, { observer: null, converge: true })
        : null;
    this.context = new BlockContext(this.machine, 0);
  }

  /** Whether it is of this launch, with its memory where it was. */
  isOf(launch: PreparedLaunch): boolean {
    return launch === this.launch && launch.memory.buffer === this.buffer;
  }

  /**
   * Runs the block, of each warp about as much, up to some `most` warp instructions, which may change on the way; null where it fails.
   * Counts it in `counters` if it has ended, and else puts memory back; without `counters` it always does.
   */
  run(block: number, most: () => number, counters: RawCounters | null): Beginning | null {
    const { machine, context, journal } = this;
    for (const name of RAW_COUNTER_ARRAYS) machine.counters[name].fill(0);
    machine.printed.truncate(0);
    journal.forget();
    if (machine.shadow !== null) machine.shadow.paused = counters === null;
    const spent = this.launch.budget?.spent ?? 0;
    context.start(block);
    const ended = this.runEvenly(this.executor, most);
    const { issued } = this;
    if (ended === false && counters !== null && this.watching !== null && this.isAtEdge(block)) {
      this.runEvenly(this.watching, () => MOST_WATCHED);
    }
    if (ended === true && counters !== null) {
      addRawCounters(counters, machine.counters);
      counters.blocks++;
      counters.warps += context.warps.length;
    } else {
      journal.undo();
      if (this.launch.budget !== undefined) this.launch.budget.spent = spent;
    }
    return ended === null ? null : { instructions: issued, ended };
  }

  /** Where data ends, threads have nothing to do. */
  private isAtEdge(block: number): boolean {
    const [x, y, z] = this.launch.grid;
    return block === 0 || block === x * y * z - 1;
  }

  /** The output of the block. */
  get printed(): EngineResult {
    return this.machine.printed.result;
  }

  private get issued(): number {
    return this.context.warps.reduce((sum, warp) => sum + warp.issued, 0);
  }

  /** True if the block has ended in the default order; null where it fails: whoever runs it from its start finds the fault again. */
  private runEvenly(executor: Executor, most: () => number): boolean | null {
    const { context } = this;
    const { warps } = context;
    let ordered = true;
    try {
      for (let times = 1; ; times *= 2) {
        const share = (): number => times * Math.ceil(most() / warps.length);
        for (;;) {
          const warp = nextWarp(executor, context, share());
          if (warp === null) break;
          executor.run(context, warp, Math.min(AT_A_TIME, share() - warp.issued));
          if (warp.issued >= share()) ordered = false;
        }
        if (context.done || this.issued >= most() || warps.every((warp) => warp.issued < share())) break;
      }
    } catch (error) {
      if (error instanceof KernelFault) return null;
      throw error;
    }
    return ordered && context.done;
  }
}

/** An instruction that may show something that CUDA leaves undefined. */
function mayBeUndefined({ op, space }: Instruction): boolean {
  if (op === "ld" || op === "atom") return space === "shared" || space === "local";
  return op === "bar" || (WARP_PRIMITIVES.has(op) && op !== "activemask");
}
