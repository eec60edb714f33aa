/**
 * When operations of streams begin and end. An operation waits for the one before it in its stream, for events, and by the
 * rules of the default stream. Then it waits for its engine: a copy engine does one copy at a time, kernels share the SMs.
 * Kernels that run at one time also share bandwidth and issue slots. Times are predicted, in microseconds.
 */

import type { Demands, Engine, OperationCost } from "./operation.js";
import type { StreamRules } from "./rules.js";
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
  /** Operations that have not ended, of those that it waits for; and those that wait for it. */
  blockers = 0;
  readonly followers: Operation[] = [];
  #cost: OperationCost | null = null;

  constructor(
    readonly number: number,
    readonly stream: StreamKey,
    readonly engine: Engine | null,
    readonly issued: number,
    /** Kernels whose blocks must all have begun (before Hyper-Q). */
    readonly begun: readonly Operation[],
    private readonly makeCost: (() => OperationCost) | null,
  ) {}

  get cost(): OperationCost | null {
    if (this.#cost === null && this.makeCost !== null) this.#cost = this.makeCost();
    return this.#cost;
  }

  get lead(): number {
    return this.cost?.leadMicroseconds ?? 0;
  }

  get share(): number {
    return this.cost?.phases[this.phase]?.share ?? 0;
  }

  get mayBegin(): boolean {
    return this.begun.every(({ end, dispatched }) => end !== null || dispatched);
  }

  waitFor(others: Iterable<Operation>): void {
    for (const other of others) {
      if (other.end !== null) continue;
      other.followers.push(this);
      this.blockers++;
    }
  }

  /** A copy that waits for nothing yet, and does not know those that it must see begun. */
  copy(begun: readonly Operation[]): Operation {
    const { number, stream, engine, issued, start, end, ready, phase, left, rate, dispatched, blockers } = this;
    const cost = this.makeCost === null ? null : () => this.cost ?? NO_COST;
    const copy = new Operation(number, stream, engine, issued, begun, cost);
    return Object.assign(copy, { start, end, ready, phase, left, rate, dispatched, blockers });
  }
}

/** Operations in the order of their calls; the first that has not started is the head. */
class Queue {
  readonly list: Operation[] = [];
  #head = 0;

  get head(): Operation | undefined {
    while (this.list[this.#head]?.start !== undefined && this.list[this.#head]?.start !== null) this.#head++;
    return this.list[this.#head];
  }
}

export class StreamScheduler {
  #now = 0;
  #count = 0;
  /** Not ended, in the order of their calls. */
  readonly #pending: Set<Operation> = new Set();
  /** Nothing that they wait for is left but kernels that must have begun. */
  #candidates: Operation[] = [];
  /** Ready for their engine, in the order of their calls. */
  #due: Operation[] = [];
  #running: Operation[] = [];
  readonly #queues: Map<string, Queue> = new Map();
  readonly #tails: Map<StreamKey, Operation> = new Map();
  #legacyTail: Operation | null = null;
  /** Everything after it waits for it. */
  #barrier: Operation | null = null;
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
    const waits = new Set([...this.#before(stream), ...(after as readonly Operation[])]);
    let begun: readonly Operation[] = [];
    const previous = this.#tails.get(stream);
    if (this.rules.checksLaunches && previous?.engine === "SMs" && previous.end === null) {
      begun = [...this.#pending].filter((each) => each.engine === "SMs");
      this.#checked.push(previous);
    }
    if (this.rules.checksLaunches && engine === "SMs") {
      this.#checked = this.#checked.filter(({ end }) => end === null);
      for (const each of this.#checked) waits.add(each);
    }
    const operation = this.#add(new Operation(++this.#count, stream, engine, time, begun, cost), waits);
    this.#tails.set(stream, operation);
    if (stream.kind === "legacy") this.#legacyTail = operation;
    this.#settle();
    return operation;
  }

  #add(operation: Operation, waits: Iterable<Operation>): Operation {
    operation.waitFor(waits);
    this.#pending.add(operation);
    if (operation.blockers === 0) this.#candidates.push(operation);
    if (operation.engine !== null) this.#queueOf(operation.engine).list.push(operation);
    return operation;
  }

  #queueOf(engine: Engine): Queue {
    const name = engine === "SMs" ? engine : this.rules.copyQueue(engine);
    const queue = this.#queues.get(name) ?? new Queue();
    this.#queues.set(name, queue);
    return queue;
  }

  /** The operations that one waits for by its stream's order and the default stream's rules. */
  #before(stream: StreamKey): readonly Operation[] {
    const waits = [this.#barrier];
    if (stream.kind === "legacy") {
      for (const [key, tail] of this.#tails) if (key.kind !== "non-blocking") waits.push(tail);
    } else {
      waits.push(this.#tails.get(stream) ?? null);
      if (stream.kind === "blocking") waits.push(this.#legacyTail);
    }
    return waits.filter((each) => each !== null);
  }

  /** No operation handed over from now on runs beside one handed over before. */
  barrier(): void {
    if (this.#pending.size === 0) return;
    const waits = [...this.#pending];
    this.#barrier = this.#add(new Operation(++this.#count, waits[0]!.stream, null, this.#now, [], null), waits);
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
    while (this.#pending.size > 0 && this.#step(Number.POSITIVE_INFINITY));
    return this.#now;
  }

  /** The operations that have not ended, as they will be if nothing else is handed over. This scheduler stays as it is. */
  outlook(): ReadonlyMap<Scheduled, Scheduled> {
    const copy = new StreamScheduler(this.rules);
    const copies = new Map<Operation, Operation>();
    for (const each of this.#pending)
      copies.set(each, each.copy(each.begun.map((other) => copies.get(other) ?? other)));
    const copied = (list: Iterable<Operation>): Operation[] => [...list].map((each) => copies.get(each) ?? each);
    for (const [each, twin] of copies) {
      twin.followers.push(...copied(each.followers));
      copy.#pending.add(twin);
      if (each.engine !== null) copy.#queueOf(each.engine).list.push(twin);
    }
    copy.#now = this.#now;
    copy.#candidates = copied(this.#candidates);
    copy.#due = copied(this.#due);
    copy.#running = copied(this.#running);
    copy.drain();
    return copies;
  }

  /** Goes to the next time at which something begins or ends, at most to `limit`; false where nothing will. */
  #step(limit: number): boolean {
    this.#settle();
    let next = limit;
    for (const each of this.#running) if (each.rate > 0) next = Math.min(next, this.#now + each.left / each.rate);
    for (const { ready, lead } of this.#due) {
      const due = (ready ?? 0) + lead;
      if (due > this.#now + EPSILON) next = Math.min(next, due);
    }
    if (next === Number.POSITIVE_INFINITY) return false;
    const passed = next - this.#now;
    this.#now = next;
    for (const each of this.#running) this.#progress(each, passed);
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
        this.#end(operation);
        return;
      }
      operation.left += phase.microseconds;
    }
  }

  #end(operation: Operation): void {
    operation.end = this.#now;
    this.#pending.delete(operation);
    for (const follower of operation.followers) if (--follower.blockers === 0) this.#candidates.push(follower);
  }

  /** Readies and starts all that can at this time, ends marks of events, and sets the speeds. */
  #settle(): void {
    do {
      this.#running = this.#running.filter(({ end }) => end === null);
      this.#readyCandidates();
    } while (this.#startOne());
    this.#setRates();
  }

  #readyCandidates(): void {
    for (let again = true; again; ) {
      again = false;
      const waiting = this.#candidates;
      this.#candidates = [];
      for (const each of waiting) {
        if (!each.mayBegin) {
          this.#candidates.push(each);
          continue;
        }
        each.ready = Math.max(each.issued, this.#now);
        if (each.engine !== null) {
          this.#due.push(each);
          continue;
        }
        each.start = each.ready;
        this.#end(each);
        again = true;
      }
    }
    this.#due.sort((a, b) => a.number - b.number);
  }

  /** Starts the first operation, in the order of the calls, that its engine takes. */
  #startOne(): boolean {
    for (const [at, each] of this.#due.entries()) {
      const { engine, ready, lead } = each;
      if (engine === null || (ready ?? 0) + lead > this.#now + EPSILON) continue;
      if (this.rules.inOrder(engine) && this.#queueOf(engine).head !== each) continue;
      if (!this.#takes(engine)) continue;
      this.#due.splice(at, 1);
      each.start = this.#now;
      each.left = each.cost?.phases[0]?.microseconds ?? 0;
      this.#running.push(each);
      this.#setRates();
      if (each.left <= EPSILON) this.#progress(each, 0);
      return true;
    }
    return false;
  }

  #takes(engine: Engine): boolean {
    if (engine !== "SMs") {
      const queue = this.rules.copyQueue(engine);
      return !this.#running.some(
        (each) => each.engine !== null && each.engine !== "SMs" && this.rules.copyQueue(each.engine) === queue,
      );
    }
    const kernels = this.#running.filter((each) => each.engine === "SMs");
    const taken = kernels.reduce((sum, { share }) => sum + share, 0);
    return taken < 1 - EPSILON && kernels.length < this.rules.residentGrids;
  }

  /** Kernels take places in the order of their starts; what runs together shares the rest in proportion. */
  #setRates(): void {
    let free = 1;
    const copies = this.#running.filter(({ engine }) => engine !== "SMs").length;
    for (const each of this.#running) {
      if (each.engine !== "SMs") {
        each.rate = copies > 1 ? this.rules.bothWaysFraction : 1;
        continue;
      }
      const got = Math.min(each.share, free);
      free -= got;
      each.rate = each.share === 0 ? 1 : got / each.share;
      each.dispatched = each.rate >= 1 - EPSILON && each.phase === (each.cost?.phases.length ?? 1) - 1;
    }
    const slowest = this.#contention();
    for (const each of this.#running) each.rate *= slowest(each);
  }

  /** The share of its speed that an operation keeps because of what others take. */
  #contention(): (operation: Operation) => number {
    const names: readonly (keyof Demands)[] = ["dram", "l2", "issue"];
    const load = (name: keyof Demands): number =>
      this.#running.reduce((sum, each) => sum + each.rate * (each.cost?.demands[name] ?? 0), 0);
    const kept = new Map(names.map((name) => [name, Math.min(1, 1 / Math.max(load(name), EPSILON))] as const));
    return ({ cost }) =>
      Math.min(1, ...names.map((name) => ((cost?.demands[name] ?? 0) > 0 ? (kept.get(name) ?? 1) : 1)));
  }
}
