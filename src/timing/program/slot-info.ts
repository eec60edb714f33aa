/** What issuing a slot asks about it, in one word; a slot is one machine instruction of an instruction's. */

/** What a slot is to the SM. */
export const FIXED = 0;
export const SHARED_LOAD = 1;
export const SHARED_STORE = 2;
export const SHARED_ATOMIC = 3;
export const GLOBAL_LOAD = 4;
export const GLOBAL_STORE = 5;
export const GLOBAL_ATOMIC = 6;
/** By way of the memory queue, without data: shuffles, and slots that only look like memory. */
export const QUEUED = 7;
export const FENCE = 8;
export const BARRIER_ARRIVE = 9;
export const BRANCH_OUT = 10;
export const EXIT = 11;
/** As FIXED, and a wavefront of the data stage: a register of each lane's own (S2R of threadIdx, of the lane, of the warp). */
export const LANE_REGISTER = 12;

/** Result known a fixed number of cycles after issue, or announced by a scoreboard. */
export const RESULT_FIXED = 0;
export const RESULT_SHORT = 1;
export const RESULT_LONG = 2;

/** Bits. */
/** Reads registers of both of the register file's banks, or so many that this takes two cycles (`warp-issue.ts`). */
export const READS_BANKS: number = 1 << 19;
export const FIRST: number = 1 << 20;
export const LAST: number = 1 << 21;
/** Waits for none of the slots before it of its instruction. */
export const INDEPENDENT: number = 1 << 22;
/** Its instruction is a branch, and not a call or a return. */
export const IS_BRANCH: number = 1 << 23;
/** All schedulers share its pipe. */
export const SHARED_PIPE: number = 1 << 24;
/** Its instruction has a record in the trace. */
export const TRACED: number = 1 << 25;
/** The load, the swap and the branch back of a loop of compare-and-swap (`spin-loops.ts`). */
export const SPIN_LOAD: number = 1 << 26;
export const SPIN_SWAP: number = 1 << 27;
export const SPIN_BRANCH: number = 1 << 28;
/** A BSYNC that some of the warp's lanes come to before the others. */
export const ARRIVAL: number = 1 << 29;
export const READS_LONG: number = 1 << 30;

export interface SlotFields {
  readonly kind: number;
  readonly pipe: number;
  readonly gate: number;
  /** Of its unit (`bypass.ts`). */
  readonly group: number;
  readonly resultClass: number;
  /** READS_BANKS to READS_LONG. */
  readonly bits: number;
}

export function packSlot({ kind, pipe, gate, group, resultClass, bits }: SlotFields): number {
  return kind | (pipe << 4) | (gate << 9) | (group << 14) | (resultClass << 17) | bits;
}

export function kindOf(info: number): number {
  return info & 15;
}

export function pipeOf(info: number): number {
  return (info >> 4) & 31;
}

export function gateOf(info: number): number {
  return (info >> 9) & 31;
}

export function groupOf(info: number): number {
  return (info >> 14) & 7;
}

export function resultClassOf(info: number): number {
  return (info >> 17) & 3;
}

/** `info` with the class of `other`'s result. */
export function withResultOf(other: number, info: number): number {
  return (info & ~(3 << 17)) | (other & (3 << 17));
}

/** Whether the slot leaves by way of the memory unit, not of a pipe. */
export function goesToMemory(kind: number): boolean {
  return kind >= SHARED_LOAD && kind <= FENCE;
}

/** Loads, stores and atomics. */
export function accessesMemory(kind: number): boolean {
  return kind >= SHARED_LOAD && kind <= GLOBAL_ATOMIC;
}
