/** What the translations of single constructs (calls, groups, printf ...) may ask of the function around them. */
import type { Expression, Node } from "acorn";
import type { Span } from "../../base/errors.js";
import type {
  DeviceFunction,
  KernelIr,
  LocalArray,
  SharedArray,
  Stmt,
  Variable,
  VariableExpr,
  Warning,
} from "../../ir/ir.js";
import type { PointerType, Scalar, VectorType } from "../../ir/types.js";
import type { Callee, DeviceDefinition } from "../declare/definition.js";
import type { Form } from "../declare/form.js";
import type { Report } from "../text/report.js";
import type { ScalarExpr, ValueExpr } from "./convert.js";
import type { OperatorContext } from "./operators.js";
import type { PointerValue, Value } from "./value.js";

/** The tables of one kernel, filled while its text and its device functions' texts are read. */
export interface KernelTables {
  readonly variables: Variable[];
  readonly sharedArrays: SharedArray[];
  readonly localArrays: LocalArray[];
  readonly functions: DeviceFunction[];
  readonly warnings: Warning[];
  readonly children: KernelIr[];
  /** What free names have turned out to mean, kept for other instances of the kernel. */
  readonly named: Map<string, Callee>;
  /** Device functions that are being read, outermost first. */
  readonly open: DeviceDefinition[];
  /** Above 0 while text is read for its type alone. */
  readForType: number;
  /** Takes note of what the tables hold; the function given back throws away what has come since. */
  readonly savepoint: () => () => void;
  /** Index in `functions` of a device function for one choice of its pointer parameters' spaces; compiles it once. */
  readonly instance: (
    device: DeviceDefinition,
    pointers: readonly (PointerType | null)[],
    span: Span,
    report: Report,
  ) => number;
}

/** A parameter of the kernel itself; `pointer` is CUDA's name of a pointer's element. */
export interface OwnParameter {
  readonly name: string;
  readonly kind: "scalar" | "pointer";
  readonly type: Scalar;
  readonly pointer: string;
}

export interface Translator extends OperatorContext {
  readonly report: Report;
  readonly tables: KernelTables;
  span(node: { readonly start: number; readonly end: number }): Span;
  value(node: Expression): Value;
  /** A scalar or vector. */
  expr(node: Expression): ValueExpr;
  scalar(node: Expression): ScalarExpr;
  condition(node: Expression): ScalarExpr;
  pointer(node: Expression): PointerValue;
  /** Adds a statement before the one that is being read. */
  emit(statement: Stmt): void;
  /** A variable that holds `value`, declared before the statement that is being read. */
  hold<T extends Scalar | VectorType>(
    name: string,
    value: ValueExpr & { readonly type: T },
  ): VariableExpr & { readonly type: T };
  /** The name that the result of the expression being read will have, for arrays. */
  readonly resultName: string | null;
  /** Arrays made at a place of the text: read twice (switch arms), it stays one array. */
  readonly arraysByNode: Map<Node, PointerValue>;
  /** Parameters of the kernel being translated, for launch(self, ...). */
  readonly ownParameters: readonly OwnParameter[];
  /** Every name that is visible here, CUDA's words left out, for messages. */
  visibleNames(): Iterable<string>;
  /** The device function or kernel that a free name means. */
  defined(name: string): Callee | undefined;
  /** True for the name of the kernel or device function that is being read. */
  isOwnName(name: string): boolean;
  /** False for a device function. */
  readonly isKernel: boolean;
  /** True for a text that a minifier seems to have made. */
  readonly isMinified: boolean;
  /** How the kernel is written, for messages. */
  readonly form: Form;
}

/** One call of a word of the language. */
export interface CallSite {
  readonly name: string;
  readonly args: readonly Expression[];
  readonly span: Span;
  readonly node: Node;
}

export type CallHandler = (translator: Translator, call: CallSite) => Value;
