/**
 * When operations of streams begin and end. An operation waits for the one before it in its stream, for events, and by the
 * rules of the default stream. Then it waits for its engine: a copy engine does one copy at a time, kernels share the SMs.
 * Kernels that run at one time also share bandwidth and issue slots. Times are predicted, in microseconds.
 */

import type { Demands, Engine, OperationCost } from "./operation.js";
import { residentGrids, type StreamRules } from "./rules.js";
import type { StreamKey } from "./stream-key.js";

/** Below this, times are the same. */
const EPSILON = 1e-7;

/** One operation in the scheduler; null engine: an event, or a wait for one. */
export interface Scheduled {
  readonly number: number;
  readonly stream: StreamKey;
  readonly engine: Engine | null;
  readonly issued: number;
  /** Null until known. */
  readonly start: number | null;
  readonly end: number | null;
  readonly cost: OperationCost | null;
}

const NO_COST: OperationCost = { leadMicroseconds: 0, phases: [], demands: { dram: 0, l2: 0, issue: 0 } };

class Operation implements Scheduled {
  start: number | null = null;
  end: number | null = null;
  /** All that it waits for has ended. */
  ready: number | null = null;
  phase = 0;
  /** Microseconds of the phase that are left, at full speed. */
  left = 0;
  rate = 0;
  /** Every block has a place. */
  dispatched = false;
  #cost: OperationCost | null = null;

  constructor(
    readonly number: number,
    readonly stream: StreamKey,
    readonly engine: Engine | null,
    readonly issued: number,
    readonly after: readonly Operation[],
    /** Kernels whose blocks must all have begun (before Hyper-Q). */
    readonly begun: readonly Operation[],
    private readonly makeCost: (() => OperationCost) | null,
  ) {}

  get cost(): OperationCost | null {
    if (this.#cost === null && this.makeCost !== null) this.#cost = this.makeCost();
    return this.#cost;
  }

  copy(after: readonly Operation[], begun: readonly Operation[]): Operation {
    const { number, stream, engine, issued } = this;
    const copy = new Operation(
      number,
      stream,
      engine,
      issued,
      after,
      begun,
      this.makeCost === null ? null : () => this.cost ?? NO_COST,
    );
    const { start, end, ready, phase, left, rate, dispatched } = this;
    return Object.assign(copy, { start, end, ready, phase, left, rate, dispatched });
  }

  get lead(): number {
    return this.cost?.leadMicroseconds ?? 0;
  }

  get share(): number {
    return this.cost?.phases[this.phase]?.share ?? 0;
  }
}

export class StreamScheduler {
  #now = 0;
  #count = 0;
  /** Not ended, in the order of their calls. */
  #pending: Operation[] = [];
  readonly #tails: Map<StreamKey, Operation> = new Map();
  #legacyTail: Operation | null = null;
  /** Everything after this waits for it: an allocation that no two operations run across. */
  #barrier: readonly Operation[] = [];
  /** Before Hyper-Q: later kernels wait for these. */
  #checked: Operation[] = [];

  constructor(private readonly rules: StreamRules) {}

  get now(): number {
    return this.#now;
  }

  /** Hands over an operation at a time of the host, not before an earlier one's. */
  enqueue(
    stream: StreamKey,
    engine: Engine | null,
    time: number,
    cost: (() => OperationCost) | null,
    after: readonly Scheduled[] = [],
  ): Scheduled {
    this.advance(time);
    const waits = [...this.#before(stream), ...(after as readonly Operation[])];
    const begun: Operation[] = [];
    const previous = this.#tails.get(stream);
    if (this.rules.checksLaunches && previous?.engine === "SMs" && previous.end === null) {
      begun.push(...this.#pending.filter((each) => each.engine === "SMs"));
      this.#checked.push(previous);
    }
    if (this.rules.checksLaunches && engine === "SMs") {
      this.#checked = this.#checked.filter(({ end }) => end === null);
      waits.push(...this.#checked);
    }
    const operation = new Operation(++this.#count, stream, engine, time, [...new Set(waits)], begun, cost);
    this.#pending.push(operation);
    this.#tails.set(stream, operation);
    if (stream.kind === "legacy") this.#legacyTail = operation;
    this.#settle();
    return operation;
  }

  /** The operations that one waits for by its stream's order and the default stream's rules. */
  #before(stream: StreamKey): Operation[] {
    const waits: Operation[] = [...this.#barrier];
    const add = (operation: Operation | null | undefined): void => {
      if (operation !== null && operation !== undefined && operation.end === null) waits.push(operation);
    };
    if (stream.kind === "legacy") {
      for (const [key, tail] of this.#tails) if (key.kind !== "non-blocking") add(tail);
    } else {
      add(this.#tails.get(stream));
      if (stream.kind === "blocking") add(this.#legacyTail);
    }
    return waits;
  }

  /** No operation handed over from now on runs beside one handed over before. */
  barrier(): void {
    this.#barrier = [...this.#pending];
  }

  /** Lets time pass until `time`. */
  advance(time: number): void {
    while (this.#now < time - EPSILON) if (!this.#step(time)) break;
    this.#now = Math.max(this.#now, time);
    this.#settle();
  }

  /** Lets time pass until the operation has ended, and gives that time. */
  finish(operation: Scheduled): number {
    while (operation.end === null && this.#step(Number.POSITIVE_INFINITY));
    return operation.end ?? this.#now;
  }

  /** The last operation of a stream; null for a stream that has had none. */
  last(stream: StreamKey): Scheduled | null {
    return this.#tails.get(stream) ?? null;
  }

  /** Lets time pass until everything has ended, and gives that time. */
  drain(): number {
    while (this.#pending.length > 0 && this.#step(Number.POSITIVE_INFINITY));
    return this.#now;
  }

  /** The operations that have not ended, as they will be if nothing else is handed over. This scheduler stays as it is. */
  outlook(): ReadonlyMap<Scheduled, Scheduled> {
    const copy = new StreamScheduler(this.rules);
    const copies = new Map<Operation, Operation>();
    const copied = (list: readonly Operation[]): Operation[] => list.map((each) => copies.get(each) ?? each);
    for (const each of this.#pending) copies.set(each, each.copy(copied(each.after), copied(each.begun)));
    copy.#now = this.#now;
    copy.#pending = [...copies.values()];
    copy.drain();
    return copies;
  }

  /** Goes to the next time at which something begins or ends, at most to `limit`; false where nothing will. */
  #step(limit: number): boolean {
    this.#settle();
    let next = limit;
    for (const each of this.#pending) {
      if (each.start !== null) {
        if (each.rate > 0) next = Math.min(next, this.#now + each.left / each.rate);
      } else if (each.ready !== null && each.ready + each.lead > this.#now + EPSILON) {
        next = Math.min(next, each.ready + each.lead);
      }
    }
    if (next === Number.POSITIVE_INFINITY) return false;
    const passed = next - this.#now;
    this.#now = next;
    for (const each of this.#pending) if (each.start !== null) this.#progress(each, passed);
    this.#settle();
    return true;
  }

  #progress(operation: Operation, passed: number): void {
    operation.left -= passed * operation.rate;
    const phases = operation.cost?.phases ?? [];
    while (operation.left <= EPSILON) {
      operation.phase++;
      const phase = phases[operation.phase];
      if (phase === undefined) {
        operation.end = this.#now;
        return;
      }
      operation.left += phase.microseconds;
    }
  }

  /** Ends, readies and starts what can at this time, and sets the speeds. */
  #settle(): void {
    for (let changed = true; changed; ) {
      changed = false;
      this.#pending = this.#pending.filter(({ end }) => end === null);
      for (const each of this.#pending) {
        if (each.ready === null && this.#isReady(each)) {
          each.ready = Math.max(each.issued, this.#now);
          changed = true;
        }
        if (each.engine === null && each.ready !== null && each.ready <= this.#now + EPSILON) {
          each.start = each.ready;
          each.end = each.ready;
          changed = true;
        }
      }
      if (!changed) changed = this.#startOne();
    }
    this.#setRates();
  }

  #isReady({ after, begun }: Operation): boolean {
    return after.every(({ end }) => end !== null) && begun.every(({ end, dispatched }) => end !== null || dispatched);
  }

  /** Starts the first operation, in the order of the calls, that its engine takes. */
  #startOne(): boolean {
    const held = new Set<string>();
    for (const each of this.#pending) {
      const { engine } = each;
      if (engine === null || each.start !== null) continue;
      const queue = engine === "SMs" ? engine : this.rules.copyQueue(engine);
      const due = each.ready !== null && each.ready + each.lead <= this.#now + EPSILON;
      if (due && !held.has(queue) && this.#takes(engine)) {
        each.start = this.#now;
        each.left = each.cost?.phases[0]?.microseconds ?? 0;
        this.#setRates();
        if (each.left <= EPSILON) this.#progress(each, 0);
        return true;
      }
      if (this.rules.inOrder(engine)) held.add(queue);
    }
    return false;
  }

  #takes(engine: Engine): boolean {
    const running = this.#pending.filter(({ start, end }) => start !== null && end === null);
    if (engine !== "SMs") {
      const queue = this.rules.copyQueue(engine);
      return !running.some(
        (each) => each.engine !== null && each.engine !== "SMs" && this.rules.copyQueue(each.engine) === queue,
      );
    }
    const kernels = running.filter((each) => each.engine === "SMs");
    const taken = kernels.reduce((sum, { share }) => sum + share, 0);
    return taken < 1 - EPSILON && kernels.length < residentGrids(this.rules.computeCapability);
  }

  /** Kernels take places in the order of their starts; what runs together shares the rest in proportion. */
  #setRates(): void {
    const running = this.#pending.filter(({ start, end }) => start !== null && end === null);
    let free = 1;
    const copies = running.filter(({ engine }) => engine !== "SMs").length;
    for (const each of [...running].sort((a, b) => (a.start ?? 0) - (b.start ?? 0) || a.number - b.number)) {
      if (each.engine !== "SMs") {
        each.rate = copies > 1 ? this.rules.bothWaysFraction : 1;
        continue;
      }
      const got = Math.min(each.share, free);
      free -= got;
      each.rate = each.share === 0 ? 1 : got / each.share;
      each.dispatched = each.rate >= 1 - EPSILON && each.phase === (each.cost?.phases.length ?? 1) - 1;
    }
    const slowest = this.#contention(running);
    for (const each of running) each.rate *= slowest(each);
  }

  /** The share of its speed that an operation keeps because of what others take. */
  #contention(running: readonly Operation[]): (operation: Operation) => number {
    const names: readonly (keyof Demands)[] = ["dram", "l2", "issue"];
    const load = (name: keyof Demands): number =>
      running.reduce((sum, each) => sum + each.rate * (each.cost?.demands[name] ?? 0), 0);
    const kept = new Map(names.map((name) => [name, Math.min(1, 1 / Math.max(load(name), EPSILON))] as const));
    return ({ cost }) =>
      Math.min(1, ...names.map((name) => ((cost?.demands[name] ?? 0) > 0 ? (kept.get(name) ?? 1) : 1)));
  }
}
