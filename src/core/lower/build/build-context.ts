/** The state of SSA construction: the function, the open region, and the value of each variable. */
import type { SourceText, Span } from "../../base/errors.js";
import type { Expr, IfStmt, KernelIr, Stmt } from "../../ir/ir.js";
import type { RegisterType, Root } from "../program.js";
import {
  Inst,
  type LoopNode,
  type Modifiers,
  type Region,
  type SsaFunction,
  type SsaOp,
  type Value,
} from "../ssa/ssa.js";

/** A variable's value: its components (one for a scalar), or an address with its root. */
export interface Slot {
  readonly values: readonly Value[];
  readonly root: Root | null;
}

export type Environment = Map<number, Slot>;

/** The target of `break` and `continue`: the loop, and the variables it carries in the order of its parameters. */
export interface LoopScope {
  readonly loop: LoopNode;
  readonly carried: readonly number[];
}

/** An inlined call. `return` sets pseudo variables, which have negative ids in the environment. */
export interface CallScope {
  /** Pseudo variable (bool) that is true once the callee has returned. */
  readonly returned: number;
  /** Pseudo variable with the returned value. */
  readonly result: number;
  /** The callee's open loops. */
  readonly loops: number;
}

/** The mutually recursive parts of SSA construction; build.ts connects them. */
export interface Builders {
  statements(context: BuildContext, statements: readonly Stmt[]): void;
  call(context: BuildContext, callee: number, args: readonly Expr[], span: Span): readonly Value[];
}

export class BuildContext {
  readonly builders: Builders;
  readonly ir: KernelIr;
  readonly fn: SsaFunction;
  readonly sources: readonly SourceText[];
  region: Region;
  environment: Environment = new Map();
  /** The open region has ended in a jump: code after it is unreachable. */
  ended = false;
  loops: LoopScope[] = [];
  calls: CallScope[] = [];
  /** Index into `sources` of the text being built. */
  source = 0;
  nextPseudo = -1;
  /** Tests of switches that already stand in NVVM's order. */
  readonly ordered: Set<IfStmt> = new Set();

  constructor(ir: KernelIr, fn: SsaFunction, builders: Builders) {
    this.builders = builders;
    this.ir = ir;
    this.fn = fn;
    this.sources = [ir.source, ...ir.functions.map((callee) => callee.source)];
    this.region = fn.body;
  }

  /** Appends an instruction with one result. */
  emit(op: SsaOp, type: RegisterType, operands: Value[], span: Span, mods: Modifiers = {}): Value {
    const result = this.fn.value(type);
    this.region.nodes.push(new Inst(op, type, [result], operands, mods, span, this.source));
    return result;
  }

  /** Appends an instruction with any number of results. */
  emitMany(op: SsaOp, type: RegisterType, results: Value[], operands: Value[], span: Span, mods: Modifiers = {}): void {
    this.region.nodes.push(new Inst(op, type, results, operands, mods, span, this.source));
  }

  slot(variable: number, span: Span): Slot {
    const slot = this.environment.get(variable);
    if (slot === undefined) {
      throw this.error(`variable ${this.ir.variables[variable]?.name ?? variable} is read before it is declared`, span);
    }
    return slot;
  }

  /** Marks the tests of a switch's tree as ordered. */
  order(stmt: IfStmt): IfStmt {
    this.ordered.add(stmt);
    for (const side of [stmt.then, stmt.else]) {
      const [only] = side;
      if (side.length === 1 && only?.kind === "if" && only.arm === true) this.order(only);
    }
    return stmt;
  }

  statements(statements: readonly Stmt[]): void {
    this.builders.statements(this, statements);
  }

  carriedValues(carried: readonly number[]): Value[] {
    return carried.flatMap((variable) => this.environment.get(variable)!.values);
  }

  /** The IR violates an invariant, which no kernel's source can cause. */
  error(what: string, span: Span): Error {
    return new Error(`${what} (${this.sources[this.source]?.name}, line ${span.line})`);
  }
}
