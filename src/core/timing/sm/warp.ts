/** The state of a warp of an SM, and its outstanding results. */
import { FRACTION } from "../base/fraction.js";

export const NOT_STARTED = 0;
export const RUNNING = 1;
export const AT_BARRIER = 2;
export const DONE = 3;

const NO_RECORDS = new Int32Array(0);

export class Warp {
  state: number = NOT_STARTED;
  /** The index of its instruction in `WarpStreams.slots`, and the slot that it issues next. */
  at = 0;
  slot = 0;
  /** The index after its last instruction. */
  end = 0;
  /** The records of its block's trace, and the index of its next one. */
  memory: Int32Array = NO_RECORDS;
  memoryAt = 0;
  /** The number of its block. */
  instance = 0;
  /** When the data of its last store has left the registers, and the SM. */
  drained: number = FRACTION;
  lastStore: number = FRACTION;
  /** By register: when its result is available, and the properties of the slot that produces it (`slot-info.ts`). */
  readonly ready: Float64Array;
  readonly source: Int32Array;
  /** The same for the latest slot of the current instruction. */
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

  /**
   * Starts a warp of a block. Its instructions are from `at` to `end`, the first slot is `slot`, and its records begin
   * at `memoryAt`.
   */
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
