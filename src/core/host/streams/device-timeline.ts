/**
 * A GPU's activities on one clock: when the host's calls come, and when the GPU does what they ask. The host goes on after an
 * asynchronous call, and waits where CUDA lets it wait. All times are predicted, and only made when asked for.
 */
import type { DeviceSpec } from "../../device/index.js";
import type { Activity, CopyActivity } from "../activity.js";
import { copyCost, engineOf, kernelCost, memsetCost } from "./costs.js";
import type { OperationCost, TracedOperation } from "./operation.js";
import { streamRules } from "./rules.js";
import { type Scheduled, StreamScheduler } from "./scheduler.js";
import type { EventKey, StreamKey } from "./stream-key.js";

/** Begin and end of an activity on the GPU, in microseconds. */
export interface ActivityTimes {
  readonly start: number;
  readonly end: number;
}

/** cudaMemcpy waits for its end, but within the GPU's memory. So does cudaMemcpyAsync with pageable memory of the host. */
export function hostWaits({ way, host, async }: Pick<CopyActivity, "way" | "host" | "async">): boolean {
  return way !== "DtoD" && (!async || host === "pageable");
}

interface Work {
  readonly activity: Activity;
  readonly scheduled: Scheduled;
}

export class DeviceTimeline {
  readonly #device: DeviceSpec;
  readonly #scheduler: StreamScheduler;
  readonly #records: Map<EventKey, Scheduled> = new Map();
  #waiting: Activity[] = [];
  readonly #work: Work[] = [];
  #host = 0;
  /** The last call's time of the host, which passes before the next call that asks the GPU for work. */
  #call = 0;

  constructor(device: DeviceSpec) {
    this.#device = device;
    this.#scheduler = new StreamScheduler(streamRules(device));
  }

  /** Takes an activity, whose times are made later. */
  add(activity: Activity): void {
    this.#waiting.push(activity);
  }

  /** The host's time after all of its calls. */
  get hostMicroseconds(): number {
    this.#settle();
    return this.#host + this.#call;
  }

  /** When an event's last record was reached; null where it has not been by now. */
  recordedAt(event: EventKey): number | null {
    this.#settle();
    this.#scheduler.advance(this.#host + this.#call);
    return this.#records.get(event)?.end ?? null;
  }

  /** Whether all of a stream's work has ended by now. */
  isIdle(stream: StreamKey): boolean {
    this.#settle();
    this.#scheduler.advance(this.#host + this.#call);
    const last = this.#scheduler.last(stream);
    return last === null || last.end !== null;
  }

  /** All work so far, each run to its end. */
  operations(): readonly TracedOperation[] {
    return this.#done()
      .map(({ activity, scheduled }) => this.#traced(activity, scheduled))
      .filter((each) => each !== null);
  }

  /** Times by activity. */
  times(): ReadonlyMap<Activity, ActivityTimes> {
    return new Map(
      this.#done().map(({ activity, scheduled: { start, end } }) => [activity, { start: start ?? 0, end: end ?? 0 }]),
    );
  }

  /** Follows a copy of the schedule to its end, so that the program's own clock stays where it is. */
  #done(): readonly Work[] {
    this.#settle();
    this.#scheduler.advance(this.#host + this.#call);
    if (this.#work.every(({ scheduled }) => scheduled.end !== null)) return this.#work;
    const ends = this.#scheduler.outlook();
    return this.#work.map(({ activity, scheduled }) => ({ activity, scheduled: ends.get(scheduled) ?? scheduled }));
  }

  #settle(): void {
    const list = this.#waiting;
    this.#waiting = [];
    for (const activity of list) this.#take(activity);
  }

  #take(activity: Activity): void {
    const { launch, transfers } = this.#device;
    switch (activity.kind) {
      case "launch":
        this.#hand(activity, activity.stream, "SMs", () => kernelCost(activity.launch), launch.backToBackMicroseconds);
        return;
      case "copy": {
        const cost = (): OperationCost => copyCost(this.#device, activity);
        const copy = this.#hand(activity, activity.stream, engineOf(activity), cost, transfers.copyCallMicroseconds);
        if (hostWaits(activity)) this.#wait(copy);
        return;
      }
      case "memset":
        this.#hand(
          activity,
          activity.stream,
          "SMs",
          () => memsetCost(this.#device, activity),
          transfers.copyCallMicroseconds,
        );
        return;
      case "event-record":
        // An event goes to the GPU with the call before it.
        this.#records.set(activity.event, this.#scheduler.enqueue(activity.stream, null, this.#host, null));
        return;
      case "stream-wait": {
        const record = this.#records.get(activity.event);
        this.#scheduler.enqueue(activity.stream, null, this.#host, null, record === undefined ? [] : [record]);
        return;
      }
      case "synchronize":
        this.#synchronize(activity);
        return;
      case "free":
      case "reset":
        this.#wait(null);
        return;
      case "malloc":
      case "host-alloc":
        if (transfers.allocationsWait) this.#scheduler.barrier();
        return;
      default:
        return;
    }
  }

  #hand(
    activity: Activity,
    stream: StreamKey,
    engine: "SMs" | "HtoD" | "DtoH",
    cost: () => OperationCost,
    callMicroseconds: number,
  ): Scheduled {
    this.#host += this.#call;
    this.#call = callMicroseconds;
    const scheduled = this.#scheduler.enqueue(stream, engine, this.#host, cost);
    this.#work.push({ activity, scheduled });
    return scheduled;
  }

  /** The host waits for an operation, or for all. */
  #wait(operation: Scheduled | null): void {
    const returned = this.#host + this.#call;
    const end = operation === null ? this.#scheduler.drain() : this.#scheduler.finish(operation);
    this.#host = Math.max(returned, end);
    this.#call = 0;
  }

  #synchronize({ what, target }: Activity & { readonly kind: "synchronize" }): void {
    if (what === "device" || target === null) {
      this.#wait(null);
      return;
    }
    const last = what === "event" ? this.#records.get(target as EventKey) : this.#scheduler.last(target as StreamKey);
    if (last !== undefined && last !== null) this.#wait(last);
  }

  #traced(activity: Activity, { stream, start, end, issued, cost }: Scheduled): TracedOperation | null {
    const times = {
      stream,
      startMicroseconds: start ?? 0,
      endMicroseconds: end ?? 0,
      aloneMicroseconds: (cost?.phases ?? []).reduce((sum, { microseconds }) => sum + microseconds, 0),
      issuedMicroseconds: issued,
    };
    switch (activity.kind) {
      case "launch": {
        const { launch } = activity;
        return { kind: "kernel", name: launch.kernel, engine: "SMs", ...times, bytes: null, host: null, launch };
      }
      case "copy": {
        const { way, bytes, host } = activity;
        return {
          kind: way,
          name: `[CUDA memcpy ${way}]`,
          engine: engineOf(activity),
          ...times,
          bytes,
          host,
          launch: null,
        };
      }
      case "memset": {
        const { bytes } = activity;
        return { kind: "memset", name: "[CUDA memset]", engine: "SMs", ...times, bytes, host: null, launch: null };
      }
      default:
        return null;
    }
  }
}

/** The times of recorded activities, each GPU on its own clock. */
export function activityTimes(activities: readonly Activity[]): ReadonlyMap<Activity, ActivityTimes> {
  const timelines = new Map<object, DeviceTimeline>();
  const devices = new Map(
    activities.flatMap((each) => {
      const device = each.kind === "launch" ? each.launch.device : "device" in each ? each.device : null;
      return device === null ? [] : [[each.owner, device] as const];
    }),
  );
  for (const activity of activities) {
    const device = devices.get(activity.owner);
    if (device === undefined) continue;
    const known = timelines.get(activity.owner) ?? new DeviceTimeline(device);
    timelines.set(activity.owner, known);
    known.add(activity);
  }
  return new Map([...timelines.values()].flatMap((each) => [...each.times()]));
}
