/**
 * Loops of compare-and-swap on shared memory (ATOMS.CAST.SPIN), which add floats and doubles: a warp reads the words, adds, and
 * puts its sums there if nobody has changed them meanwhile. Each warp was traced by itself; where warps meet, those that come too
 * late go round again. A traced round is one success of each word that its record lists (`semantics/spin.ts`); what did not succeed is
 * still to do in the next rounds, of each bank one word a round, and behind the last traced round that one is repeated.
 * test/reference/h200/micro/spin.json: 1 to 32 warps, 1 to 32 lanes, 1 to 1024 words.
 */
import { bankBit, placeAddress, placeLane } from "../../engine/semantics/spin.js";
import { RECORD_HEADER } from "./trace.js";

/** Of floats and doubles: one for each lane of the warp. */
const MOST_WORDS = 32;
/** Words of shared memory that a block has at the most (256 KiB). */
const SHARED_WORDS = 2 ** 16;

export class SpinLoops {
  /** Warp slots that issue the last traced round over again. */
  readonly repeats: Uint8Array;
  /** Where the round of each warp begins: its place in the slots of `WarpStreams`, and in its records. */
  readonly headAt: Int32Array;
  readonly headMemoryAt: Int32Array;
  private readonly loadedAt: Float64Array;
  private readonly toDo: Int32Array;
  private readonly left: Uint8Array;
  /** When the word of a block was changed last. */
  private readonly changedAt = new Map<number, number>();

  constructor(
    warps: number,
    private readonly banks: number,
  ) {
    this.repeats = new Uint8Array(warps);
    this.headAt = new Int32Array(warps);
    this.headMemoryAt = new Int32Array(warps);
    this.loadedAt = new Float64Array(warps);
    this.toDo = new Int32Array(warps * MOST_WORDS);
    this.left = new Uint8Array(warps);
  }

  /** The warp reads the words at `time`; `at`, `memoryAt`: of this load. */
  load(warp: number, at: number, memoryAt: number, time: number): void {
    this.headAt[warp] = at;
    this.headMemoryAt[warp] = memoryAt;
    this.loadedAt[warp] = time;
  }

  /** The warp of block `instance` comes to its swap at `time`: its record stands at `memory[at]`. */
  swap(warp: number, instance: number, memory: Int32Array, at: number, size: number, time: number): void {
    const { toDo, banks } = this;
    const first = warp * MOST_WORDS;
    let count = this.left[warp]!;
    if (this.repeats[warp] === 0) {
      const end = at + RECORD_HEADER + memory[at + 2]!;
      for (let k = at + RECORD_HEADER; k < end && count < MOST_WORDS; k++) toDo[first + count++] = memory[k]!;
    }
    const loadedAt = this.loadedAt[warp]!;
    let tried = 0;
    let kept = 0;
    for (let k = 0; k < count; k++) {
      const place = toDo[first + k]!;
      const bit = bankBit(placeAddress(place), placeLane(place), size, banks);
      const key = instance * SHARED_WORDS + (placeAddress(place) >>> 2);
      const comes = (tried & bit) === 0;
      tried |= bit;
      if (comes && !(this.changedAt.get(key)! > loadedAt)) this.changedAt.set(key, time);
      else toDo[first + kept++] = place;
    }
    this.left[warp] = kept;
  }

  /** Whether the warp, behind its last traced round, has words left: it goes round again. */
  goesAgain(warp: number): boolean {
    const again = this.left[warp]! > 0;
    this.repeats[warp] = again ? 1 : 0;
    return again;
  }
}
