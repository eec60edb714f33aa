/**
 * The compiler's own form between the IR and the program: structured static single assignment, in the manner of
 * MLIR's `scf` (Lattner et al., "MLIR: Scaling Compiler Infrastructure", 2021). Control flow stays a tree of regions;
 * instead of phi functions an `if` has results, a loop has parameters (carried values) and results, and jumps carry
 * values. A value is visible after its definition in its region and in all regions nested there, so scoping is
 * dominance.
 */
import type { Span } from "../../base/errors.js";
import type { AtomicOp, CompareOp } from "../../ir/ir.js";
import type { Space } from "../../ir/types.js";
import type { IssueSlot, LaunchTarget, Op, RegisterType, Root, Special } from "../program.js";

/** `constant` is set for constants only; `def` is null for constants, loop parameters and results of ifs and loops. */
export class Value {
  readonly id: number;
  readonly type: RegisterType;
  name: string | null = null;
  constant: number | bigint | null = null;
  /** A constant that stands for no value in particular. */
  unset = false;
  def: Inst | null = null;
  /** The loop whose parameter or latch parameter this is, or the `if` or loop whose result it is. */
  owner: IfNode | LoopNode | null = null;
  /** Set when another value took this one's place; see `resolve`. */
  forward: Value | null = null;
  constructor(id: number, type: RegisterType) {
    this.id = id;
    this.type = type;
  }
}

/**
 * `param`, `special`, `base` (the start of a root, as an address) and `warpSize` have no operands. `addr` has an address, an integer
 * index and a `scale`: address + index * scale, the index extended by its type's sign. Shared and local addresses
 * wrap at 32 bits, as on the machine. All else as in `Op`.
 */
export type SsaOp = Exclude<Op, "bra" | "bssy" | "bsync" | "exit"> | "param" | "special" | "base" | "warpSize";

/** What an instruction has besides operands. The same meaning as in `Instruction`. */
export interface Modifiers {
  readonly sourceType?: RegisterType;
  readonly compare?: CompareOp;
  readonly combine?: "and" | "or";
  readonly root?: Root;
  readonly space?: Space;
  readonly scale?: number;
  /** The scale before constant factors of the index went into it. */
  readonly unit?: number;
  /** addr: where a row of an array of several dimensions starts. */
  readonly row?: boolean;
  readonly offset?: number;
  readonly volatile?: boolean;
  readonly atomic?: AtomicOp;
  readonly spin?: boolean;
  readonly redux?: "add" | "min" | "max" | "and" | "or" | "xor";
  readonly barrierReduce?: "count" | "and" | "or";
  readonly format?: string;
  readonly argTypes?: readonly import("../../ir/types.js").Scalar[];
  readonly launch?: LaunchTarget;
  readonly special?: Special;
  readonly index?: number;
  /** lea and lop3: the shift count or the truth table. */
  readonly immediate?: number;
  /** add, sub and mul of floats: rounded by themselves (`__fmul_rn`), never part of a multiply-add. */
  readonly exact?: boolean;
  /** A sum that may overflow for all that NVVM knows: one of strides, put in the place of a product. */
  readonly wraps?: boolean;
  /** add of x to itself: NVVM has x * 2 until it chooses instructions. */
  readonly doubles?: boolean;
  /** add of -1 to a difference x - y: NVVM has x + ~y. */
  readonly complement?: boolean;
  /** CUDA's name of a warp function from before CUDA 9, such as `__shfl`. */
  readonly legacy?: string;
}

export const NO_MODIFIERS: Modifiers = {};
export const COMPLEMENT: Modifiers = { complement: true };
export const DOUBLES: Modifiers = { doubles: true };

export class Inst {
  readonly kind = "inst" as const;
  /** The machine instructions it takes, where they are not those of its operation; empty if another does its work. */
  slots: readonly IssueSlot[] | null = null;
  /** Kept by the value numbering: the part of its key that the operands do not change. */
  prefix: { readonly mods: Modifiers; readonly op: SsaOp; readonly type: RegisterType; readonly text: string } | null =
    null;
  op: SsaOp;
  type: RegisterType;
  results: Value[];
  operands: Value[];
  mods: Modifiers;
  readonly span: Span;
  readonly source: number;
  constructor(
    op: SsaOp,
    type: RegisterType,
    results: Value[],
    operands: Value[],
    mods: Modifiers,
    span: Span,
    source: number,
  ) {
    this.op = op;
    this.type = type;
    this.results = results;
    this.operands = operands;
    this.mods = mods;
    this.span = span;
    this.source = source;
    for (const result of results) result.def = this;
  }
}

/** A list of nodes and how it ends. */
export interface Region {
  nodes: SsaNode[];
  end: Terminator;
}

/**
 * `yield` gives the values of the enclosing if's results or the loop's latch parameters (body) or nothing (latch and the
 * kernel's region). `break` gives the loop's results, `continue` its latch parameters. `unreachable`: something in the
 * region always jumps.
 */
export type Terminator =
  | { readonly kind: "yield"; values: Value[] }
  | { readonly kind: "break"; readonly loop: LoopNode; values: Value[]; readonly span: Span; readonly source: number }
  | {
      readonly kind: "continue";
      readonly loop: LoopNode;
      values: Value[];
      readonly span: Span;
      readonly source: number;
    }
  | { readonly kind: "exit"; values: Value[]; readonly span: Span; readonly source: number }
  | { readonly kind: "unreachable"; values: Value[] };

export interface IfNode {
  readonly kind: "if";
  condition: Value;
  then: Region;
  else: Region;
  results: Value[];
  /** A loop stood in it in the text, perhaps one that has been unrolled since. */
  readonly looped: boolean;
  /** NVVM makes selects of it (if-to-select.ts). */
  select: boolean;
  /** A test of a switch, which NVVM never makes a select of. */
  readonly arm?: true;
  /** The assembler's own: one lane acts for its warp. Always a guard, never a branch. */
  readonly leader?: true;
  readonly span: Span;
  readonly source: number;
}

/**
 * Runs `body`, whose end and whose `continue`s give `latchParams`, then `latch`; while `condition` (null: always) holds,
 * again with `nexts` as the parameters. Leaving by the latch gives `exits` as results; a `break` gives its own values.
 * A loop whose test comes first stands in an `if` with the first test (rotated).
 */
export interface LoopNode {
  readonly kind: "loop";
  readonly id: number;
  params: Value[];
  inits: Value[];
  body: Region;
  latchParams: Value[];
  latch: Region;
  condition: Value | null;
  nexts: Value[];
  exits: Value[];
  results: Value[];
  readonly unroll: number | "full" | null;
  /** Its test holds where it is entered; false: it runs once before it tests (`do`). */
  readonly tested: boolean;
  /** The rounds of an inner loop are written out in it. */
  holdsRounds: boolean;
  readonly span: Span;
  readonly source: number;
}

export type SsaNode = Inst | IfNode | LoopNode;

/** One kernel in SSA form, and the numbering of its values. */
export class SsaFunction {
  body: Region = { nodes: [], end: { kind: "yield", values: [] } };
  private nextValue = 0;
  private nextLoop = 0;
  private readonly constants = new Map<string, Value>();

  get valueCount(): number {
    return this.nextValue;
  }

  value(type: RegisterType, name: string | null = null): Value {
    const value = new Value(this.nextValue++, type);
    value.name = name;
    return value;
  }

  constant(type: RegisterType, constant: number | bigint): Value {
    const key = `${type}:${Object.is(constant, -0) ? "-0" : constant}`;
    let value = this.constants.get(key);
    if (value === undefined) {
      value = this.value(type);
      value.constant = constant;
      this.constants.set(key, value);
    }
    return value;
  }

  /** What a variable without a value holds: a constant that no instruction puts into a register. */
  unset(type: RegisterType, constant: number | bigint): Value {
    const key = `unset ${type}`;
    const value = this.constants.get(key) ?? this.value(type);
    value.constant = constant;
    value.unset = true;
    this.constants.set(key, value);
    return value;
  }

  loopId(): number {
    return this.nextLoop++;
  }
}

/** The value that stands for `value` now. */
export function resolve(value: Value): Value {
  let current = value;
  while (current.forward !== null) current = current.forward;
  if (value !== current) value.forward = current;
  return current;
}

export function replace(value: Value, by: Value): void {
  const target = resolve(by);
  if (target !== value) {
    value.forward = target;
    if (target.name === null && target.constant === null) target.name = value.name;
  }
}

/** Replaces each of `values`; `by` gives the other one from its place. */
export function replaceEach(values: readonly Value[], by: (index: number) => Value): void {
  for (let i = 0; i < values.length; i++) replace(values[i]!, by(i));
}

export function emptyRegion(): Region {
  return { nodes: [], end: { kind: "yield", values: [] } };
}

/** What stands in a node: the sides of an if, a loop's body and latch. */
export function regionsOf(node: SsaNode): readonly Region[] {
  if (node.kind === "inst") return [];
  return node.kind === "if" ? [node.then, node.else] : [node.body, node.latch];
}

/** Calls `visit` for every node, outer before inner, in program order. */
export function walk(region: Region, visit: (node: SsaNode, region: Region) => void): void {
  for (const node of region.nodes) {
    visit(node, region);
    for (const inner of regionsOf(node)) walk(inner, visit);
  }
}

/** Another loop stands in it. */
export function holdsLoop(loop: LoopNode): boolean {
  let holds = false;
  walk(loop.body, (node) => {
    if (node.kind === "loop") holds = true;
  });
  return holds;
}

/** Replaces every value that a node or terminator reads by what `map` gives for it. */
export function mapOperands(region: Region, map: (value: Value) => Value): void {
  const all = (values: Value[]): void => {
    for (let i = 0; i < values.length; i++) values[i] = map(values[i]!);
  };
  for (const node of region.nodes) {
    if (node.kind === "inst") all(node.operands);
    else if (node.kind === "if") {
      node.condition = map(node.condition);
      mapOperands(node.then, map);
      mapOperands(node.else, map);
    } else {
      all(node.inits);
      mapOperands(node.body, map);
      mapOperands(node.latch, map);
      if (node.condition !== null) node.condition = map(node.condition);
      all(node.nexts);
      all(node.exits);
    }
  }
  all(region.end.values);
}

/** How often each value is read, by value id. */
export function countUses(fn: SsaFunction): Int32Array {
  const uses = new Int32Array(fn.valueCount);
  mapOperands(fn.body, (value) => {
    const target = resolve(value);
    uses[target.id] = (uses[target.id] ?? 0) + 1;
    return target;
  });
  return uses;
}

export function isJump(end: Terminator): boolean {
  return end.kind !== "yield";
}
