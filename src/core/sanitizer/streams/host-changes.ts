/** Page-locked memory that the host changes while a copy may still read it. */
import type { PinnedRange } from "../../host/streams/pinned.js";
import type { OperationOrder, StreamOperation } from "../race/operation-order.js";

interface Kept {
  readonly operation: StreamOperation;
  readonly range: PinnedRange;
  /** The words when the copy was handed over. */
  readonly words: Uint32Array;
}

function wordsOf({ memory, offset, bytes }: PinnedRange): Uint32Array {
  return new Uint32Array(memory, offset, bytes >>> 2);
}

function same(a: Uint32Array, b: Uint32Array): boolean {
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}

export class HostChanges {
  #kept: Kept[] = [];
  readonly #changed: StreamOperation[] = [];

  /** A copy begins that reads the range while the host goes on. */
  keep(operation: StreamOperation, range: PinnedRange): void {
    this.#kept.push({ operation, range, words: wordsOf(range).slice() });
  }

  /** A copy from the GPU writes the range: it is not the host that changes it. */
  written({ memory, offset, bytes }: PinnedRange): void {
    this.#look();
    this.#kept = this.#kept.filter(
      ({ range }) => range.memory !== memory || range.offset >= offset + bytes || offset >= range.offset + range.bytes,
    );
  }

  /** Lets go of the copies that the host knows to have ended; looks at them for the last time. */
  check(order: OperationOrder): void {
    const ended = ({ operation }: Kept): boolean => order.known(operation);
    if (!this.#kept.some(ended)) return;
    this.#look();
    this.#kept = this.#kept.filter((kept) => !ended(kept));
  }

  #look(): void {
    this.#kept = this.#kept.filter(({ operation, range, words }) => {
      const unchanged = same(words, wordsOf(range));
      if (!unchanged) this.#changed.push(operation);
      return unchanged;
    });
  }

  /** The copies whose source was changed too early, at the program's end. */
  finish(): readonly StreamOperation[] {
    this.#look();
    return this.#changed;
  }
}
