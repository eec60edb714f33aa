/** Turns the draft into the immutable program: pcs, targets, the tree with runs, densely numbered registers. */

import type { Instruction, Op, ProgramNode, Reg, Region, Register } from "../program.js";
import type { Modifiers } from "../ssa/ssa.js";
import type { Draft, DraftInst, DraftRegion } from "./draft.js";
import { eachInst, renameRegisters } from "./draft.js";

export interface FinishedCode {
  readonly instructions: readonly Instruction[];
  readonly body: Region;
  readonly registers: readonly Register[];
}

/** Numbers the draft's instructions and registers, so that each has the same number in the program. */
export function finish(draft: Draft): FinishedCode {
  let pc = 0;
  eachInst(draft.region, (inst) => {
    inst.pc = pc++;
  });
  numberRegisters(draft);
  const targets = new Map<DraftInst, number>();
  place(draft.region, pc, new Map(), targets);
  const instructions: Instruction[] = [];
  eachInst(draft.region, (inst) => instructions.push(instruction(inst, targets)));
  return { instructions, body: tree(draft.region), registers: [...draft.registers] };
}

/** Registers are numbered in the order of their appearance; those that no instruction names are dropped. */
function numberRegisters(draft: Draft): void {
  const numbers = new Int32Array(draft.registers.length).fill(-1);
  const named: Register[] = [];
  renameRegisters(draft.region, (reg: Reg): Reg => {
    if (numbers[reg] === -1) {
      numbers[reg] = named.length;
      named.push(draft.registers[reg]!);
    }
    return numbers[reg]!;
  });
  draft.registers.splice(0, draft.registers.length, ...named);
}

const MODIFIER_OPS: ReadonlySet<Op> = new Set<Op>(["bra", "exit", "overhead", "bssy", "bsync"]);

function instruction(inst: DraftInst, targets: ReadonlyMap<DraftInst, number>): Instruction {
  const { mods } = inst;
  const target = targets.get(inst);
  const src = [...inst.src];
  if ((inst.op === "lea" || inst.op === "lop3") && mods.immediate !== undefined) {
    src.push({ kind: "imm", value: mods.immediate });
  }
  const base = {
    pc: inst.pc,
    op: inst.op,
    type: inst.type,
    dst: inst.dst,
    src,
    guard: inst.guard,
    issue: inst.issue,
    span: inst.span,
    source: inst.source,
    ...(target === undefined ? {} : { target }),
  };
  if (MODIFIER_OPS.has(inst.op)) return base;
  return Object.assign(base, programModifiers(mods));
}

const programModifiersOf = new WeakMap<Modifiers, Partial<Instruction>>();

/** The modifiers that the program keeps. */
function programModifiers(mods: Modifiers): Partial<Instruction> {
  let kept = programModifiersOf.get(mods);
  if (kept === undefined) {
    const { special: _special, index: _index, immediate: _immediate, exact: _exact, legacy: _legacy, ...rest } = mods;
    kept = rest;
    programModifiersOf.set(mods, kept);
  }
  return kept;
}

/** Sets the target of every jump. `end` is the pc after the region. */
function place(
  region: DraftRegion,
  end: number,
  loops: Map<number, { readonly breakTo: number; readonly continueTo: number }>,
  targets: Map<DraftInst, number>,
): void {
  for (let i = 0; i < region.length; i++) {
    const node = region[i]!;
    const next = region[i + 1];
    const after = next === undefined ? end : startOf(next);
    if (node.kind === "inst") {
      if (node.inst.target !== null) targets.set(node.inst, node.inst.target.pc);
    } else if (node.kind === "if") {
      const elseStart = node.else[0] === undefined ? after : startOf(node.else[0]);
      targets.set(node.branch, elseStart);
      place(node.then, node.jumpOver === null ? elseStart : node.jumpOver.pc, loops, targets);
      if (node.jumpOver !== null) targets.set(node.jumpOver, after);
      place(node.else, after, loops, targets);
    } else if (node.kind === "loop") {
      const latchStart = node.latch[0] === undefined ? node.backBranch.pc : startOf(node.latch[0]);
      const bodyStart = node.body[0] === undefined ? latchStart : startOf(node.body[0]);
      targets.set(node.backBranch, bodyStart);
      loops.set(node.id, { breakTo: node.backBranch.pc + 1, continueTo: latchStart });
      place(node.body, latchStart, loops, targets);
      place(node.latch, node.backBranch.pc, loops, targets);
    } else if (node.jump !== "exit") {
      const loop = loops.get(node.loop)!;
      targets.set(node.inst, node.jump === "break" ? loop.breakTo : loop.continueTo);
    }
  }
}

function startOf(node: DraftRegion[number]): number {
  if (node.kind === "inst" || node.kind === "jump") return node.inst.pc;
  if (node.kind === "if") return node.branch.pc;
  const first = node.body[0] ?? node.latch[0];
  return first === undefined ? node.backBranch.pc : startOf(first);
}

function tree(region: DraftRegion): Region {
  const nodes: ProgramNode[] = [];
  let run: { kind: "run"; first: number; count: number } | null = null;
  for (const node of region) {
    if (node.kind === "inst") {
      if (run === null) {
        run = { kind: "run", first: node.inst.pc, count: 0 };
        nodes.push(run);
      }
      run.count++;
      continue;
    }
    run = null;
    if (node.kind === "if") {
      nodes.push({
        kind: "if",
        branch: node.branch.pc,
        condition: node.condition,
        then: tree(node.then),
        jumpOver: node.jumpOver === null ? null : node.jumpOver.pc,
        else: tree(node.else),
      });
    } else if (node.kind === "loop") {
      nodes.push({
        kind: "loop",
        id: node.id,
        body: tree(node.body),
        latch: tree(node.latch),
        backBranch: node.backBranch.pc,
        condition: node.condition,
      });
    } else {
      nodes.push({
        kind: node.jump,
        pc: node.inst.pc,
        condition: node.condition,
        loop: node.jump === "exit" ? -1 : node.loop,
      });
    }
  }
  return nodes;
}
