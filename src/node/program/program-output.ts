/** A program's output to the descriptors of this process: stdout is gathered, and goes out before anything on stderr. */
import { readSync, writeSync } from "node:fs";

const MOST_GATHERED = 1 << 15;
const MOST_DELAY_MS = 50;

export class ProgramOutput {
  readonly #put: (descriptor: number, bytes: Uint8Array) => void;
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #written = 0;

  constructor(put: (descriptor: number, bytes: Uint8Array) => void = writeAll) {
    this.#put = put;
  }

  write(descriptor: number, bytes: Uint8Array): void {
    if (descriptor === 1) {
      this.#parts.push(bytes);
      this.#bytes += bytes.length;
      if (this.#bytes < MOST_GATHERED && performance.now() - this.#written < MOST_DELAY_MS) return;
      this.flush();
      return;
    }
    this.flush();
    this.#put(descriptor, bytes);
  }

  text(descriptor: number, text: string): void {
    this.write(descriptor, new TextEncoder().encode(text));
  }

  flush(): void {
    const parts = this.#parts;
    this.#parts = [];
    this.#bytes = 0;
    if (parts.length > 0) this.#put(1, Buffer.concat(parts));
    this.#written = performance.now();
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4));

function writeAll(descriptor: number, bytes: Uint8Array): void {
  let at = 0;
  while (at < bytes.length) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (problem) {
      const { code } = problem as NodeJS.ErrnoException;
      // A reader that has seen enough closes the pipe.
      if (code === "EPIPE") return;
      if (code !== "EAGAIN") throw problem;
      Atomics.wait(pause, 0, 0, 5);
    }
  }
}

/** At most `count` bytes of stdin; none at its end. */
export function readInput(count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  for (;;) {
    try {
      return bytes.subarray(0, readSync(0, bytes));
    } catch (problem) {
      const { code } = problem as NodeJS.ErrnoException;
      if (code !== "EAGAIN") return new Uint8Array();
      Atomics.wait(pause, 0, 0, 5);
    }
  }
}
