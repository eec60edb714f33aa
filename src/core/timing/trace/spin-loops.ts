/**
 * Compare-and-swap loops on shared memory (ATOMS.CAST.SPIN), which add floats and doubles. A warp loads the words,
 * adds, and stores its sums if no other warp has changed the words meanwhile. Each warp was traced alone; when warps
 * conflict, the later ones replay the loop.
 *
 * A traced iteration is one success for each word in its record (`semantics/spin.ts`). Failed words are retried in the
 * next iterations, one word a bank. After the last traced iteration, that one is replayed. Evidence:
 * test/reference/h200/micro/spin.json.
 */
import { bankBit, placeAddress, placeLane } from "../../engine/semantics/spin.js";
import { RECORD_HEADER } from "./trace.js";

/** Words of a record, for floats and doubles: one for each lane of the warp. */
const MOST_WORDS = 32;
/** The largest number of shared memory words of a block (256 KiB). */
const SHARED_WORDS = 2 ** 16;

export class SpinLoops {
  /** 1 for warp slots that replay the last traced iteration. */
  readonly repeats: Uint8Array;
  /** Where the iteration of each warp begins: the index in the slots of `WarpStreams`, and in its records. */
  readonly headAt: Int32Array;
  readonly headMemoryAt: Int32Array;
  private readonly loadedAt: Float64Array;
  private readonly toDo: Int32Array;
  private readonly left: Uint8Array;
  /** When each word of a block was last changed. */
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

  /** The warp loads the words at `time`; `at` and `memoryAt` are the position of this load. */
  load(warp: number, at: number, memoryAt: number, time: number): void {
    this.headAt[warp] = at;
    this.headMemoryAt[warp] = memoryAt;
    this.loadedAt[warp] = time;
  }

  /** The warp of block `instance` reaches its swap at `time`; the record is at `memory[at]`. */
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

  /** Whether the warp has failed words left after its last traced iteration, and replays it. */
  goesAgain(warp: number): boolean {
    const again = this.left[warp]! > 0;
    this.repeats[warp] = again ? 1 : 0;
    return again;
  }
}
