/**
 * Puts writes of a cell together into few messages. A client that takes 20,000 of them may stop listening before the last:
 * nbclient waits 4 s for them after a cell has ended.
 */

/** A cell's first writes go out at once, then as many a second as a reader can tell apart. */
const AT_ONCE = 50;
const MESSAGES_PER_SECOND = 20;
/** Text that goes out without waiting for its turn. */
const LARGEST_CHARACTERS = 1 << 16;

type StreamName = "stdout" | "stderr";

export class StreamBatch {
  readonly #send: (name: StreamName, text: string) => void;
  readonly #nowMs: () => number;
  #name: StreamName = "stdout";
  #parts: string[] = [];
  #characters = 0;
  #allowed = AT_ONCE;
  #countedMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: (name: StreamName, text: string) => void, nowMs: () => number = () => performance.now()) {
    this.#send = send;
    this.#nowMs = nowMs;
    this.#countedMs = nowMs();
  }

  write(name: StreamName, text: string): void {
    if (name !== this.#name) this.flush();
    this.#name = name;
    this.#parts.push(text);
    this.#characters += text.length;
    if (this.#characters >= LARGEST_CHARACTERS || this.#mayGo()) this.flush();
    // For what is written after the cell, from a callback: nobody flushes then.
    else if (this.#timer === undefined) {
      this.#timer = setTimeout(() => this.flush(), 1000 / MESSAGES_PER_SECOND);
      // Keeps no process of Node alive; a browser's timer is a number.
      (this.#timer as { unref?(): void }).unref?.();
    }
  }

  /** Sends what has been written. Called before any other message and at the cell's end, so that the order stays. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#characters > 0) this.#send(this.#name, this.#parts.join(""));
    this.#parts = [];
    this.#characters = 0;
  }

  #mayGo(): boolean {
    const now = this.#nowMs();
    this.#allowed = Math.min(AT_ONCE, this.#allowed + ((now - this.#countedMs) * MESSAGES_PER_SECOND) / 1000);
    this.#countedMs = now;
    if (this.#allowed < 1) return false;
    this.#allowed--;
    return true;
  }
}
