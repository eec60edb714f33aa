/** The state of one kernel's translation: its tables, the function that is being read, the statements made so far. */
import { CompileError, type SourceText, type Span } from "../../../base/errors.js";
import type { DeviceFunction, Expr, LocalArray, Param, SharedArray, Stmt, Variable, Warning } from "../../../ir/ir.js";
import type { PointerType, Scalar, VectorType } from "../../../ir/types.js";
import type { Node, Place } from "../tree/node.js";
import type { CType } from "../tree/types.js";
import type { FunctionNode, Unit } from "../tree/unit.js";
import { type Usage, usageOf } from "../tree/usage.js";
import type { Address, Location, Value } from "./values.js";

/** Texts by file, for messages. */
export type Sources = (file: string) => SourceText;

/** The meaning of `return` where it stands. */
export type ReturnTarget =
  | { readonly kind: "kernel" }
  | { readonly kind: "function"; readonly type: CType; readonly result: Address | null }
  | { readonly kind: "inline"; readonly type: CType; result: Value | Location | null };

/** A file of 1 MB has about a fifth of them. */
const MOST_STATEMENTS = 150_000;

export interface KernelTables {
  readonly variables: Variable[];
  readonly sharedArrays: SharedArray[];
  readonly localArrays: LocalArray[];
  readonly functions: DeviceFunction[];
  readonly params: Param[];
  readonly warnings: Warning[];
  readonly children: FunctionNode[];
  /** Index of an IR function by its declaration and the spaces of its pointers. */
  readonly instances: Map<string, number>;
  /** Variables of the device and of a function's static memory, by declaration. */
  readonly statics: Map<string, Location>;
  /** Variables of the device that the kernel uses: hidden parameters behind its own. */
  readonly symbols: Map<string, number>;
  /** Parameters that are compared with null; "any" where a function compares one of its own. */
  readonly comparedWithNull: Set<number | "any">;
}

/** The readers of different kinds of text: each may hold the others, and they reach each other through the translation. */
export interface Readers {
  value(t: Translation, node: Node): Value;
  locate(t: Translation, node: Node): Location;
  condition(t: Translation, node: Node): Expr;
  effect(t: Translation, node: Node): void;
  statement(t: Translation, node: Node): void;
  constructorCall(t: Translation, fn: FunctionNode, place: Location, args: readonly Node[], node: Node): void;
}

export class Translation {
  output: Stmt[] = [];
  scope: Map<string, Location> = new Map();
  returns: ReturnTarget = { kind: "kernel" };
  /** The object of the member function that is being read. */
  self: Location | null = null;
  /** Functions that are open, against recursion. */
  readonly open: FunctionNode[] = [];
  usage: Usage;
  /** The last place in the kernel's own file: what comes of a header is told there. */
  private lastPlace: Place | null = null;
  private written = 0;
  private readonly usages = new Map<string, Usage>();

  constructor(
    readonly unit: Unit,
    readonly tables: KernelTables,
    readonly kernel: FunctionNode,
    readonly sources: Sources,
    readonly readers: Readers,
  ) {
    this.usage = this.usageOf(kernel);
  }

  usageOf(fn: FunctionNode): Usage {
    const known = this.usages.get(fn.node.id) ?? usageOf(this.unit, fn);
    this.usages.set(fn.node.id, known);
    return known;
  }

  span(node: Node): Span {
    const place = this.placeOf(node);
    return { line: place.line, column: place.column, length: place.length };
  }

  private placeOf(node: Node): Place {
    const file = this.kernel.node.place?.file;
    if (node.place !== undefined && (file === undefined || node.place.file === file)) {
      this.lastPlace = node.place;
      return node.place;
    }
    return this.lastPlace ?? node.place ?? { file: "", line: 1, column: 0, length: 1 };
  }
  /** Ends the kernel's translation: the text is C++, but this compiler has no meaning for it. */
  refuse(node: Node, what: string, cure: string): never {
    const place = node.place ?? this.placeOf(node);
    const span = { line: place.line, column: place.column, length: place.length };
    throw new CompileError({ what, cure, source: { ...this.sources(place.file), name: this.kernel.name }, span });
  }

  emit(statement: Stmt): void {
    this.written += 1;
    this.refuseMany(this.written);
    this.output.push(statement);
  }

  /** Refuses a kernel that becomes so many statements. */
  refuseMany(statements: number): void {
    if (statements <= MOST_STATEMENTS) return;
    this.refuse(
      this.kernel.node,
      `The kernel becomes too large: its functions and the arms of its switches make more than ${MOST_STATEMENTS} statements.`,
      "Call functions that take references or structs less often in one another, and end each case with break.",
    );
  }

  /** The statements that `work` makes. */
  collect(work: () => void): Stmt[] {
    const outer = this.output;
    const made: Stmt[] = [];
    this.output = made;
    try {
      work();
    } finally {
      this.output = outer;
    }
    return made;
  }

  variable(name: string, type: Scalar | VectorType | PointerType, span: Span): number {
    this.tables.variables.push({ name, type, mutable: true, span });
    return this.tables.variables.length - 1;
  }

  /** A variable that holds a scalar or a vector from here on. */
  hold(name: string, expr: Expr, type: Scalar | VectorType): Expr {
    if (expr.kind === "const") return expr;
    const variable = this.variable(name, type, expr.span);
    this.emit({ kind: "declare", variable, value: expr, span: expr.span });
    return { kind: "variable", type, variable, span: expr.span };
  }

  localArray(name: string, element: LocalArray["element"], dims: readonly number[], span: Span): number {
    this.tables.localArrays.push({ name, element, dims, span });
    return this.tables.localArrays.length - 1;
  }
}
