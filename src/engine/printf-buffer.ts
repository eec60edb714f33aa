/**
 * What a launch prints. As on a GPU it goes to a buffer of a fixed size (cudaLimitPrintfFifoSize), and what comes
 * when that is full takes the place of what is oldest.
 */
import type { EngineResult, PrintfRecord } from "./engine.js";

/** CUDA's own size (Programming Guide, "Formatted Output"). */
export const PRINTF_BYTES: number = 2 ** 20;

/** Bytes of a call beside its text: format and length. */
const RECORD_BYTES = 16;

export class PrintfBuffer {
  #records: PrintfRecord[] = [];
  /** Index of the oldest record that is kept. */
  #head = 0;
  #bytes = 0;
  /** Records that were dropped. */
  lost = 0;

  constructor(readonly capacity: number = PRINTF_BYTES) {}

  add(record: PrintfRecord): void {
    this.#records.push(record);
    this.#bytes += sizeOf(record);
    while (this.#bytes > this.capacity && this.length > 1) this.#dropOldest();
  }

  /** Adds what a run has printed. */
  append({ printed, lost = 0 }: EngineResult): void {
    this.lost += lost;
    for (const record of printed) this.add(record);
  }

  /** Records so far, with those that were dropped. */
  get count(): number {
    return this.lost + this.length;
  }

  /** Forgets all after the first `count` records, for a step back. */
  truncate(count: number): void {
    while (this.count > count && this.length > 0) this.#bytes -= sizeOf(this.#records.pop()!);
  }

  clear(): void {
    this.#records = [];
    this.#head = 0;
    this.#bytes = 0;
    this.lost = 0;
  }

  get length(): number {
    return this.#records.length - this.#head;
  }

  /** What is kept now; later records do not show in it. */
  get result(): Required<EngineResult> {
    return { printed: this.#records.slice(this.#head), lost: this.lost };
  }

  #dropOldest(): void {
    this.#bytes -= sizeOf(this.#records[this.#head]!);
    this.#head++;
    this.lost++;
    if (this.#head < 1024 || this.#head < this.#records.length / 2) return;
    this.#records = this.#records.slice(this.#head);
    this.#head = 0;
  }
}

function sizeOf({ text }: PrintfRecord): number {
  return text.length + RECORD_BYTES;
}
