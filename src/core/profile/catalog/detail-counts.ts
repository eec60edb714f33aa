/**
 * Counts of a launch that the tools have and `Counters` has not: instructions by class, floating-point operations,
 * exits, bytes of shared memory. They come from the program's machine instructions and the raw counters, so they are
 * exact. A predicated instruction inside of a longer operation counts for all of the operation's lanes.
 */
import type { RawCounters } from "../../engine/engine.js";
import type { Instruction, Program } from "../../lower/program.js";

/** The classes that nvprof sorts instructions into (inst_fp_32 and the like). */
export type InstructionClass =
  | "fp32"
  | "fp64"
  | "integer"
  | "bitConvert"
  | "control"
  | "loadStore"
  | "interThread"
  | "misc";

/** Floating-point operations that the tools tell apart. */
export type FlopKind = "spAdd" | "spMul" | "spFma" | "spSpecial" | "dpAdd" | "dpMul" | "dpFma";

export interface DetailCounts {
  /** Threads that executed an instruction of the class, its guard true. */
  readonly threads: Readonly<Record<InstructionClass, number>>;
  /** Threads that executed an operation of the kind; a fused multiply-add is one. */
  readonly flops: Readonly<Record<FlopKind, number>>;
  /** Warp executions of EXIT, predicated ones included. */
  readonly exits: number;
  /** Bytes that lanes ask shared memory for: loads, stores and atomics. */
  readonly sharedBytes: number;
  readonly localLoadInstructions: number;
  readonly localStoreInstructions: number;
  /** Warp instructions beside loads, stores and atomics that the LSU pipe runs: shuffles, reads of threadIdx. */
  readonly otherLsuInstructions: number;
  /** Global atomics that give the old value back, and those that do not (reductions). */
  readonly globalAtomics: number;
  readonly globalReductions: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
interface Sums extends Mutable<Omit<DetailCounts, "threads" | "flops">> {
  readonly threads: Record<InstructionClass, number>;
  readonly flops: Record<FlopKind, number>;
}

/**
 * By how a mnemonic starts; the first that fits. As Nsight Compute counts on an H200, no class has instructions of the
 * uniform datapath, of predicates alone and of halves. A load of a constant is an access to memory.
 */
const CLASSES: readonly (readonly [InstructionClass | "none", RegExp])[] = [
  ["none", /^(U|PLOP3|HFMA2)/],
  ["misc", /^(S2R|S2UR|CS2R|MOV|NOP|BAR|B2R|MEMBAR|BMOV)/],
  ["bitConvert", /^(I2F|F2I|F2F|I2I|FRND)/],
  ["loadStore", /^(LD|ST|ATOM|RED\b|RED\.|REDG)/],
  ["interThread", /^(SHFL|VOTE|MATCH|REDUX)/],
  ["control", /^(BRA|EXIT|BSSY|BSYNC|BREAK|CALL|RET|SSY|SYNC|WARPSYNC|BRX)/],
  ["fp64", /^(D[A-Z]|MUFU\.[A-Z]+64H)/],
  ["fp32", /^(F(ADD|MUL|FMA|SETP|SEL|MNMX|CHK)|MUFU)/],
  ["integer", /^(I[A-Z]|LEA|LOP|SHF|SHL|SHR|POPC|FLO|BREV|PRMT|SEL|VI|XMAD|VABSDIFF)/],
];

const OTHER_LSU = /^(SHFL|S2R SR_TID)/;

const FLOPS: readonly (readonly [FlopKind, RegExp])[] = [
  ["spAdd", /^FADD/],
  ["spMul", /^FMUL/],
  ["spFma", /^FFMA/],
  ["spSpecial", /^MUFU\.(?![A-Z]+64H)/],
  ["dpAdd", /^DADD/],
  ["dpMul", /^DMUL/],
  ["dpFma", /^DFMA/],
];

function bareName(mnemonic: string): string {
  return mnemonic.replace(/^@!?[A-Z0-9]+\./, "");
}

function firstOf<T>(rules: readonly (readonly [T, RegExp])[], mnemonic: string): T | null {
  return rules.find(([, pattern]) => pattern.test(mnemonic))?.[0] ?? null;
}

function noSums(): Sums {
  return {
    threads: { fp32: 0, fp64: 0, integer: 0, bitConvert: 0, control: 0, loadStore: 0, interThread: 0, misc: 0 },
    flops: { spAdd: 0, spMul: 0, spFma: 0, spSpecial: 0, dpAdd: 0, dpMul: 0, dpFma: 0 },
    exits: 0,
    sharedBytes: 0,
    localLoadInstructions: 0,
    localStoreInstructions: 0,
    otherLsuInstructions: 0,
    globalAtomics: 0,
    globalReductions: 0,
  };
}

function add(sums: Sums, instruction: Instruction, raw: RawCounters): void {
  const { pc, op, space, issue } = instruction;
  const executed = raw.executed[pc] ?? 0;
  if (executed === 0) return;
  const lanes = raw.predicatedLanes[pc] ?? 0;
  for (const slot of issue) {
    const mnemonic = bareName(slot.mnemonic);
    const found = firstOf(CLASSES, mnemonic) ?? "misc";
    if (found !== "none") sums.threads[found] += lanes;
    if (OTHER_LSU.test(mnemonic)) sums.otherLsuInstructions += executed;
    const flop = firstOf(FLOPS, mnemonic);
    if (flop !== null) sums.flops[flop] += lanes;
  }
  if (op === "exit") sums.exits += executed;
  if (space === "shared") sums.sharedBytes += raw.bytes[pc] ?? 0;
  if (space === "local" && op === "ld") sums.localLoadInstructions += executed;
  if (space === "local" && op === "st") sums.localStoreInstructions += executed;
  if (space === "global" && op === "atom") {
    if (instruction.dst.length > 0) sums.globalAtomics += executed;
    else sums.globalReductions += executed;
  }
}

const known: WeakMap<RawCounters, DetailCounts> = new WeakMap();

/** Counted once for each launch. */
export function detailCounts(launch: { readonly program: Program; readonly rawCounters: RawCounters }): DetailCounts {
  const { program, rawCounters } = launch;
  let counts = known.get(rawCounters);
  if (counts === undefined) {
    const sums = noSums();
    for (const instruction of program.instructions) add(sums, instruction, rawCounters);
    counts = sums;
    known.set(rawCounters, counts);
  }
  return counts;
}
