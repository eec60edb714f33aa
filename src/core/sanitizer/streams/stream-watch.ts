/**
 * Operations of streams as racing grids: a copy or memset that nothing orders with a launch or another copy of the same bytes. Followed
 * from the first stream on that a GPU has beside its default one.
 */
import type { Activity, CopyActivity, MemsetActivity } from "../../host/activity.js";
import type { StreamKey } from "../../host/streams/stream-key.js";
import type { AccessHistory } from "../race/access-history.js";
import { AccessRecorder } from "../race/access-recorder.js";
import { type BlockClock, GridClock } from "../race/grid-clock.js";
import { OperationOrder, type StreamOperation } from "../race/operation-order.js";
import type { Code, CopySide, Race, Races } from "../race/races.js";
import { HostChanges } from "./host-changes.js";

interface Bytes {
  readonly address: number;
  readonly bytes: number;
}

function partOf(space: Race["space"], reads: boolean): Code {
  return {
    instruction: null,
    pc: Number(reads),
    space,
    bytes: 4,
    reads,
    atomic: false,
    strong: false,
    waits: false,
    update: null,
  };
}

/** One copy or memset: a grid of one thread, which reads its source and writes its target. */
class CopyAccesses extends AccessRecorder {
  readonly #block: BlockClock;
  readonly #parts: Code[] = [];

  constructor(
    races: Races,
    private readonly operation: StreamOperation,
  ) {
    super(races, new GridClock(null, operation));
    this.#block = this.clock.start(0);
  }

  codeAt(pc: number): Code | null {
    return this.#parts.find((part) => part.pc === pc) ?? null;
  }

  side(code: Code): CopySide {
    return { launch: null, does: code.reads ? "read" : "write", operation: this.operation };
  }

  #part(space: Race["space"], reads: boolean): Code {
    const part = partOf(space, reads);
    this.#parts.push(part);
    this.#block.time++;
    return part;
  }

  reads(space: Race["space"], history: AccessHistory, { address, bytes }: Bytes): void {
    const part = this.#part(space, true);
    this.eachPlace(history, address, bytes, (own, place) => {
      const strong = own.strongWrites(place);
      if (strong !== undefined) this.meetStrong(part, strong, this.#block, 0, 0, place);
      this.read(part, own.page(place), own.offset(place), this.#block, 0, 0, place);
    });
  }

  writes(space: Race["space"], history: AccessHistory, { address, bytes }: Bytes): void {
    const part = this.#part(space, false);
    this.eachPlace(history, address, bytes, (own, place) => {
      const strong = own.strongWrites(place);
      if (strong !== undefined) this.meetStrong(part, strong, this.#block, 0, 0, place);
      this.write(part, own, own.page(place), own.offset(place), this.#block, 0, 0, place, 0);
    });
  }
}

/** The streams of one GPU. */
class WatchedStreams {
  readonly order: OperationOrder = new OperationOrder();
  /** The GPU has a stream beside its default one. */
  several = false;
  readonly hostChanges: HostChanges = new HostChanges();
}

export class StreamWatch {
  readonly #gpus: Map<object, WatchedStreams> = new Map();

  constructor(private readonly races: Races) {}

  #of(owner: object): WatchedStreams {
    const known = this.#gpus.get(owner) ?? new WatchedStreams();
    this.#gpus.set(owner, known);
    return known;
  }

  /** A launch begins. */
  launch(owner: object, stream: StreamKey, kernel: string): StreamOperation {
    const gpu = this.#of(owner);
    gpu.several ||= stream.number !== 0;
    return gpu.order.begin(stream, `kernel ${kernel}`);
  }

  note(activity: Activity): void {
    if (activity.kind === "launch" || activity.kind === "use-after-free") return;
    const gpu = this.#of(activity.owner);
    if (activity.kind === "stream-create") gpu.several = true;
    if (activity.kind === "copy") this.#copy(gpu, activity);
    if (activity.kind === "memset") this.#memset(gpu, activity);
    gpu.order.note(activity);
    gpu.hostChanges.check(gpu.order);
  }

  /** Page-locked memory of the host that was changed before a copy from it had ended for certain. */
  get changed(): readonly StreamOperation[] {
    return [...this.#gpus.values()].flatMap(({ hostChanges }) => hostChanges.finish());
  }

  #copy(gpu: WatchedStreams, activity: CopyActivity): void {
    const { owner, stream, way, async, address, bytes, from, rows, pinned } = activity;
    const call = rows === null ? "cudaMemcpy" : "cudaMemcpy2D";
    const operation = gpu.order.begin(stream, `${call}${async ? "Async" : ""} ${way}`);
    gpu.several ||= stream.number !== 0;
    if (!gpu.several) return;
    const copy = new CopyAccesses(this.races, operation);
    const memory = this.races.history(owner);
    const { count, pitchBytes } = rows ?? { count: 1, pitchBytes: bytes };
    const device = Array.from({ length: count }, (_, row) => ({
      address: address + row * pitchBytes,
      bytes: bytes / count,
    }));
    const host = pinned === null ? null : { address: pinned.offset, bytes: Math.min(bytes, pinned.bytes) };
    if (way === "DtoH") for (const part of device) copy.reads("global", memory, part);
    if (from !== null) copy.reads("global", memory, { address: from, bytes });
    if (way === "HtoD" && pinned !== null && host !== null) {
      copy.reads("host", this.races.history(pinned.memory), host);
      if (async) gpu.hostChanges.keep(operation, { ...pinned, bytes: Math.min(bytes, pinned.bytes) });
    }
    if (way !== "DtoH") for (const part of device) copy.writes("global", memory, part);
    if (way === "DtoH" && pinned !== null && host !== null) {
      gpu.hostChanges.written(pinned);
      copy.writes("host", this.races.history(pinned.memory), host);
    }
  }

  #memset(gpu: WatchedStreams, { owner, stream, async, address, bytes }: MemsetActivity): void {
    const operation = gpu.order.begin(stream, async ? "cudaMemsetAsync" : "cudaMemset");
    gpu.several ||= stream.number !== 0;
    if (!gpu.several) return;
    new CopyAccesses(this.races, operation).writes("global", this.races.history(owner), { address, bytes });
  }
}
