/**
 * The operations of one GPU's streams, and which are certain to come after others. A stream orders them, and so do events, the
 * rules of the default stream and the host's waits.
 */
import type { Activity } from "../../host/activity.js";
import { hostWaits } from "../../host/streams/device-timeline.js";
import type { EventKey, StreamKey } from "../../host/streams/stream-key.js";

/** For each stream, how many of its operations have ended. */
type Clock = ReadonlyMap<StreamKey, number>;

/** A launch, a copy or a memset. */
export interface StreamOperation {
  readonly stream: StreamKey;
  /** From 1, in its stream. */
  readonly index: number;
  /** The operations that have ended before it begins. */
  readonly after: Clock;
  /** CUDA's words for it, with its stream. */
  readonly name: string;
}

const NOTHING: Clock = new Map();

function joined(...clocks: readonly (Clock | undefined)[]): Clock {
  const [first = NOTHING, ...others] = clocks.filter((clock) => clock !== undefined && clock.size > 0);
  if (others.length === 0) return first;
  const sum = new Map(first);
  for (const other of others) {
    for (const [stream, count] of other ?? NOTHING) sum.set(stream, Math.max(count, sum.get(stream) ?? 0));
  }
  return sum;
}

/** Whether `later` begins when `earlier` has ended, whatever the times. */
export function follows(later: StreamOperation, earlier: StreamOperation): boolean {
  return (later.after.get(earlier.stream) ?? 0) >= earlier.index;
}

export class OperationOrder {
  /** For each stream: all that has ended when its last operation has. */
  readonly #ends: Map<StreamKey, Clock> = new Map();
  readonly #records: Map<EventKey, Clock> = new Map();
  /** All that the host knows to have ended. */
  #host: Clock = NOTHING;

  /** All that has ended before the next operation of the stream begins. */
  #before(stream: StreamKey): Clock {
    const waits: (Clock | undefined)[] = [this.#ends.get(stream), this.#host];
    for (const [other, end] of this.#ends) {
      const kinds = [stream.kind, other.kind];
      if (kinds.includes("legacy") && !kinds.includes("non-blocking")) waits.push(end);
    }
    return joined(...waits);
  }

  /** The stream's next operation. */
  begin(stream: StreamKey, what: string): StreamOperation {
    const after = this.#before(stream);
    const index = (after.get(stream) ?? 0) + 1;
    this.#ends.set(stream, joined(after, new Map([[stream, index]])));
    return { stream, index, after, name: `${what} in ${stream.number === 0 ? "the default stream" : stream.name}` };
  }

  /** Whether the host knows that the operation has ended. */
  known({ stream, index }: StreamOperation): boolean {
    return (this.#host.get(stream) ?? 0) >= index;
  }

  /** Follows events and waits. The operations themselves begin by `begin`, which comes first. */
  note(activity: Activity): void {
    switch (activity.kind) {
      case "copy":
        if (hostWaits(activity)) this.#learn(this.#ends.get(activity.stream));
        return;
      case "event-record": {
        const end = this.#before(activity.stream);
        this.#ends.set(activity.stream, end);
        this.#records.set(activity.event, end);
        return;
      }
      case "stream-wait":
        this.#ends.set(activity.stream, joined(this.#before(activity.stream), this.#records.get(activity.event)));
        return;
      case "query":
        if (activity.ready) this.#learn(this.#endOf(activity.target));
        return;
      case "synchronize":
        if (activity.target !== null) this.#learn(this.#endOf(activity.target));
        else this.#learn(...this.#ends.values());
        return;
      case "free":
      case "reset":
        this.#learn(...this.#ends.values());
        return;
      default:
        return;
    }
  }

  #endOf(target: StreamKey | EventKey): Clock | undefined {
    return "timing" in target ? this.#records.get(target) : this.#ends.get(target);
  }

  #learn(...clocks: readonly (Clock | undefined)[]): void {
    this.#host = joined(this.#host, ...clocks);
  }
}
