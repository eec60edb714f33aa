/**
 * Finds faults that show only under some schedules. They are races, reads of shared memory that nothing has written, and
 * barriers that only a part of the block reaches. The order of barriers and syncwarp() decides, so a lucky schedule hides
 * nothing.
 *
 * Barriers of the block order all that its threads did before and after. Within a warp syncwarp() orders, for the lanes of
 * its mask; a shuffle does not order memory (CUDA C++ Programming Guide, "Warp Shuffle Functions").
 */
import type { Instruction } from "../../../core/lower/program.js";
import { counted, instructionLine } from "../source-line.js";
import { type BlockStep, type BlockWitness, forLanes, type TracedBlock } from "./block-trace.js";

/** One access to a place, and when its thread did it. */
interface Access {
  readonly thread: number;
  /** Barriers that the thread had passed, and calls of syncwarp(). */
  readonly epoch: number;
  readonly tick: number;
  readonly instruction: Instruction;
  readonly atomic: boolean;
}

interface Place {
  written: (Access & { readonly value: string }) | null;
  /** Since it was written, of the last epoch. */
  reads: Access[];
}

const WARP = 32;

/** The vector clock of each lane of a warp: how many syncwarp() calls of each other lane it is ordered after. */
class WarpOrder {
  readonly ticks: Int32Array = new Int32Array(WARP);
  private readonly known = new Int32Array(WARP * WARP);
  private readonly waiting = new Map<number, number>();

  before(lane: number, { thread, tick }: Access): boolean {
    return this.known[lane * WARP + (thread % WARP)]! > tick;
  }

  /** `lanes` come to syncwarp(mask); those of the mask that live meet when all are there. */
  arrive(lanes: number, mask: number, live: number): void {
    const here = (this.waiting.get(mask) ?? 0) | lanes;
    if ((mask & live & ~here) !== 0) {
      this.waiting.set(mask, here);
      return;
    }
    this.waiting.delete(mask);
    const { known, ticks } = this;
    const met = new Int32Array(WARP);
    forLanes(here, (lane) => {
      ticks[lane]! += 1;
      known[lane * WARP + lane] = ticks[lane]!;
      for (let other = 0; other < WARP; other++) met[other] = Math.max(met[other]!, known[lane * WARP + other]!);
    });
    forLanes(here, (lane) => known.set(met, lane * WARP));
  }
}

function existing(threads: number, warp: number): number {
  const lanes = Math.min(WARP, threads - warp * WARP);
  return lanes === WARP ? -1 : ((1 << lanes) - 1) | 0;
}

const countOf = (mask: number): number => {
  let count = 0;
  forLanes(mask, () => count++);
  return count;
};

/** An exchange whose old value nobody takes sets a place as a store does. */
function replaces({ op, atomic, dst }: Instruction): boolean {
  return op === "atom" && atomic === "exch" && dst.length === 0;
}

export class Hazards implements BlockWitness {
  /** A sentence for the first hazard of each kind. */
  readonly found: string[] = [];
  private readonly places = new Map<number, Place>();
  private readonly orders: WarpOrder[] = [];
  private readonly epochs: Int32Array;
  /** Barriers that each warp has come to, by pc. */
  private readonly barriers: number[][] = [];
  private readonly kinds = new Set<string>();
  private wroteOwn = false;

  constructor(private readonly traced: TracedBlock) {
    const { block } = traced.trial.config;
    this.epochs = new Int32Array(block);
    for (let warp = 0; warp * WARP < block; warp++) {
      this.orders.push(new WarpOrder());
      this.barriers.push([]);
    }
  }

  step(step: BlockStep): void {
    const { instruction, lanes } = step;
    if (lanes === 0) return;
    // A barrier of the grid is one of its blocks, too.
    if (instruction.op === "bar" || instruction.op === "gridsync") this.barrier(step);
    else if (instruction.op === "syncwarp") this.syncwarp(step);
    else if (step.words > 0 && instruction.space === "shared") this.access(step, 0);
    else if (step.words > 0 && instruction.space === "global") this.global(step);
  }

  end(): void {
    const { block, trial } = this.traced;
    if (trial.spec.sums === "block" && !this.wroteOwn) {
      this.tell("output", `Block ${block} does not write output[${block}] itself`);
    }
    this.sameBarriers();
  }

  /** Every warp comes to the same barriers. */
  private sameBarriers(): void {
    const [first = []] = this.barriers;
    const other = this.barriers.findIndex((each) => each.join() !== first.join());
    if (other < 0) return;
    const theirs = this.barriers[other] ?? [];
    const at = first.findIndex((pc, index) => pc !== theirs[index]);
    const pc = at < 0 ? theirs[first.length] : first[at];
    const instruction = this.traced.program.instructions[pc ?? 0];
    const [with_, without] = at < 0 ? [other, 0] : [0, other];
    if (instruction !== undefined) {
      this.tell(
        "barrier",
        `${this.line(instruction)}: warp ${with_} comes to this barrier, warp ${without} does not; a barrier is for every thread of the block`,
      );
    }
  }

  private barrier({ warp, lanes, instruction }: BlockStep): void {
    const all = existing(this.traced.trial.config.block, warp);
    this.barriers[warp]?.push(instruction.pc);
    if (lanes !== all) {
      this.tell(
        "barrier",
        `${this.line(instruction)} is reached by ${countOf(lanes)} of the ${countOf(all)} threads of warp ${warp}; a barrier is for every thread of the block`,
      );
    }
    forLanes(lanes, (lane) => {
      this.epochs[warp * WARP + lane]! += 1;
    });
  }

  private syncwarp({ warp, lanes, operand, live }: BlockStep): void {
    const masks = operand(0);
    const byMask = new Map<number, number>();
    forLanes(lanes, (lane) => {
      const mask = Number(masks[lane] ?? 0) | 0;
      byMask.set(mask, (byMask.get(mask) ?? 0) | (1 << lane));
    });
    for (const [mask, group] of byMask) this.orders[warp]?.arrive(group, mask, live());
  }

  private global(step: BlockStep): void {
    const { instruction } = step;
    const { input, output } = this.traced.trial;
    const first = step.addresses[31 - Math.clz32(step.lanes & -step.lanes)] ?? 0;
    if (first >= input.address && first < input.address + input.byteLength) {
      if (instruction.op !== "ld")
        this.tell("input", `${this.line(instruction)} writes to input, which is to be read only`);
      return;
    }
    if (this.traced.trial.spec.sums === "block") this.ownOutput(step, output.address);
    // Shared addresses count from 0: global ones lie above the block's shared memory.
    this.access(step, SHARED_BYTES);
  }

  private ownOutput({ instruction, lanes, addresses }: BlockStep, start: number): void {
    const { block } = this.traced;
    forLanes(lanes, (lane) => {
      const index = ((addresses[lane] ?? 0) - start) / 4;
      if (instruction.op === "ld") return;
      this.wroteOwn ||= index === block;
      if (index === block) return;
      this.tell(
        "output",
        `${this.line(instruction)}: block ${block} writes output[${index}], its sum belongs in output[${block}]`,
      );
    });
  }

  /** Places are keyed by their word; `offset` keeps the spaces apart. */
  private access(step: BlockStep, offset: number): void {
    const { instruction, lanes, addresses, words, warp, operand } = step;
    const { op } = instruction;
    const values =
      op === "st" ? Array.from({ length: words }, (_, word) => operand(1 + (word % (instruction.src.length - 1)))) : [];
    const order = this.orders[warp];
    if (order === undefined) return;
    forLanes(lanes, (lane) => {
      const thread = warp * WARP + lane;
      const own: Access = {
        thread,
        epoch: this.epochs[thread] ?? 0,
        tick: order.ticks[lane] ?? 0,
        instruction,
        atomic: op === "atom",
      };
      for (let word = 0; word < words; word++) {
        const key = offset + (addresses[lane] ?? 0) / 4 + word;
        const place = this.places.get(key) ?? { written: null, reads: [] };
        this.places.set(key, place);
        if (op !== "st" && !replaces(instruction)) this.read(place, own, lane, key, offset > 0);
        if (op !== "ld") this.write(place, own, lane, String(values[word]?.[lane]));
      }
    });
  }

  private read(place: Place, own: Access, lane: number, key: number, global: boolean): void {
    if (place.written === null) {
      // Zeros are there from the beginning.
      if (global && this.traced.trial.spec.outputBegins === "zeros") {
        this.noteRead(place, own);
        return;
      }
      if (global)
        this.tell(
          "output",
          `${this.line(own.instruction)}: thread ${own.thread} reads output before the block has written it; it begins as anything`,
        );
      else
        this.tell(
          "unset",
          `${this.line(own.instruction)}: thread ${own.thread} reads word ${key} of shared memory, which no thread has written`,
        );
    } else if (!this.ordered(place.written, own, lane)) {
      this.race(own, "reads", place.written, "writes");
    }
    this.noteRead(place, own);
  }

  private noteRead(place: Place, own: Access): void {
    const last = place.reads.at(-1);
    if (last !== undefined && last.epoch < own.epoch) place.reads = [];
    place.reads.push(own);
  }

  private write(place: Place, own: Access, lane: number, value: string): void {
    for (const read of place.reads) {
      if (this.ordered(read, own, lane)) continue;
      this.race(own, "writes", read, "reads");
      break;
    }
    const { written } = place;
    if (written !== null && written.value !== value && !this.ordered(written, own, lane)) {
      this.race(own, "writes", written, "writes something else to");
    }
    place.written = { ...own, value };
    place.reads = [];
  }

  /** Whether an access that was seen before `own` comes before it on every schedule. */
  private ordered(earlier: Access, own: Access, lane: number): boolean {
    if (earlier.thread === own.thread || earlier.epoch !== own.epoch) return true;
    if (earlier.atomic && own.atomic) return true;
    const sameWarp = Math.floor(earlier.thread / WARP) === Math.floor(own.thread / WARP);
    return sameWarp && this.orders[Math.floor(own.thread / WARP)]?.before(lane, earlier) === true;
  }

  private race(own: Access, does: string, other: Access, did: string): void {
    const sameWarp = Math.floor(own.thread / WARP) === Math.floor(other.thread / WARP);
    const line = this.line(own.instruction);
    const others = this.line(other.instruction);
    const what = `${line}: thread ${own.thread} ${does} a place that thread ${other.thread} ${did}`;
    const where = others === line ? " in the same line" : ` at ${others}`;
    const missing = sameWarp ? "neither a barrier nor syncwarp()" : "no barrier";
    this.tell("race", `${what}${where}, with ${missing} between the two`);
  }

  private line(instruction: Instruction): string {
    return instructionLine(this.traced.program, instruction);
  }

  private tell(kind: string, sentence: string): void {
    if (this.kinds.has(kind)) return;
    this.kinds.add(kind);
    const { trial, block } = this.traced;
    this.found.push(`${sentence} (block ${block} of ${trial.grid}, ${counted(trial.config.block, "thread")}).`);
  }
}

/** More than any GPU's block has. */
const SHARED_BYTES = 1 << 20;
