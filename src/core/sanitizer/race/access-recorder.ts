/** The accesses of one grid or copy, in the history of the memory that all have. */

import { type AccessHistory, OTHER_READ, READ, RECORD, VALUE, WRITE } from "./access-history.js";
import { type BlockClock, type GridClock, happensBefore, type Moment, relationOf } from "./grid-clock.js";
import { LostUpdates } from "./lost-updates.js";
import type { StreamOperation } from "./operation-order.js";
import { follows } from "./operation-order.js";
import type { Code, HazardKind, Race, RaceSide, Races, RacingGrid } from "./races.js";

export const TID_BITS = 10;
export const TID_MASK: number = (1 << TID_BITS) - 1;

export abstract class AccessRecorder implements RacingGrid {
  protected readonly number: number;
  /** The operation that was compared last, and whether this one follows it. */
  private other: StreamOperation | null = null;
  private followsOther = false;
  private readonly updates: LostUpdates = new LostUpdates();
  /** Bytes of the places that are compared now. */
  protected unit: 1 | 4 = 4;

  constructor(
    protected readonly races: Races,
    readonly clock: GridClock,
  ) {
    this.number = races.grids.push(this);
  }

  abstract codeAt(pc: number): Code | null;
  abstract side(code: Code, block: number, thread: number): RaceSide;

  /** Visits the places of `bytes` bytes from address `start` on: words, and the bytes of words that are touched in part. */
  protected eachPlace(
    history: AccessHistory,
    start: number,
    bytes: number,
    visit: (history: AccessHistory, place: number, byte: number) => void,
  ): void {
    const end = start + bytes;
    for (let word = Math.floor(start / 4); 4 * word < end; word++) {
      const [first, last] = [Math.max(start, 4 * word), Math.min(end, 4 * word + 4)];
      const parts = last - first < 4 ? history.splitWord(word) : history.partsOf(word);
      if (parts === null) visit(history, word, first - start);
      else {
        this.unit = 1;
        for (let byte = first; byte < last; byte++) visit(parts, byte, byte - start);
        this.unit = 4;
      }
    }
  }

  /** Whether record `from` of the page is certain to come before what the thread does now. */
  protected ordered(page: Int32Array, from: number, clock: BlockClock, block: number, thread: number): boolean {
    if (page[from] === this.number && page[from + 1] === block) {
      const other = page[from + 2]! & TID_MASK;
      if (other === thread || page[from + 3]! < clock.epoch) return true;
      if (other >> 5 === thread >> 5 && clock.knows(thread, other) > page[from + 4]!) return true;
      if (clock.acquired.length === 0) return false;
    }
    const before = this.races.grids[page[from]! - 1]!;
    if (before.clock.operation !== this.clock.operation && this.followsOperation(before.clock.operation)) return true;
    if (before === this && clock.acquired.length === 0 && clock.epoch === 0) return false;
    return happensBefore(momentOf(before.clock, page, from), {
      grid: this.clock,
      block,
      thread,
      epoch: clock.epoch,
      time: clock.time,
    });
  }

  /** Most accesses of one operation meet those of one other. */
  private followsOperation(operation: StreamOperation): boolean {
    if (this.other !== operation) {
      this.other = operation;
      this.followsOther = follows(this.clock.operation, operation);
    }
    return this.followsOther;
  }

  private inWarp(page: Int32Array, from: number, block: number, thread: number): boolean {
    const other = page[from + 2]! & TID_MASK;
    return page[from] === this.number && page[from + 1] === block && other >> 5 === thread >> 5;
  }

  /** Hardware keeps atomics apart. Volatile accesses of different warps are meant to meet, and so are those of a wait. */
  private areApart(page: Int32Array, from: number, code: Code, block: number, thread: number): boolean {
    if (!code.strong) return false;
    const first = this.races.grids[page[from]! - 1]!.codeAt(page[from + 2]! >>> TID_BITS);
    if (first?.strong !== true) return false;
    if (first.atomic || code.atomic || first.waits || code.waits) return true;
    return !this.inWarp(page, from, block, thread);
  }

  /** A strong access of a word that volatile loads read: tells of updates that it may lose. */
  protected followUpdates(
    code: Code,
    history: AccessHistory,
    clock: BlockClock,
    block: number,
    thread: number,
    word: number,
    value: number,
  ): void {
    const starts = code.reads && !code.atomic;
    const versions = history.versionsOf(word) ?? (starts ? history.startVersions(word, value) : undefined);
    if (versions === undefined) return;
    const accessing = {
      ...{ code, block, thread, epoch: clock.epoch, value, versions },
      isOrdered: (record: Int32Array) => this.ordered(record, 0, clock, block, thread),
      inWarp: (record: Int32Array) => this.inWarp(record, 0, block, thread),
    };
    if (code.reads) {
      this.updates.read(accessing);
      return;
    }
    const record = new Int32Array(RECORD);
    this.record(record, 0, code, clock, block, thread);
    const lost = this.updates.write(accessing, record);
    if (lost === null || lost.version.record === null) return;
    const [kind, second] =
      lost.read === null ? (["write-after-write", code] as const) : (["read-after-write", lost.read] as const);
    const values = [lost.version.value, value] as const;
    this.tell(kind, lost.version.record, 0, second, block, thread, word, values, { lost: true });
  }

  private record(page: Int32Array, to: number, { pc }: Code, clock: BlockClock, block: number, thread: number): void {
    page[to] = this.number;
    page[to + 1] = block;
    page[to + 2] = thread | (pc << TID_BITS);
    page[to + 3] = clock.epoch;
    page[to + 4] = clock.time;
  }

  protected read(
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
  protected meetStrong(
    code: Code,
    strong: Int32Array,
    clock: BlockClock,
    block: number,
    thread: number,
    word: number,
  ): void {
    const kind = code.reads ? "read-after-write" : "write-after-write";
    for (const from of [0, RECORD]) {
      if (strong[from] === 0 || this.areApart(strong, from, code, block, thread)) continue;
      if (this.ordered(strong, from, clock, block, thread)) continue;
      this.tell(kind, strong, from, code, block, thread, word, null);
    }
  }

  protected write(
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
        this.tell("write-after-read", page, read, code, block, thread, word, [before, value], { unwritten: first });
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
    { unwritten = false, lost = false }: { readonly unwritten?: boolean; readonly lost?: boolean } = {},
  ): void {
    const grid = this.races.grids[page[from]! - 1]!;
    const packed = page[from + 2]!;
    const first = grid.codeAt(packed >>> TID_BITS);
    if (first === null || (!lost && this.areApart(page, from, code, block, thread))) return;
    const [otherBlock, otherThread] = [page[from + 1]!, packed & TID_MASK];
    const sameWarp = this.inWarp(page, from, block, thread);
    const copies = first.instruction === null || code.instruction === null;
    this.races.add(
      {
        kind,
        space: code.space,
        relation: relationOf(grid.clock, this.clock),
        first: grid.side(first, otherBlock, otherThread),
        second: this.side(code, block, thread),
        address: word * this.unit,
        values: copies ? null : values,
      },
      {
        sameValue:
          kind === "write-after-write" && !copies && values !== null && values[0] === values[1] && !code.atomic,
        sameWarp,
        inOrder: sameWarp && first.pc !== code.pc,
        unwritten,
      },
    );
  }
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
