/**
 * The layout of the scratch area of the device memory while a compiled kernel runs, in bytes from its start. The fixed
 * front has tables and the launch's arguments. Then come the counters, the registers of the warps (a slot of 32 values
 * each), the block's shared memory and the threads' local memory.
 */

/** 16 lane masks of four lanes (i32x4, all ones where the bit is set). */
export const MASK_TABLE = 0;
/** Byte addresses of the 32 lanes of the access at hand (i32), with room to read past the end. */
export const LANE_ADDRESSES = 256;
/** Lanes that must not touch memory read and write here. */
export const DUMMY = 512;
/** Working store of the counting functions: 32 words, then 32 * 4 bytes. */
export const BANK_WORK = 576;
/** Operands of instructions that lanes run one after the other: eight slots of 32 values of 64 bits. */
export const OPERANDS = 1152;
export const OPERAND_SLOTS = 8;
/** The launch: see `LAUNCH`. */
export const LAUNCH_AREA: number = OPERANDS + OPERAND_SLOTS * 256;
/** Offsets in the launch area; arguments follow, 32 bytes each: a scalar, or `POINTER`. */
export const LAUNCH: {
  readonly gridX: number;
  readonly gridY: number;
  readonly gridZ: number;
  readonly banks: number;
  /** Warp instructions that a block issues before it asks for more, and that all blocks may still issue; i64. */
  readonly blockSteps: number;
  readonly stepsLeft: number;
  readonly memoryBytes: number;
  readonly sharedBytes: number;
  readonly sharedOffset: number;
  readonly localOffset: number;
  readonly arguments: number;
} = {
  gridX: 0,
  gridY: 4,
  gridZ: 8,
  banks: 12,
  blockSteps: 16,
  memoryBytes: 24,
  sharedBytes: 32,
  sharedOffset: 36,
  localOffset: 40,
  stepsLeft: 48,
  arguments: 64,
};

/** A pointer argument: its address, the first byte that it may reach, and how many from there; i64. */
export const POINTER: { readonly address: 0; readonly start: 8; readonly length: 16 } = {
  address: 0,
  start: 8,
  length: 16,
};

/** Room before and after slots and shared memory, so that whole vectors can be read across the ends. */
export const MARGIN = 128;

/** Hands out addresses after the fixed front. */
export class ScratchLayout {
  private next: number;
  readonly cleared: { readonly offset: number; readonly bytes: number }[] = [];
  readonly counters: number;

  constructor(params: number, instructions: number) {
    this.next = LAUNCH_AREA + LAUNCH.arguments + 32 * params;
    this.counters = this.next;
    // No more counts than this are ever made: see `counterLimit`.
    this.next += 8 * counterLimit(instructions);
  }

  argument(index: number): number {
    return LAUNCH_AREA + LAUNCH.arguments + 32 * index;
  }

  /** Reserves `bytes` and gives their offset, a multiple of `alignment`. */
  take(bytes: number, alignment = 16): number {
    const offset = Math.ceil(this.next / alignment) * alignment;
    this.next = offset + bytes;
    return offset;
  }

  /** The same, for what must be 0 when a launch starts. */
  takeCleared(bytes: number): number {
    const offset = this.take(bytes);
    this.cleared.push({ offset, bytes });
    return offset;
  }

  get size(): number {
    return this.next;
  }
}

/** Counts that a program of so many instructions can need: a few for each. */
export function counterLimit(instructions: number): number {
  return 16 * instructions + 128;
}
