/**
 * The compiler's intermediate form between the IR and the program: structured SSA, like MLIR's `scf` dialect
 * (Lattner et al., "MLIR: Scaling Compiler Infrastructure", 2021). Control flow stays a tree of regions. An `if` has
 * results, a loop has parameters and results, and jumps carry values: they replace phis. A value is visible after
 * its definition, in its region and all nested ones, so scoping is dominance.
 */
import type { Span } from "../../base/errors.js";
import type { AtomicOp, CompareOp } from "../../ir/ir.js";
import type { Narrow, Space } from "../../ir/types.js";
import type { IssueSlot, LaunchTarget, Op, RegisterType, Root, Special } from "../program.js";

/** `constant` is set for constants only; `def` is null for constants, loop parameters and results of ifs and loops. */
export class Value {
  readonly id: number;
  readonly type: RegisterType;
  name: string | null = null;
  constant: number | bigint | null = null;
  /** An arbitrary constant: it stands for an undefined value. */
  unset = false;
  def: Inst | null = null;
  /** The loop that has this parameter or latch parameter, or the `if` or loop that has this result. */
  owner: IfNode | LoopNode | null = null;
  /** The value that replaces this one; see `resolve`. */
  forward: Value | null = null;
  constructor(id: number, type: RegisterType) {
    this.id = id;
    this.type = type;
  }
}

/**
 * `param`, `special`, `base` (the start of a root, as an address) and `warpSize` have no operands. `addr` computes
 * address + index * `scale`; the index is extended by its type's sign. Shared and local addresses wrap at 32 bits,
 * as on the machine. All else as in `Op`.
 */
export type SsaOp = Exclude<Op, "bra" | "bssy" | "bsync" | "exit"> | "param" | "special" | "base" | "warpSize";

/** The properties of an instruction besides its operands. They mean the same as in `Instruction`. */
export interface Modifiers {
  readonly sourceType?: RegisterType;
  readonly compare?: CompareOp;
  readonly combine?: "and" | "or";
  readonly root?: Root;
  readonly space?: Space;
  readonly scale?: number;
  /** The scale before constant factors of the index were folded into it. */
  readonly unit?: number;
  /** addr: the start of a row of a multidimensional array. */
  readonly row?: boolean;
  readonly offset?: number;
  readonly volatile?: boolean;
  readonly narrow?: Narrow;
  readonly atomic?: AtomicOp;
  readonly spin?: boolean;
  readonly together?: boolean;
  readonly redux?: "add" | "min" | "max" | "and" | "or" | "xor";
  readonly barrierReduce?: "count" | "and" | "or";
  readonly format?: string;
  readonly asserts?: true;
  readonly argTypes?: readonly import("../../ir/types.js").Scalar[];
  readonly launch?: LaunchTarget;
  readonly special?: Special;
  readonly index?: number;
  /** lea and lop3: the shift count or the truth table. */
  readonly immediate?: number;
  /** Float add, sub and mul: rounded by itself (`__fmul_rn`), never contracted into a multiply-add. */
  readonly exact?: boolean;
  /** NVVM cannot prove that the sum does not overflow: it adds a stride instead of multiplying. */
  readonly wraps?: boolean;
  /** add of x to itself: NVVM keeps x * 2 until instruction selection. */
  readonly doubles?: boolean;
  /** add of -1 to a difference x - y: NVVM keeps x + ~y. */
  readonly complement?: boolean;
  /** CUDA's name of a warp function older than CUDA 9, such as `__shfl`. */
  readonly legacy?: string;
}

export const NO_MODIFIERS: Modifiers = {};
export const COMPLEMENT: Modifiers = { complement: true };
export const DOUBLES: Modifiers = { doubles: true };

export class Inst {
  readonly kind = "inst" as const;
  /**
   * Its machine instructions, where they differ from those of its operation. Empty if another instruction does its
   * work.
   */
  slots: readonly IssueSlot[] | null = null;
  /** Cached by value numbering: the part of the key that does not depend on the operands. */
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

/** A list of nodes and a terminator. */
export interface Region {
  nodes: SsaNode[];
  end: Terminator;
}

/**
 * `yield` gives the results of the enclosing if, or a loop body's latch parameters, or nothing (latch, kernel).
 * `break` gives the loop's results, `continue` its latch parameters. `unreachable`: a jump always precedes it.
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
  /** The source had a loop in it, which may be unrolled by now. */
  readonly looped: boolean;
  /** NVVM turns it into selects (if-to-select.ts). */
  select: boolean;
  /** A test of a switch, which NVVM never turns into a select. */
  readonly arm?: true;
  /** Made by ptxas: one lane acts for its warp. It is always predicated, never a branch. */
  readonly leader?: true;
  /** The source has an else, or what stands for one, for code that is not optimised. */
  elseWritten?: boolean;
  readonly span: Span;
  readonly source: number;
}

/**
 * Runs `body`, then `latch`, and repeats with `nexts` as the parameters while `condition` holds (null: always). The
 * end and each `continue` of the body give `latchParams`. Leaving by the latch gives `exits` as results; a `break`
 * gives its own values. A loop that tests first is rotated: it stands in an `if` with the first test.
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
  /** The test holds on entry. False: the first iteration runs before the test (`do`). */
  readonly tested: boolean;
  /** It contains the unrolled iterations of an inner loop. */
  holdsRounds: boolean;
  readonly span: Span;
  readonly source: number;
}

export type SsaNode = Inst | IfNode | LoopNode;

/** Values of a kernel as it was written, device functions inlined, and with all that its passes make. */
export const MOST_BUILT: number = 2 ** 18;
export const MOST_VALUES: number = 2 ** 20;

/** Inlined calls or unrolled loops have made a kernel vast. */
export class TooManyValues extends Error {}

/** One kernel in SSA form. It numbers the values. */
export class SsaFunction {
  body: Region = { nodes: [], end: { kind: "yield", values: [] } };
  mostValues: number = MOST_BUILT;
  private nextValue = 0;
  private nextLoop = 0;
  private readonly constants = new Map<string, Value>();

  get valueCount(): number {
    return this.nextValue;
  }

  value(type: RegisterType, name: string | null = null): Value {
    if (this.nextValue > this.mostValues) throw new TooManyValues();
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

  /** The value of an uninitialized variable: a constant that no instruction writes to a register. */
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

/** The value that `value` is replaced by, or itself. */
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

/** Replaces each of `values` by the value that `by` returns for its index. */
export function replaceEach(values: readonly Value[], by: (index: number) => Value): void {
  for (let i = 0; i < values.length; i++) replace(values[i]!, by(i));
}

export function emptyRegion(): Region {
  return { nodes: [], end: { kind: "yield", values: [] } };
}

/** The regions nested in a node: the sides of an if, a loop's body and latch. */
export function regionsOf(node: SsaNode): readonly Region[] {
  if (node.kind === "inst") return [];
  return node.kind === "if" ? [node.then, node.else] : [node.body, node.latch];
}

/** Visits every node in program order, outer before inner. */
export function walk(region: Region, visit: (node: SsaNode, region: Region) => void): void {
  for (const node of region.nodes) {
    visit(node, region);
    for (const inner of regionsOf(node)) walk(inner, visit);
  }
}

/** True if the loop contains another loop. */
export function holdsLoop(loop: LoopNode): boolean {
  let holds = false;
  walk(loop.body, (node) => {
    if (node.kind === "loop") holds = true;
  });
  return holds;
}

/** Replaces every value that a node or terminator reads by the one that `map` returns. */
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

/** The number of uses of each value, by value id. */
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
