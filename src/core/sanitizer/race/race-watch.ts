/**
 * Finds accesses of two threads to one word of which one writes, and which nothing orders. One run is enough, as a pair that is
 * not ordered is found whatever the schedule did: FastTrack (Flanagan and Freund, PLDI 2009), for GPUs HiRace (Jacobson
 * et al., 2024).
 */
import type { AccessWatch, ChildLaunch, PreparedLaunch, WarpAccess } from "../../engine/engine.js";
import { accessBytes } from "../../engine/faults.js";
import { AccessHistory } from "./access-history.js";
import { AccessRecorder } from "./access-recorder.js";
import { updatesOf, waitsOf } from "./code-patterns.js";
import { type BlockClock, GridClock, type Start } from "./grid-clock.js";
import type { StreamOperation } from "./operation-order.js";
import type { Code, RaceSide, Races } from "./races.js";
import { ReleaseLog } from "./release-log.js";

/** The launch of a grid: the memory's owner, the operation of its stream, and where a grid started it. */
export interface WatchedGrid {
  readonly launch: PreparedLaunch;
  readonly owner: object;
  readonly operation: StreamOperation;
  readonly started: Start | null;
}

/** The accesses of one grid. */
export class RaceWatch extends AccessRecorder implements AccessWatch {
  private readonly code: readonly (Code | null)[];
  private readonly shared: Map<number, AccessHistory> = new Map();
  private readonly spare: AccessHistory[] = [];
  private readonly sharedReleases: Map<number, Map<number, ReleaseLog>> = new Map();
  private readonly memory: AccessHistory;
  private readonly releases: Map<number, ReleaseLog>;
  private readonly starts: WeakMap<ChildLaunch, Start> = new WeakMap();

  constructor(
    races: Races,
    private readonly grid: WatchedGrid,
  ) {
    super(races, new GridClock(grid.started, grid.operation));
    const { launch, owner } = grid;
    this.memory = races.history(owner);
    this.releases = races.releases(owner);
    const waits = waitsOf(launch.program);
    const updates = updatesOf(launch.program);
    this.code = launch.program.instructions.map((instruction): Code | null => {
      const { op, space, volatile = false } = instruction;
      if (op !== "ld" && op !== "st" && op !== "atom") return null;
      const atomic = op === "atom";
      const strong = atomic || (volatile && (space === "global" || waits.isFlag(instruction)));
      const inSpace = space === "shared" ? "shared" : "global";
      const how = {
        bytes: accessBytes(instruction),
        reads: op === "ld",
        atomic,
        strong,
        waits: waits.loads.has(instruction.pc),
      };
      const update = updates.get(instruction.pc) ?? null;
      return { instruction, pc: instruction.pc, space: inSpace, ...how, update };
    });
  }

  codeAt(pc: number): Code | null {
    return this.code[pc] ?? null;
  }

  side(code: Code, block: number, thread: number): RaceSide {
    const { launch, operation } = this.grid;
    if (code.instruction === null) throw new Error("an access of a kernel without its instruction");
    return { launch, instruction: code.instruction, block, thread, does: verb(code), update: code.update, operation };
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
      clock.waits.push(clock.point(warp * 32 + 31 - Math.clz32(m & -m)));
    }
  }

  child(launch: PreparedLaunch, request: ChildLaunch): AccessWatch {
    return new RaceWatch(this.races, { ...this.grid, launch, started: this.starts.get(request) ?? null });
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
      const thread = warp * 32 + lane;
      const held = code.reads || code.atomic;
      if (code.bytes < 4 || history.hasParts) {
        const address = addresses[lane]! >>> 0;
        this.eachPlace(history, address, code.bytes, (part, place, byte) => {
          const word = held ? words[start + ((address + byte) >>> 2)]! : stored(lane, byte >>> 2);
          const value = part.unit === 4 ? word : (word >>> (8 * ((held ? address + byte : byte) & 3))) & 0xff;
          this.meet(code, part, place, clock, block, thread, value);
        });
        continue;
      }
      for (let k = 0; k < code.bytes >>> 2; k++) {
        const value = held ? words[start + first + k]! : stored(lane, k);
        this.meet(code, history, first + k, clock, block, thread, value);
      }
    }
    if (code.strong) this.synchronise(code, clock, block, warp, lanes, addresses, global);
  }

  /** `value`: what stands in the place after the access. */
  private meet(
    code: Code,
    history: AccessHistory,
    place: number,
    clock: BlockClock,
    block: number,
    thread: number,
    value: number,
  ): void {
    const page = history.page(place);
    const at = history.offset(place);
    const strong = history.strongWrites(place);
    if (strong !== undefined) this.meetStrong(code, strong, clock, block, thread, place);
    if (code.strong) this.followUpdates(code, history, clock, block, thread, place, value);
    if (code.reads) this.read(code, page, at, clock, block, thread, place);
    else this.write(code, history, page, at, clock, block, thread, place, value);
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
    const acquires = reads || (atomic && (instruction?.dst.length ?? 0) > 0);
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
}

function verb({ reads, atomic }: Code): RaceSide["does"] {
  return reads ? "read" : atomic ? "atomic" : "write";
}
