/**
 * The output of a launch's printf. As on a GPU it goes to a buffer of a fixed size (cudaLimitPrintfFifoSize). Once that
 * is full, new calls take the place of the oldest ones. Text is made of a call's values only when the run has ended.
 */
import type { Scalar } from "../ir/types.js";
import type { EngineResult, PrintfRecord } from "./engine.js";
import { formatPrintf } from "./semantics/printf.js";

/** CUDA's own size (Programming Guide, "Formatted Output"). */
export const PRINTF_BYTES: number = 2 ** 20;

/** Bytes of a call beside its text. */
const CALL_BYTES = 16;

/** A call of a thread, with its values. */
interface PrintfCall {
  readonly format: string;
  readonly values: readonly (number | bigint)[];
  readonly types: readonly Scalar[];
}

export class PrintfBuffer {
  /** A ring, once it is full: more calls than this do not fit whatever they print. */
  readonly #calls: (PrintfCall | PrintfRecord)[] = [];
  readonly #mostCalls: number;
  #count = 0;
  #lost = 0;

  constructor(readonly capacity: number = PRINTF_BYTES) {
    this.#mostCalls = Math.max(1, Math.floor(capacity / CALL_BYTES));
  }

  add(call: PrintfCall | PrintfRecord): void {
    this.#calls[this.#count++ % this.#mostCalls] = call;
  }

  /** Adds what a run has printed. */
  append({ printed, lost = 0 }: EngineResult): void {
    if (lost > 0) {
      this.#lost += lost + this.#count;
      this.#count = 0;
    }
    for (const record of printed) this.add(record);
  }

  /** Calls so far, with those that were dropped. */
  get count(): number {
    return this.#count;
  }

  /** Forgets all after the first `count` calls, for a step back. */
  truncate(count: number): void {
    this.#count = Math.min(this.#count, count);
  }

  /** The calls that the buffer holds. */
  get result(): Required<EngineResult> {
    const printed: PrintfRecord[] = [];
    const oldest = Math.max(0, this.#count - this.#mostCalls);
    let bytes = 0;
    let at = this.#count;
    while (at > oldest) {
      const call = this.#calls[(at - 1) % this.#mostCalls]!;
      const text = "text" in call ? call.text : formatPrintf(call.format, call.values, call.types);
      bytes += CALL_BYTES + text.length;
      if (bytes > this.capacity && printed.length > 0) break;
      printed.push({ text });
      at--;
    }
    return { printed: printed.reverse(), lost: this.#lost + at };
  }
}
