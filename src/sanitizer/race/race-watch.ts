/**
 * Finds accesses of two threads to one word of which one writes, and which nothing orders. One run is enough, as a pair that is
 * not ordered is found whatever the schedule did: FastTrack (Flanagan and Freund, PLDI 2009), for GPUs HiRace (Jacobson
 * et al., 2024).
 */
import type { AccessWatch, ChildLaunch, PreparedLaunch, WarpAccess } from "../../engine/engine.js";
import { accessBytes } from "../../engine/faults.js";
import type { Instruction } from "../../lower/program.js";
import { AccessHistory, OTHER_READ, READ, RECORD, VALUE, WRITE } from "./access-history.js";
import { type BlockClock, GridClock, happensBefore, type Moment } from "./grid-clock.js";
import { ReleaseLog } from "./release-log.js";

export type HazardKind = "read-after-write" | "write-after-read" | "write-after-write";

/** One side of a race. */
export interface RaceSide {
  readonly launch: PreparedLaunch;
  readonly instruction: Instruction;
  readonly block: number;
  /** Linear index in the block. */
  readonly thread: number;
  readonly does: "read" | "write" | "atomic";
}

/** All pairs of accesses at two source lines that nothing orders. */
export interface Race extends Counted {
  readonly kind: HazardKind;
  readonly space: "global" | "shared";
  /** In the order of the run. */
  readonly first: RaceSide;
  readonly second: RaceSide;
  /** Byte address of the first pair's word. */
  readonly address: number;
  /** The word before and after the first pair's second access; null for reads. */
  readonly values: readonly [before: number, after: number] | null;
}

interface Counted {
  readonly count: number;
  /** Pairs of writes that left the same value. */
  readonly sameValue: number;
  /** Pairs within one warp, at two instructions. */
  readonly withinWarp: number;
  /** Pairs of two warps. */
  readonly acrossWarps: number;
}

const TID_BITS = 10;
const TID_MASK = (1 << TID_BITS) - 1;

interface Code {
  readonly instruction: Instruction;
  readonly words: number;
  readonly reads: boolean;
  readonly atomic: boolean;
  /** Ordered by the hardware with other such accesses of other warps: atomics, and volatile accesses of global memory. */
  readonly strong: boolean;
}

/** The races of all launches that one sanitizer follows, and the history of their global memory. */
export class Races {
  readonly found: Map<string, Race> = new Map();
  private readonly memories: WeakMap<object, AccessHistory> = new WeakMap();
  private readonly logs: WeakMap<object, Map<number, ReleaseLog>> = new WeakMap();
  /** Numbers of grids in records, from 1. */
  readonly grids: RaceWatch[] = [];

  watch(launch: PreparedLaunch, started: Moment | null = null): RaceWatch {
    return new RaceWatch(this, launch, started);
  }

  history(memory: object): AccessHistory {
    const known = this.memories.get(memory) ?? new AccessHistory();
    this.memories.set(memory, known);
    return known;
  }

  releases(memory: object): Map<number, ReleaseLog> {
    const known = this.logs.get(memory) ?? new Map<number, ReleaseLog>();
    this.logs.set(memory, known);
    return known;
  }

  /** `inOrder`: at two instructions of one warp, which lockstep orders. */
  add(race: Omit<Race, keyof Counted>, sameValue: boolean, sameWarp: boolean, inOrder: boolean): void {
    const { first, second, kind, space } = race;
    // An unrolled loop has the same line many times.
    const line = ({ launch, instruction: { source, span } }: RaceSide): string =>
      `${launch.program.name} ${source} ${span.line}`;
    const key = `${kind} ${space} ${first.does} ${line(first)} ${second.does} ${line(second)}`;
    const known = this.found.get(key);
    // A pair of two warps tells more than one within a warp.
    const shown = known === undefined || (known.acrossWarps === 0 && !sameWarp) ? race : known;
    const { count = 0, sameValue: same = 0, withinWarp: within = 0, acrossWarps: across = 0 } = known ?? {};
    this.found.set(key, {
      ...shown,
      count: count + 1,
      sameValue: same + Number(sameValue),
      withinWarp: within + Number(inOrder),
      acrossWarps: across + Number(!sameWarp),
    });
  }
}

/** The accesses of one grid. */
export class RaceWatch implements AccessWatch {
  readonly clock: GridClock;
  private readonly number: number;
  private readonly code: readonly (Code | null)[];
  private readonly shared: Map<number, AccessHistory> = new Map();
  private readonly spare: AccessHistory[] = [];
  private readonly sharedReleases: Map<number, Map<number, ReleaseLog>> = new Map();
  private readonly memory: AccessHistory;
  private readonly releases: Map<number, ReleaseLog>;

  constructor(
    private readonly races: Races,
    readonly launch: PreparedLaunch,
    started: Moment | null,
  ) {
    const [x, y, z] = launch.block;
    this.clock = new GridClock(x * y * z, started);
    this.number = races.grids.push(this);
    this.memory = races.history(launch.memory);
    this.releases = races.releases(launch.memory);
    this.code = launch.program.instructions.map((instruction): Code | null => {
      const { op, space, volatile = false } = instruction;
      if (op !== "ld" && op !== "st" && op !== "atom") return null;
      const atomic = op === "atom";
      const strong = atomic || (volatile && space === "global");
      return { instruction, words: accessBytes(instruction) / 4, reads: op === "ld", atomic, strong };
    });
  }

  blockStarts(block: number): void {
    this.clock.start(block);
  }

  blockEnds(block: number): void {
    const history = this.shared.get(block);
    if (history !== undefined) {
      history.clear();
      this.spare.push(history);
      this.shared.delete(block);
    }
    this.sharedReleases.delete(block);
  }

  barrier(block: number): void {
    this.clock.block(block).epoch++;
  }

  gridBarrier(): void {
    this.clock.gridBarrier();
  }

  syncwarp(block: number, warp: number, lanes: number): void {
    this.clock.block(block).syncwarp(warp, lanes);
  }

  fence(block: number, warp: number, lanes: number): void {
    this.clock.block(block).fence(warp, lanes);
  }

  childrenEnded(block: number, warp: number, lanes: number): void {
    const clock = this.clock.block(block);
    clock.time++;
    for (let m = lanes; m !== 0; m &= m - 1) {
      clock.waits.push({ thread: warp * 32 + 31 - Math.clz32(m & -m), epoch: clock.epoch, time: clock.time });
    }
  }

  child(launch: PreparedLaunch, { parentBlock, parentThread }: ChildLaunch): AccessWatch {
    const { epoch, time } = this.clock.block(parentBlock);
    return this.races.watch(launch, { grid: this.clock, block: parentBlock, thread: parentThread, epoch, time });
  }

  access({ instruction, block, warp, lanes, addresses, words, start }: WarpAccess): void {
    const code = this.code[instruction.pc];
    if (code === null || code === undefined) return;
    const clock = this.clock.block(block);
    clock.time++;
    const global = instruction.space !== "shared";
    const history = global ? this.memory : this.sharedOf(block);
    for (let m = lanes; m !== 0; m &= m - 1) {
      const lane = 31 - Math.clz32(m & -m);
      const first = addresses[lane]! >>> 2;
      for (let k = 0; k < code.words; k++) {
        const page = history.page(first + k);
        const at = history.offset(first + k);
        if (code.reads) this.read(code, page, at, clock, block, warp * 32 + lane, first + k);
        else this.write(code, page, at, clock, block, warp * 32 + lane, first + k, words[start + first + k]!);
      }
    }
    if (code.strong) this.synchronise(code, clock, block, warp, lanes, addresses, global);
  }

  private sharedOf(block: number): AccessHistory {
    const known = this.shared.get(block) ?? this.spare.pop() ?? new AccessHistory();
    this.shared.set(block, known);
    return known;
  }

  /** An atomic or volatile access: a release of threads that have fenced, and an acquire of all that read. */
  private synchronise(
    { instruction, reads, atomic }: Code,
    clock: BlockClock,
    block: number,
    warp: number,
    lanes: number,
    addresses: Int32Array,
    global: boolean,
  ): void {
    let logs = this.releases;
    if (!global) {
      logs = this.sharedReleases.get(block) ?? new Map<number, ReleaseLog>();
      this.sharedReleases.set(block, logs);
    }
    const acquires = reads || (atomic && instruction.dst.length > 0);
    for (let m = lanes; m !== 0; m &= m - 1) {
      const lane = 31 - Math.clz32(m & -m);
      const thread = warp * 32 + lane;
      const address = addresses[lane]! >>> 0;
      let log = logs.get(address);
      if (acquires && log !== undefined) clock.acquire(thread, log);
      if (reads || clock.fenceOf(thread) < 0) continue;
      if (log === undefined) {
        log = new ReleaseLog();
        logs.set(address, log);
      }
      log.add(this.clock, block, clock.release(thread), clock.acquired);
    }
  }

  /** Whether record `from` of the page is certain to come before what the thread does now. */
  private ordered(page: Int32Array, from: number, clock: BlockClock, block: number, thread: number): boolean {
    if (page[from] === this.number && page[from + 1] === block) {
      const other = page[from + 2]! & TID_MASK;
      if (other === thread || page[from + 3]! < clock.epoch) return true;
      if (other >> 5 === thread >> 5 && clock.knows(thread, other) > page[from + 4]!) return true;
      if (clock.acquired.length === 0) return false;
    }
    const before = this.races.grids[page[from]! - 1]!;
    if (before.clock.started === null && this.clock.started === null && before !== this) return true;
    if (before === this && clock.acquired.length === 0 && clock.epoch === 0) return false;
    return happensBefore(momentOf(before.clock, page, from), {
      grid: this.clock,
      block,
      thread,
      epoch: clock.epoch,
      time: clock.time,
    });
  }

  private record(
    page: Int32Array,
    to: number,
    { instruction }: Code,
    clock: BlockClock,
    block: number,
    thread: number,
  ): void {
    page[to] = this.number;
    page[to + 1] = block;
    page[to + 2] = thread | (instruction.pc << TID_BITS);
    page[to + 3] = clock.epoch;
    page[to + 4] = clock.time;
  }

  private read(
    code: Code,
    page: Int32Array,
    at: number,
    clock: BlockClock,
    block: number,
    thread: number,
    word: number,
  ): void {
    if (page[at + WRITE] !== 0 && !this.ordered(page, at + WRITE, clock, block, thread)) {
      this.tell("read-after-write", page, at + WRITE, code, block, thread, word, null);
    }
    const last = at + READ;
    const other = at + OTHER_READ;
    if (page[last] !== 0 && !this.ordered(page, last, clock, block, thread)) {
      if (page[other] === 0 || this.ordered(page, other, clock, block, thread)) {
        page.copyWithin(other, last, last + RECORD);
      }
    }
    this.record(page, last, code, clock, block, thread);
  }

  private write(
    code: Code,
    page: Int32Array,
    at: number,
    clock: BlockClock,
    block: number,
    thread: number,
    word: number,
    value: number,
  ): void {
    const before = page[at + VALUE]!;
    if (page[at + WRITE] !== 0 && !this.ordered(page, at + WRITE, clock, block, thread)) {
      this.tell("write-after-write", page, at + WRITE, code, block, thread, word, [before, value]);
    }
    for (const read of [at + READ, at + OTHER_READ]) {
      if (page[read] === 0) continue;
      if (!this.ordered(page, read, clock, block, thread)) {
        this.tell("write-after-read", page, read, code, block, thread, word, [before, value]);
      }
      page[read] = 0;
    }
    this.record(page, at + WRITE, code, clock, block, thread);
    page[at + VALUE] = value;
  }

  private tell(
    kind: HazardKind,
    page: Int32Array,
    from: number,
    code: Code,
    block: number,
    thread: number,
    word: number,
    values: Race["values"],
  ): void {
    const { launch, code: codes } = this.races.grids[page[from]! - 1]!;
    const packed = page[from + 2]!;
    const first = codes[packed >>> TID_BITS];
    if (first === null || first === undefined) return;
    const [otherBlock, otherThread] = [page[from + 1]!, packed & TID_MASK];
    const sameGrid = page[from] === this.number;
    const sameWarp = sameGrid && otherBlock === block && otherThread >> 5 === thread >> 5;
    // Hardware keeps atomics apart, and volatile accesses of different warps are meant to meet.
    if (first.strong && code.strong && (!sameWarp || (first.atomic && code.atomic))) return;
    const { instruction } = code;
    this.races.add(
      {
        kind,
        space: instruction.space === "shared" ? "shared" : "global",
        first: { launch, instruction: first.instruction, block: otherBlock, thread: otherThread, does: verb(first) },
        second: { launch: this.launch, instruction, block, thread, does: verb(code) },
        address: word * 4,
        values,
      },
      kind === "write-after-write" && values !== null && values[0] === values[1],
      sameWarp,
      sameWarp && first.instruction.pc !== instruction.pc,
    );
  }
}

function verb({ reads, atomic }: Code): RaceSide["does"] {
  return reads ? "read" : atomic ? "atomic" : "write";
}

function momentOf(grid: GridClock, page: Int32Array, from: number): Moment {
  return {
    grid,
    block: page[from + 1]!,
    thread: page[from + 2]! & TID_MASK,
    epoch: page[from + 3]!,
    time: page[from + 4]!,
  };
}
