/** The properties of an issue slot, packed into one word. A slot is one machine instruction of an instruction. */

/** The kinds of slot. */
export const FIXED = 0;
export const SHARED_LOAD = 1;
export const SHARED_STORE = 2;
export const SHARED_ATOMIC = 3;
export const GLOBAL_LOAD = 4;
export const GLOBAL_STORE = 5;
export const GLOBAL_ATOMIC = 6;
/** Uses the memory queue without data: shuffles, and slots that share the path of memory instructions. */
export const QUEUED = 7;
export const FENCE = 8;
export const BARRIER_ARRIVE = 9;
export const BRANCH_OUT = 10;
export const EXIT = 11;
/** Like FIXED, with a wavefront of the data stage: S2R of threadIdx, the lane or the warp. */
export const LANE_REGISTER = 12;

/** A result has a fixed latency, or a scoreboard announces it. */
export const RESULT_FIXED = 0;
export const RESULT_SHORT = 1;
export const RESULT_LONG = 2;

/** Reads registers of both banks of the register file, or so many that reading takes two cycles (`warp-issue.ts`). */
export const READS_BANKS: number = 1 << 19;
export const FIRST: number = 1 << 20;
export const LAST: number = 1 << 21;
/** Does not wait for the earlier slots of its instruction. */
export const INDEPENDENT: number = 1 << 22;
/** Its instruction is a branch, not a call or a return. */
export const IS_BRANCH: number = 1 << 23;
/** All schedulers share its pipe. */
export const SHARED_PIPE: number = 1 << 24;
/** Its instruction has a record in the trace. */
export const TRACED: number = 1 << 25;
/** The load, the swap and the backward branch of a compare-and-swap loop (`spin-loops.ts`). */
export const SPIN_LOAD: number = 1 << 26;
export const SPIN_SWAP: number = 1 << 27;
export const SPIN_BRANCH: number = 1 << 28;
/** A BSYNC at which some lanes of the warp arrive before the others. */
export const ARRIVAL: number = 1 << 29;
export const READS_LONG: number = 1 << 30;

export interface SlotFields {
  readonly kind: number;
  readonly pipe: number;
  readonly gate: number;
  /** The group of its pipe (`bypass.ts`). */
  readonly group: number;
  readonly resultClass: number;
  /** Any of READS_BANKS to READS_LONG. */
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

/** `info` with the result class of `other`. */
export function withResultOf(other: number, info: number): number {
  return (info & ~(3 << 17)) | (other & (3 << 17));
}

/** Whether the slot goes to the memory unit instead of a pipe. */
export function goesToMemory(kind: number): boolean {
  return kind >= SHARED_LOAD && kind <= FENCE;
}

/** Whether the slot is a load, a store or an atomic. */
export function accessesMemory(kind: number): boolean {
  return kind >= SHARED_LOAD && kind <= GLOBAL_ATOMIC;
}
