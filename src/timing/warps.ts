/** Where each warp of an SM stands, by warp slot. */

export const RUNNING = 1;
export const AT_BARRIER = 2;
export const DONE = 3;

export class Warps {
  readonly state: Uint8Array;
  /** Its instruction's place in the slots of `WarpStreams`, and the slot that it issues next. */
  readonly at: Int32Array;
  readonly slot: Int32Array;
  /** The records of its block's trace, and its next one. */
  readonly memory: Int32Array[];
  readonly memoryAt: Int32Array;
  /** Number of its block. */
  readonly instance: Int32Array;
  /** When its last store has left the warp, and the SM. */
  readonly drained: Float64Array;
  readonly lastStore: Float64Array;

  constructor(count: number) {
    this.state = new Uint8Array(count);
    this.at = new Int32Array(count);
    this.slot = new Int32Array(count);
    this.memory = new Array<Int32Array>(count).fill(new Int32Array(0));
    this.memoryAt = new Int32Array(count);
    this.instance = new Int32Array(count);
    this.drained = new Float64Array(count);
    this.lastStore = new Float64Array(count);
  }
}
