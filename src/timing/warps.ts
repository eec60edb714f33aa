/** Where each warp of an SM stands in its trace, by warp slot. */

export const RUNNING = 1;
export const AT_BARRIER = 2;
export const DONE = 3;

export class Warps {
  readonly state: Uint8Array;
  /** Of the block's trace: the warp's instructions, from the one it is at to behind the last. */
  readonly pcs: Int32Array[];
  readonly pcIndex: Int32Array;
  readonly pcEnd: Int32Array;
  /** The memory stream of the block's trace, and the warp's next record in it. */
  readonly memory: Int32Array[];
  readonly memoryAt: Int32Array;
  /** Number of the warp's block. */
  readonly instance: Int32Array;
  /** The instruction that the warp is at, the slot of it that it issues next, and the one behind its last. */
  readonly pc: Int32Array;
  readonly slot: Int32Array;
  readonly slotEnd: Int32Array;
  /** When its last store has left the warp, and the SM. */
  readonly drained: Float64Array;
  readonly lastStore: Float64Array;

  constructor(count: number) {
    const none = new Int32Array(0);
    this.state = new Uint8Array(count);
    this.pcs = new Array<Int32Array>(count).fill(none);
    this.pcIndex = new Int32Array(count);
    this.pcEnd = new Int32Array(count);
    this.memory = new Array<Int32Array>(count).fill(none);
    this.memoryAt = new Int32Array(count);
    this.instance = new Int32Array(count);
    this.pc = new Int32Array(count);
    this.slot = new Int32Array(count);
    this.slotEnd = new Int32Array(count);
    this.drained = new Float64Array(count);
    this.lastStore = new Float64Array(count);
  }

  /** The warp is at the instruction `pcIndex` of its trace. */
  enter(warp: number, slotStart: Int32Array): void {
    const pc = this.pcs[warp]![this.pcIndex[warp]!]!;
    this.pc[warp] = pc;
    this.slot[warp] = slotStart[pc]!;
    this.slotEnd[warp] = slotStart[pc + 1]!;
  }
}
