/**
 * Registers per thread as ptxas reports them: the maximum of live 32-bit registers, plus the reserved ones.
 * Predicates and uniform registers do not count. Nsight Compute shows the same number, but at least 16: so it was for
 * each of 1,342 kernels on an H200. test/DEVIATIONS.md says how near the rules come.
 */

import type { Target } from "../machine/target.js";
import type { Instruction, Reg } from "../program.js";
import type { FinishedCode } from "./finish.js";
import { demandOrder, tightOrder } from "./tight-order.js";

/** The least that a launch takes, and the least that ptxas reports. */
const LEAST_OF_LAUNCH = 16;
const LEAST = 4;
/** The linked device runtime needs these in a kernel that launches (launch__registers_per_thread on an H200). */
const LEAST_WITH_LAUNCH = 32;

/** With this many, all threads of an SM are resident on most GPUs; to stay there ptxas delays loads. */
export const FULL_OCCUPANCY = 32;
/** ptxas rematerializes this many values to stay there. */
const COMPUTED_AGAIN = 2;

/**
 * Eight loads of four words, of two arrays, keep more registers in flight, so ptxas does not stay there. It has six of
 * them under way at once in 36 registers, and takes up to 44 (registers.json: 36, 36, 36 and 44). Those of one array it
 * adds up one by one.
 */
const WIDE_LOADS = 8;
const WIDE_LOAD_WORDS = 4;
const LEAST_WITH_WIDE_LOADS = 36;
const WITH_WIDE_LOADS = 44;

/** Registers beyond the live ones: the stack pointer, temporaries of an address or a conversion, gaps before pairs. */
const BESIDE_LIVE = 4;
/** The call of a division's or a root's slow path holds its operands and its return address. */
const FOR_CALL = 4;

/** Finished code, or a program. */
export type RegisterUse = Pick<FinishedCode, "instructions" | "registers">;

/** The registers that a launch takes. */
export function registersPerThread(code: FinishedCode, target: Target): number {
  const launches = code.instructions.some(({ op }) => op === "launch" || op === "deviceSynchronize");
  return Math.max(launches ? LEAST_WITH_LAUNCH : LEAST_OF_LAUNCH, reportedRegisters(code, target));
}

/** Registers a thread as ptxas would report them; predicted. */
export function reportedRegisters(
  code: RegisterUse,
  target: Pick<Target, "fitsRegisters" | "reservedRegisters">,
): number {
  const early = mostAlive(code, false) + target.reservedRegisters;
  if (early > FULL_OCCUPANCY && loadsWide(code)) return Math.max(early, WITH_WIDE_LOADS);
  const late = early <= FULL_OCCUPANCY ? early : fewestAlive(code) + target.reservedRegisters;
  const allocated = late - COMPUTED_AGAIN <= FULL_OCCUPANCY && early > FULL_OCCUPANCY ? FULL_OCCUPANCY : late;
  return allocated > FULL_OCCUPANCY || !target.fitsRegisters ? allocated : fewRegisters(code);
}

/** The registers that loads may fill, since the kernel takes them in any order, or an SM is full with them. */
export function registersToFill(code: RegisterUse, target: Target): number {
  return Math.max(loadsWide(code) ? LEAST_WITH_WIDE_LOADS : FULL_OCCUPANCY, reportedRegisters(code, target));
}

/** The rule where an SM is full: fitted to ptxas 13.0's numbers of 539 kernels (test/reference/ptxas/registers.json). */
function fewRegisters(code: RegisterUse): number {
  const alive = mostAlive(code, false, null, sizesOf(code));
  if (alive === 0) return LEAST;
  const calls = code.instructions.some(({ issue }) => issue.some(({ mnemonic }) => mnemonic === "CALL"));
  const used = alive + BESIDE_LIVE + (calls ? FOR_CALL : 0);
  return Math.min(FULL_OCCUPANCY, used + (used % 2));
}

/** 32-bit registers that each register takes. A value lies in a uniform register only where its instruction is one. */
function sizesOf(code: RegisterUse): readonly number[] {
  const sizes = [...wordsOf(code)];
  for (const { dst, issue } of code.instructions) {
    const mnemonic = issue[0]?.mnemonic;
    if (mnemonic === undefined || mnemonic.startsWith("U")) continue;
    for (const reg of dst) if (code.registers[reg]?.type !== "bool") sizes[reg] = Math.max(1, sizes[reg] ?? 1);
  }
  return sizes;
}

const ENDS_BLOCK: ReadonlySet<string> = new Set(["bra", "bar", "bsync", "exit", "call"]);

/** Whether a basic block has so many loads of four words, of two arrays or more, that their data fills 32 registers. */
function loadsWide(code: RegisterUse): boolean {
  const sizes = wordsOf(code);
  const targets = new Set(code.instructions.map(({ target }) => target));
  let wide = 0;
  let arrays = new Set<number>();
  for (const { op, space, dst, pc, root } of code.instructions) {
    if (targets.has(pc) || ENDS_BLOCK.has(op)) {
      wide = 0;
      arrays = new Set();
    }
    if (op !== "ld" || space !== "global" || root?.kind !== "param") continue;
    if (dst.reduce((sum, reg) => sum + sizes[reg]!, 0) < WIDE_LOAD_WORDS) continue;
    wide++;
    arrays.add(root.index);
    if (wide >= WIDE_LOADS && arrays.size > 1) return true;
  }
  return false;
}

/** The fewest live registers: with late loads, or in the best order found. */
function fewestAlive(code: RegisterUse): number {
  const { instructions } = code;
  const sizes = wordsOf(code);
  const orders = [tightOrder(instructions, (reg) => sizes[reg]!), demandOrder(instructions)];
  return Math.min(mostAlive(code, true), ...orders.map((place) => mostAlive(code, false, place)));
}

/**
 * The maximum of live 32-bit registers in program order, or with each load just before its first use. `place`:
 * another position for each instruction.
 */
export function mostAlive(
  code: RegisterUse,
  loadsLate: boolean,
  place: Int32Array | null = null,
  sizes: readonly number[] = wordsOf(code),
): number {
  const { first, last } = liveRanges(code, loadsLate, place);
  let most = 0;
  for (const words of wordsAlive(code.instructions.length, { first, last }, sizes)) most = Math.max(most, words);
  return most;
}

/** For each register the positions of its first and its last access; -1 for none. */
export interface LiveRanges {
  readonly first: Int32Array;
  readonly last: Int32Array;
}

/** The live 32-bit registers after each of `count` instructions. */
export function wordsAlive(count: number, { first, last }: LiveRanges, sizes: readonly number[]): Int32Array {
  const alive = new Int32Array(count + 2);
  sizes.forEach((size, reg) => {
    if (first[reg] === -1) return;
    alive[first[reg]!] = alive[first[reg]!]! + size;
    alive[last[reg]!] = alive[last[reg]!]! - size;
  });
  for (let at = 1; at < alive.length; at++) alive[at] = alive[at]! + alive[at - 1]!;
  return alive;
}

/** The live ranges in the order that `mostAlive` describes. */
export function liveRanges(code: RegisterUse, loadsLate: boolean, place: Int32Array | null): LiveRanges {
  const { instructions, registers } = code;
  const first = new Int32Array(registers.length).fill(-1);
  const last = new Int32Array(registers.length).fill(-1);
  const touch = (reg: Reg, pc: number): void => {
    if (first[reg] === -1) first[reg] = pc;
    last[reg] = pc;
  };
  const latest = loadsLate ? latestPlaces(code) : null;
  const byPlace = place === null ? instructions : [...instructions].sort((a, b) => place[a.pc]! - place[b.pc]!);
  for (const [at, inst] of byPlace.entries()) {
    const own = place === null ? inst.pc : at;
    const pc = latest !== null && inst.op === "ld" ? latest[inst.pc]! : own;
    // The load's address is computed late as well.
    for (const operand of inst.src) if (operand.kind === "reg") touch(operand.reg, Math.max(own, last[operand.reg]!));
    for (const reg of inst.dst) touch(reg, Math.max(pc, last[reg]!));
  }
  // A register that is live around a loop is live in all of it.
  for (let changed = true; changed; ) {
    changed = false;
    for (const inst of instructions) {
      if (inst.op !== "bra" || inst.target === undefined || inst.target > inst.pc) continue;
      for (let reg = 0; reg < registers.length; reg++) {
        if (first[reg]! < inst.target && last[reg]! >= inst.target && last[reg]! < inst.pc) {
          last[reg] = inst.pc;
          changed = true;
        }
      }
    }
  }
  return { first, last };
}

/** The first read of each register after its first write, in program order; -1 if there is none. */
function firstUses({ instructions, registers }: RegisterUse): Int32Array {
  const uses = new Int32Array(registers.length).fill(-1);
  const written = new Uint8Array(registers.length);
  for (const inst of instructions) {
    for (const operand of inst.src) {
      if (operand.kind === "reg" && written[operand.reg] === 1 && uses[operand.reg] === -1) uses[operand.reg] = inst.pc;
    }
    for (const reg of inst.dst) written[reg] = 1;
  }
  return uses;
}

/** No load moves across these: other threads may write behind them. */
const ENDS_LOADS: ReadonlySet<string> = new Set(["bar", "fence", "gridsync"]);

/** Where each load would stand just before the first use of its result; it stays before the next barrier. */
function latestPlaces(code: RegisterUse): Int32Array {
  const { instructions } = code;
  const uses = firstUses(code);
  const places = new Int32Array(instructions.length);
  let barrier = instructions.length;
  for (let at = instructions.length - 1; at >= 0; at--) {
    const { op, pc, dst } = instructions[at]!;
    if (ENDS_LOADS.has(op)) barrier = pc;
    if (op !== "ld") continue;
    const use = dst.reduce((least, reg) => Math.min(least, uses[reg] === -1 ? pc : uses[reg]!), barrier);
    places[pc] = Math.max(pc, use - 1);
  }
  return places;
}

/** Operations that the uniform datapath executes (nvcc 13.0 for sm_90: UMOV, UIADD3, USHF, ULEA). */
const UNIFORM_OPS: ReadonlySet<string> = new Set(["mov", "add", "shl", "addr"]);
const SMALL_INTEGER = /^[iu]32$|^addr$/;

/** Values that are uniform in a block and that the uniform datapath can compute. */
function uniformValues({ instructions, registers }: RegisterUse): Uint8Array {
  const uniform = Uint8Array.from(registers, ({ type }) => (SMALL_INTEGER.test(type) ? 1 : 0));
  const isUniform = (source: Instruction["src"][number]): boolean =>
    source.kind === "reg"
      ? uniform[source.reg] === 1
      : source.kind !== "special" || /^block|^grid/.test(source.special.name);
  for (let changed = true; changed; ) {
    changed = false;
    for (const { op, src, dst, guard, root } of instructions) {
      const may = UNIFORM_OPS.has(op) && guard === null && root?.kind !== "param" && src.every(isUniform);
      for (const reg of dst) {
        if (may || uniform[reg] === 0) continue;
        uniform[reg] = 0;
        changed = true;
      }
    }
  }
  return uniform;
}

/** The number of 32-bit registers that each register takes. */
export function wordsOf(code: RegisterUse): readonly number[] {
  const { instructions, registers } = code;
  const uniform = uniformValues(code);
  const made = new Set(instructions.flatMap(({ dst }) => dst));
  const ofParameters = new Set<Reg>();
  for (const { root, dst } of instructions) if (root?.kind === "param") for (const reg of dst) ofParameters.add(reg);
  return registers.map(({ type }, reg) => {
    if (type === "bool" || (uniform[reg] === 1 && made.has(reg))) return 0;
    if (type === "addr") return ofParameters.has(reg) ? 2 : 1;
    return type === "i64" || type === "u64" || type === "f64" ? 2 : 1;
  });
}
