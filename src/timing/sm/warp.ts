/** Where a warp of an SM stands, and what it has under way. */
import { FRACTION } from "../base/fraction.js";

export const NOT_STARTED = 0;
export const RUNNING = 1;
export const AT_BARRIER = 2;
export const DONE = 3;

const NO_RECORDS = new Int32Array(0);

export class Warp {
  state: number = NOT_STARTED;
  /** Its instruction's place in the slots of `WarpStreams`, and the slot that it issues next. */
  at = 0;
  slot = 0;
  /** Behind its last instruction there. */
  end = 0;
  /** The records of its block's trace, and its next one. */
  memory: Int32Array = NO_RECORDS;
  memoryAt = 0;
  /** Number of its block. */
  instance = 0;
  /** When its last store has left the warp, and the SM. */
  drained: number = FRACTION;
  lastStore: number = FRACTION;
  /** Of its registers: when the result is there, and the slot that it comes from, as `slot-info.ts` has it. */
  readonly ready: Float64Array;
  readonly source: Int32Array;
  /** The same of the slots of the instruction that it is at, the latest of them. */
  partReady: number = FRACTION;
  partSource = 0;

  /** `index`: its slot in the SM. */
  constructor(
    readonly index: number,
    registers: number,
  ) {
    this.ready = new Float64Array(registers);
    this.source = new Int32Array(registers);
  }

  /** A block's warp comes: from place `at` of the slots, where `slot` stands, to `end`, and at record `memoryAt` of `memory`. */
  start(instance: number, at: number, end: number, slot: number, memory: Int32Array, memoryAt: number): void {
    this.instance = instance;
    this.at = at;
    this.end = end;
    this.slot = slot;
    this.memory = memory;
    this.memoryAt = memoryAt;
    this.drained = 0;
    this.lastStore = 0;
    this.ready.fill(0);
  }
}
