/**
 * Finds accesses of two threads to one word of which one writes, and which nothing orders. One run is enough, as a pair that is
 * not ordered is found whatever the schedule did: FastTrack (Flanagan and Freund, PLDI 2009), for GPUs HiRace (Jacobson
 * et al., 2024).
 */
import type { AccessWatch, ChildLaunch, PreparedLaunch, WarpAccess } from "../../engine/engine.js";
import { accessBytes } from "../../engine/faults.js";
import { AccessHistory, OTHER_READ, READ, RECORD, VALUE, WRITE } from "./access-history.js";
import { type BlockClock, GridClock, happensBefore, type Moment, type Start } from "./grid-clock.js";
import type { Code, HazardKind, Race, RaceSide, Races, RacingGrid } from "./races.js";
import { ReleaseLog } from "./release-log.js";

const TID_BITS = 10;
const TID_MASK = (1 << TID_BITS) - 1;

/** The accesses of one grid. */
export class RaceWatch implements AccessWatch, RacingGrid {
  readonly clock: GridClock;
  private readonly number: number;
  readonly code: readonly (Code | null)[];
  private readonly shared: Map<number, AccessHistory> = new Map();
  private readonly spare: AccessHistory[] = [];
  private readonly sharedReleases: Map<number, Map<number, ReleaseLog>> = new Map();
  private readonly memory: AccessHistory;
  private readonly releases: Map<number, ReleaseLog>;
  private readonly starts: WeakMap<ChildLaunch, Start> = new WeakMap();

  constructor(
    private readonly races: Races,
    readonly launch: PreparedLaunch,
    started: Start | null = null,
  ) {
    this.clock = new GridClock(started);
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

  fence(block: number, warp: number, lanes: number, device: boolean): void {
    this.clock.block(block).fence(warp, lanes, device);
  }

  childStarts(request: ChildLaunch): void {
    const { parentBlock, parentThread } = request;
    const clock = this.clock.block(parentBlock);
    clock.time++;
    this.starts.set(request, {
      grid: this.clock,
      block: parentBlock,
      stream: request.stream,
      ...clock.point(parentThread),
    });
  }

  childrenEnded(block: number, warp: number, lanes: number): void {
    const clock = this.clock.block(block);
    clock.time++;
    for (let m = lanes; m !== 0; m &= m - 1) {
      clock.waits.push({ thread: warp * 32 + 31 - Math.clz32(m & -m), epoch: clock.epoch, time: clock.time });
    }
  }

  child(launch: PreparedLaunch, request: ChildLaunch): AccessWatch {
    return new RaceWatch(this.races, launch, this.starts.get(request) ?? null);
  }

  access({ instruction, block, warp, lanes, addresses, words, start, stored }: WarpAccess): void {
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
        const thread = warp * 32 + lane;
        const strong = history.strongWrites(first + k);
        if (strong !== undefined) this.meetStrong(code, strong, clock, block, thread, first + k);
        if (code.reads) this.read(code, page, at, clock, block, thread, first + k);
        else {
          const value = code.atomic ? words[start + first + k]! : stored(lane, k);
          this.write(code, history, page, at, clock, block, thread, first + k, value);
        }
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
      if (reads || !clock.hasFences) continue;
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
    this.remember(page, at + READ, at + OTHER_READ, code, clock, block, thread);
  }

  /** The access becomes the last one. One more stays that it does not follow, best one of another block. */
  private remember(
    page: Int32Array,
    last: number,
    other: number,
    code: Code,
    clock: BlockClock,
    block: number,
    thread: number,
  ): void {
    if (page[last] !== 0 && !this.ordered(page, last, clock, block, thread)) {
      const stays =
        page[other] !== 0 &&
        (page[other + 1] !== block || page[last + 1] === block) &&
        !this.ordered(page, other, clock, block, thread);
      if (!stays) page.copyWithin(other, last, last + RECORD);
    }
    this.record(page, last, code, clock, block, thread);
  }

  /** An access of a word that atomics or volatile stores have written. */
  private meetStrong(
    code: Code,
    strong: Int32Array,
    clock: BlockClock,
    block: number,
    thread: number,
    word: number,
  ): void {
    const kind = code.reads ? "read-after-write" : "write-after-write";
    for (const from of [0, RECORD]) {
      if (strong[from] === 0 || this.ordered(strong, from, clock, block, thread)) continue;
      this.tell(kind, strong, from, code, block, thread, word, null);
    }
  }

  private write(
    code: Code,
    history: AccessHistory,
    page: Int32Array,
    at: number,
    clock: BlockClock,
    block: number,
    thread: number,
    word: number,
    value: number,
  ): void {
    const before = page[at + VALUE]!;
    const first = page[at + WRITE] === 0 && history.strongWrites(word) === undefined;
    if (page[at + WRITE] !== 0 && !this.ordered(page, at + WRITE, clock, block, thread)) {
      this.tell("write-after-write", page, at + WRITE, code, block, thread, word, [before, value]);
    }
    for (const read of [at + READ, at + OTHER_READ]) {
      if (page[read] === 0) continue;
      if (!this.ordered(page, read, clock, block, thread)) {
        this.tell("write-after-read", page, read, code, block, thread, word, [before, value], first);
      }
      if (!code.strong) page[read] = 0;
    }
    page[at + VALUE] = value;
    if (code.strong) {
      const strong = history.strongWrites(word) ?? history.startStrongWrites(word);
      this.remember(strong, 0, RECORD, code, clock, block, thread);
    } else {
      history.endStrongWrites(word);
      this.record(page, at + WRITE, code, clock, block, thread);
    }
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
    unwritten = false,
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
      {
        sameValue: kind === "write-after-write" && values !== null && values[0] === values[1] && !code.atomic,
        sameWarp,
        inOrder: sameWarp && first.instruction.pc !== instruction.pc,
        unwritten,
      },
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
