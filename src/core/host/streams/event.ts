/** Marks in a stream, for times and for order between streams. */

import { InputError } from "../../base/errors.js";
import { checkArgument, orNull } from "../../base/shape.js";
import { note } from "../activity.js";
import type { EventKey } from "./stream-key.js";
import {
  type EventHandle,
  eventShape,
  events,
  type StreamHandle,
  type StreamOwner,
  streamShape,
} from "./stream-owner.js";

export interface EventOptions {
  /** false: cudaEventDisableTiming, for an event that only orders streams. Default true. */
  readonly timing?: boolean;
}

/**
 * cudaEvent_t, made by `gpu.event()`. All times are predicted.
 * @example
 * const start = gpu.event().record(stream);
 * stream.launch(sum, { grid, block }, args);
 * const stop = gpu.event().record(stream);
 * stop.synchronize();
 * console.log(start.elapsedMs(stop));
 */
export class GpuEvent implements EventHandle {
  readonly key: EventKey;
  readonly #owner: StreamOwner;
  #recorded = false;
  #destroyed = false;

  constructor(owner: StreamOwner, key: EventKey) {
    this.#owner = owner;
    this.key = key;
    events.add(this);
    note({ kind: "event-create", owner, event: key });
  }

  get owner(): StreamOwner {
    return this.#owner;
  }

  /** Refuses an event that was destroyed, or is another GPU's. */
  check(call: string, owner: object): void {
    if (this.#destroyed) {
      throw new InputError({
        what: `cudaErrorInvalidResourceHandle: ${call} was given an event that was destroyed.`,
        cure: "Destroy it after its last use, or make another one: gpu.event().",
      });
    }
    if (owner !== this.#owner) {
      throw new InputError({
        what: `cudaErrorInvalidResourceHandle: ${call} was given an event of another GPU.`,
        cure: "Make the event with the GPU whose stream uses it: gpu.event().",
      });
    }
  }

  /** Marks the place behind all work that the stream has got so far (cudaEventRecord); the default stream unless given. */
  record(stream: StreamHandle | null = null): this {
    checkArgument("event.record", "stream", stream, orNull(streamShape));
    this.check("event.record", stream?.owner ?? this.#owner);
    stream?.check("event.record", this.#owner);
    this.#recorded = true;
    const key = stream?.key ?? this.#owner.defaultStreamKey;
    note({ kind: "event-record", owner: this.#owner, event: this.key, stream: key });
    return this;
  }

  get recorded(): boolean {
    return this.#recorded;
  }

  /** Whether the stream has reached the mark by now (cudaEventQuery); true before it is recorded. */
  get done(): boolean {
    this.check("event.done", this.#owner);
    const ready = !this.#recorded || this.#owner.clock.recordedAt(this.key) !== null;
    note({ kind: "query", owner: this.#owner, target: this.key, what: "event", ready });
    return ready;
  }

  /** The host waits until the stream has reached the mark (cudaEventSynchronize). */
  synchronize(): this {
    this.check("event.synchronize", this.#owner);
    const { device } = this.#owner;
    note({ kind: "synchronize", owner: this.#owner, device, what: "event", target: this.key });
    return this;
  }

  /**
   * Milliseconds from this event to `end` (cudaEventElapsedTime), predicted; negative if `end` comes first.
   * @throws InputError for events without timing, never recorded, not reached yet, or of two GPUs.
   */
  elapsedMs(end: GpuEvent): number {
    checkArgument("event.elapsedMs", "end", end, eventShape);
    this.check("event.elapsedMs", this.#owner);
    end.check("event.elapsedMs", this.#owner);
    const both = [this, end] as const;
    if (both.some(({ key }) => !key.timing)) {
      throw new InputError({
        what: "cudaErrorInvalidResourceHandle: event.elapsedMs was given an event without timing.",
        cure: "Make it with gpu.event(), without { timing: false }.",
      });
    }
    if (both.some((event) => !event.recorded)) {
      throw new InputError({
        what: "cudaErrorInvalidResourceHandle: event.elapsedMs was given an event that was never recorded.",
        cure: "Record both in a stream: start.record(stream), the work, stop.record(stream).",
      });
    }
    const [from, to] = both.map(({ key }) => this.#owner.clock.recordedAt(key));
    if (from === null || from === undefined || to === null || to === undefined) {
      throw new InputError({
        what: "cudaErrorNotReady: the GPU has not reached the event yet.",
        cure: "Wait for it first: stop.synchronize() or gpu.synchronize().",
      });
    }
    return (to - from) / 1e3;
  }

  /** cudaEventDestroy. */
  destroy(): void {
    this.check("event.destroy", this.#owner);
    this.#destroyed = true;
  }
}
