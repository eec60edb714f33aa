/**
 * Runs a program with asynchronous copies to page-locked memory that arrive as late as CUDA allows. They come when the host
 * has waited for them, or when another copy reads the array.
 */
import { type Activity, hear } from "../../host/activity.js";
import { keepHostWrites } from "../../host/streams/host-writes.js";
import { OperationOrder, type StreamOperation } from "../race/operation-order.js";

interface Pending {
  readonly order: OperationOrder;
  readonly operation: StreamOperation;
  readonly memory: ArrayBufferLike | null;
  readonly write: () => void;
}

class LateCopies {
  readonly #orders: Map<object, OperationOrder> = new Map();
  #pending: readonly Pending[] = [];
  /** The last copy to page-locked memory, whose writes come next. */
  #last: Omit<Pending, "write"> | null = null;
  /** Copies that came late. */
  count = 0;

  note(activity: Activity): void {
    if (activity.kind === "use-after-free") return;
    const order = this.#orders.get(activity.owner) ?? new OperationOrder();
    this.#orders.set(activity.owner, order);
    if (activity.kind === "launch" || activity.kind === "memset") order.begin(activity.stream, activity.kind);
    if (activity.kind === "copy") {
      const operation = order.begin(activity.stream, activity.way);
      const memory = activity.pinned?.memory ?? null;
      if (activity.way === "DtoH") this.#last = { order, operation, memory };
      else if (memory !== null) this.#deliver((each) => each.memory === memory);
    }
    order.note(activity);
    this.#deliver((each) => each.order.known(each.operation));
  }

  keep(write: () => void): void {
    if (this.#last === null) {
      write();
      return;
    }
    this.count++;
    this.#pending = [...this.#pending, { ...this.#last, write }];
  }

  #deliver(due: (pending: Pending) => boolean): void {
    if (this.#pending.length === 0) return;
    const now = this.#pending.filter(due);
    this.#pending = this.#pending.filter((each) => !now.includes(each));
    for (const { write } of now) write();
  }

  /** The rest, for whatever runs next. */
  finish(): void {
    this.#deliver(() => true);
  }
}

/** The program's result, and how many of its copies came late. */
export function withLateCopies<T>(program: () => T): { readonly result: T; readonly late: number } {
  const copies = new LateCopies();
  const heard = hear((activity) => copies.note(activity));
  const kept = keepHostWrites((write) => copies.keep(write));
  try {
    return { result: program(), late: copies.count };
  } finally {
    kept.stop();
    heard.stop();
    copies.finish();
  }
}
