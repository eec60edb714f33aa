/** The streams, events and clock of one GPU. Nothing is kept until the program makes the first stream or event. */
import { boolean, checkOptions, optional, string } from "../../base/shape.js";
import { type Activity, note, recordActivities } from "../activity.js";
import { DeviceTimeline, hostWaits } from "./device-timeline.js";
import { type EventOptions, GpuEvent } from "./event.js";
import { Stream, type StreamOptions } from "./stream.js";
import type { StreamKey } from "./stream-key.js";
import type { StreamOwner } from "./stream-owner.js";
import { type StreamTrace, streamTrace } from "./stream-trace.js";

export class GpuStreams {
  readonly #owner: StreamOwner;
  readonly defaultStream: Stream;
  #clock: DeviceTimeline | null = null;
  #streams = 0;
  #events = 0;
  #pageableAsync = 0;

  constructor(owner: StreamOwner) {
    this.#owner = owner;
    this.defaultStream = new Stream(owner, owner.defaultStreamKey);
  }

  /** The GPU's clock, which starts when it is first asked for. */
  get clock(): DeviceTimeline {
    if (this.#clock === null) {
      const clock = new DeviceTimeline(this.#owner.device);
      this.#clock = clock;
      recordActivities(this.#owner, (activity) => this.#record(clock, activity));
    }
    return this.#clock;
  }

  #record(clock: DeviceTimeline, activity: Activity): void {
    clock.add(activity);
    if (activity.kind === "copy" && activity.async && hostWaits(activity)) this.#pageableAsync++;
  }

  stream(options: StreamOptions): Stream {
    checkOptions<StreamOptions>("gpu.stream", options, { nonBlocking: optional(boolean), name: optional(string) });
    void this.clock;
    const number = ++this.#streams;
    const { nonBlocking = false, name = `stream ${number}` } = options;
    const key: StreamKey = Object.freeze({ number, name, kind: nonBlocking ? "non-blocking" : "blocking" });
    note({ kind: "stream-create", owner: this.#owner, stream: key });
    return new Stream(this.#owner, key);
  }

  event(options: EventOptions): GpuEvent {
    checkOptions<EventOptions>("gpu.event", options, { timing: optional(boolean) });
    void this.clock;
    return new GpuEvent(this.#owner, Object.freeze({ number: ++this.#events, timing: options.timing ?? true }));
  }

  trace(): StreamTrace {
    return streamTrace(this.#owner.device, this.clock.operations(), this.#pageableAsync);
  }

  /** Forgets all operations: the next trace begins at 0. Events of before are not recorded any more. */
  restart(): void {
    if (this.#clock === null) return;
    this.#clock = null;
    this.#pageableAsync = 0;
    void this.clock;
  }
}
