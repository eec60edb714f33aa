/** The streams and events that a program has asked for: one table of handles, and the calls that both have. */
import type { Gpu } from "../host/gpu.js";
import { GpuEvent } from "../host/streams/event.js";
import { Stream } from "../host/streams/stream.js";
import type { StreamKey } from "../host/streams/stream-key.js";
import type { HostMemory } from "./host-memory.js";
import type { Problems } from "./problems.js";

/** A function of the runtime: its number is the call's result. */
export type Import = (...given: number[]) => unknown;

/** Handles below are those of CUDA's own streams. */
const FIRST_HANDLE = 16;
const NON_BLOCKING = 1;
const WITHOUT_TIMING = 2;
const INVALID = "cudaErrorInvalidResourceHandle";
const NOT_READY = "cudaErrorNotReady";

export interface HandleParts {
  readonly gpu: Gpu;
  readonly host: HostMemory;
  readonly problems: Problems;
  /** The host waits, by the work that is given. */
  wait(work: () => void): number;
}

export class Handles {
  readonly #parts: HandleParts;
  readonly #all: Map<number, Stream | GpuEvent> = new Map();
  /** Streams and events that were asked for and not at their end. */
  readonly #asked: Set<object> = new Set();
  #next = FIRST_HANDLE;

  constructor(parts: HandleParts) {
    this.#parts = parts;
  }

  #made(at: number, value: Stream | GpuEvent): number {
    this.#all.set(this.#next, value);
    this.#parts.host.setU32(at, this.#next++);
    return 0;
  }

  #stream(handle: number): Stream | null {
    const found = handle < FIRST_HANDLE ? this.#parts.gpu.defaultStream : this.#all.get(handle);
    return found instanceof Stream ? found : null;
  }

  #event(handle: number): GpuEvent | null {
    const found = this.#all.get(handle);
    return found instanceof GpuEvent ? found : null;
  }

  /** The stream of a launch or a copy; null for what is no stream. */
  streamKey(handle: number): StreamKey | null {
    return this.#stream(handle)?.key ?? null;
  }

  /** A call with what its handles name; one that names nothing is refused. */
  #with<T, U = true>(found: T | null, other: U | null, call: (found: T, other: U) => void): number {
    return this.#parts.problems.tried(() => {
      if (found === null || other === null) return INVALID;
      call(found, other);
      return null;
    });
  }

  /** A host that asks again and again has waited by its second question: its questions alone take no time of the GPU's clock. */
  #polled(what: Stream | GpuEvent, isReady: () => boolean): number {
    const { problems, wait } = this.#parts;
    if (this.#asked.delete(what)) wait(() => what.synchronize());
    if (isReady()) return problems.code(null);
    this.#asked.add(what);
    return problems.code(NOT_READY);
  }

  /** What streams and events are asked alike. */
  #shared<T extends Stream | GpuEvent>(
    kind: "Stream" | "Event",
    find: (handle: number) => T | null,
    isReady: (found: T) => boolean,
  ): Record<string, Import> {
    const { problems, wait } = this.#parts;
    return {
      [`cuda${kind}Destroy`]: (handle = 0) =>
        this.#with(find(handle), true, (found) => {
          found.destroy();
          this.#all.delete(handle);
        }),
      [`cuda${kind}Synchronize`]: (handle = 0) => {
        const found = find(handle);
        return found === null ? problems.code(INVALID) : wait(() => found.synchronize());
      },
      [`cuda${kind}Query`]: (handle = 0) => {
        const found = find(handle);
        return found === null ? problems.code(INVALID) : this.#polled(found, () => isReady(found));
      },
    };
  }

  imports(): Record<string, Import> {
    const { gpu, host } = this.#parts;
    const stream = (handle: number): Stream | null => this.#stream(handle);
    const event = (handle: number): GpuEvent | null => this.#event(handle);
    return {
      ...this.#shared("Stream", stream, (found) => found.idle),
      ...this.#shared("Event", event, (found) => found.done),
      cudaStreamCreateWithFlags: (at = 0, flags = 0) =>
        this.#made(at, gpu.stream({ nonBlocking: flags === NON_BLOCKING })),
      cudaEventCreateWithFlags: (at = 0, flags = 0) =>
        this.#made(at, gpu.event({ timing: (flags & WITHOUT_TIMING) === 0 })),
      cudaStreamWaitEvent: (handle = 0, other = 0) =>
        this.#with(stream(handle), event(other), (waiting, found) => {
          waiting.wait(found);
        }),
      cudaEventRecord: (handle = 0, other = 0) =>
        this.#with(event(handle), stream(other), (found, recorded) => {
          found.record(recorded);
        }),
      cudaEventElapsedTime: (at = 0, start = 0, end = 0) =>
        this.#with(event(start), event(end), (first, last) => {
          host.view.setFloat32(at, first.elapsedMs(last), true);
        }),
    };
  }
}
