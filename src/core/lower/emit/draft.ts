/** The program during emission: the tree of `Program.body` with mutable instructions. */
import type { Span } from "../../base/errors.js";
import type { Guard, IssueSlot, Op, Operand, Reg, Register, RegisterType } from "../program.js";
import { type Modifiers, NO_MODIFIERS } from "../ssa/ssa.js";

export interface DraftInst {
  readonly op: Op;
  readonly type: RegisterType;
  dst: Reg[];
  src: Operand[];
  guard: Guard | null;
  readonly issue: readonly IssueSlot[];
  readonly span: Span;
  readonly source: number;
  readonly mods: Modifiers;
  /** False if the write leaves the register's old value in some lanes that may still read it. */
  readonly kills: boolean;
  /** A move for a phi, removed if both values can share a register. */
  readonly copy: boolean;
  /** The target of a bra or bssy, resolved at the end; null for jumps that the tree places. */
  target: DraftInst | null;
  pc: number;
}

/** An instruction without operands: control flow and overhead. */
export function bareInst(
  op: Op,
  issue: readonly IssueSlot[],
  guard: Guard | null,
  { span, source }: { readonly span: Span; readonly source: number },
): DraftInst {
  return {
    op,
    type: "u32",
    dst: [],
    src: [],
    guard,
    issue,
    span,
    source,
    mods: NO_MODIFIERS,
    kills: true,
    copy: false,
    target: null,
    pc: -1,
  };
}

export type DraftRegion = DraftNode[];

export type DraftNode = { readonly kind: "inst"; readonly inst: DraftInst } | DraftIf | DraftLoop | DraftJump;

export interface DraftIf {
  readonly kind: "if";
  readonly branch: DraftInst;
  condition: Guard;
  readonly then: DraftRegion;
  readonly jumpOver: DraftInst | null;
  readonly else: DraftRegion;
}

export interface DraftLoop {
  readonly kind: "loop";
  readonly id: number;
  readonly body: DraftRegion;
  readonly latch: DraftRegion;
  readonly backBranch: DraftInst;
  condition: Guard | null;
}

export interface DraftJump {
  readonly kind: "jump";
  readonly jump: "break" | "continue" | "exit";
  readonly inst: DraftInst;
  condition: Guard | null;
  readonly loop: number;
}

export interface Draft {
  readonly region: DraftRegion;
  readonly registers: Register[];
}

/** The regions nested in a node, in program order. */
export function innerRegions(node: DraftNode): readonly DraftRegion[] {
  if (node.kind === "if") return [node.then, node.else];
  return node.kind === "loop" ? [node.body, node.latch] : [];
}

/** Every instruction of a draft, in program order. */
export function eachInst(region: DraftRegion, visit: (inst: DraftInst) => void): void {
  for (const node of region) {
    if (node.kind === "inst" || node.kind === "jump") visit(node.inst);
    else if (node.kind === "if") {
      visit(node.branch);
      eachInst(node.then, visit);
      if (node.jumpOver !== null) visit(node.jumpOver);
      eachInst(node.else, visit);
    } else {
      eachInst(node.body, visit);
      eachInst(node.latch, visit);
      visit(node.backBranch);
    }
  }
}

/** Gives each register another name, in program order: an instruction's sources, its results, its guard. */
export function renameRegisters(region: DraftRegion, rename: (reg: Reg) => Reg): void {
  eachInst(region, (inst) => {
    inst.src = inst.src.map((operand) =>
      operand.kind === "reg" ? { kind: "reg", reg: rename(operand.reg) } : operand,
    );
    inst.dst = inst.dst.map(rename);
    if (inst.guard !== null) inst.guard = { reg: rename(inst.guard.reg), negate: inst.guard.negate };
  });
  renameConditions(region, rename);
}

function renameConditions(region: DraftRegion, rename: (reg: Reg) => Reg): void {
  for (const node of region) {
    if (node.kind === "inst") continue;
    if (node.condition !== null) node.condition = { reg: rename(node.condition.reg), negate: node.condition.negate };
    for (const inner of innerRegions(node)) renameConditions(inner, rename);
  }
}
