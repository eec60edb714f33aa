/** Names and their members: what an identifier, `a.b` or `a[i]` stands for, with the state they are looked up in. */
import type { Expression, Identifier, MemberExpression, Node } from "acorn";
import { CompileError, type Span } from "../../base/errors.js";
import type { Stmt, VariableExpr } from "../../ir/ir.js";
import { cudaName, isScalar, type Scalar, type VectorType } from "../../ir/types.js";
import type { Callee } from "../declare/definition.js";
import { lastDefined } from "../declare/definitions.js";
import type { Form } from "../declare/form.js";
import { absentWord } from "../text/absent-words.js";
import { nearest } from "../text/nearest.js";
import { refusedSyntax } from "../text/refused.js";
import type { Report } from "../text/report.js";
import { aType, startingWith } from "../text/type-name.js";
import { builtinNames, builtinValue } from "./calls/builtins.js";
import { javaScriptMath } from "./calls/math.js";
import { isScalarExpr, type ScalarExpr, type ValueExpr } from "./convert.js";
import { exactValue, literal } from "./fold.js";
import { freeName, isIdentifier, isMathConstant, unknownMember } from "./free-name.js";
import { indexExpression, indexed, load, settled } from "./memory.js";
import { readNames } from "./ruled-out.js";
import { Scope } from "./scope.js";
import type { ParsedSource } from "./source.js";
import type { KernelTables, OwnParameter, Translator } from "./translator.js";
import { describe, type PlainValue, type PointerValue, plain, type Value } from "./value.js";

const components: readonly string[] = ["x", "y", "z", "w"];

/** Mean length of a line beyond which a text is taken for a minifier's. */
const MINIFIED_LINE_LENGTH = 150;

/** Parameters, constants and functions by name. */
export type Members = ReadonlyMap<string, Value>;

export abstract class NameTranslator implements Translator {
  readonly nonNegative: Set<number> = new Set();
  readonly arraysByNode: Map<Node, PointerValue> = new Map();
  resultName: string | null = null;
  abstract readonly ownParameters: readonly OwnParameter[];
  abstract readonly isKernel: boolean;
  abstract readonly form: Form;
  protected scope: Scope = new Scope(null);
  protected output: Stmt[] = [];
  /** Above 0 inside of loop conditions, right sides of && and || and arms of ?:, where no statement can be added. */
  protected repeated = 0;

  constructor(
    protected readonly source: ParsedSource,
    readonly report: Report,
    readonly tables: KernelTables,
    /** Parameters by name. */
    protected readonly params: Members,
    /** Template constants and device functions by name. */
    protected readonly constants: Members,
  ) {}

  span(node: { readonly start: number; readonly end: number }): Span {
    return this.source.span(node);
  }

  emit(statement: Stmt): void {
    this.output.push(statement);
  }

  hold<T extends Scalar | VectorType>(
    name: string,
    value: ValueExpr & { readonly type: T },
  ): VariableExpr & { readonly type: T } {
    if (this.repeated > 0) {
      this.report.fail(
        value.span,
        "This stands where it may run never, or again and again.",
        "Give it a name in a statement before: const group = coalesced_threads();",
      );
    }
    const variable = this.tables.variables.length;
    this.tables.variables.push({ name, type: value.type, mutable: false, span: value.span });
    this.emit({ kind: "declare", variable, value, span: value.span });
    return { kind: "variable", type: value.type, variable, span: value.span };
  }

  /** What `work` gives, read where it runs not exactly once. */
  protected notOnce<T>(work: () => T): T {
    this.repeated++;
    const result = work();
    this.repeated--;
    return result;
  }

  /** What `work` gives where the text is read for its type alone and leaves nothing behind; null where it has none. */
  protected readForType<T>(work: () => T): T | null {
    const restore = this.tables.savepoint();
    const { output, repeated, resultName } = this;
    const [nonNegative, arrays] = [new Set(this.nonNegative), new Map(this.arraysByNode)];
    this.output = [];
    this.tables.readForType++;
    try {
      return work();
    } catch (failure) {
      if (failure instanceof CompileError) return null;
      throw failure;
    } finally {
      this.tables.readForType--;
      restore();
      Object.assign(this, { output, repeated, resultName });
      this.nonNegative.clear();
      for (const variable of nonNegative) this.nonNegative.add(variable);
      this.arraysByNode.clear();
      for (const [node, array] of arrays) this.arraysByNode.set(node, array);
    }
  }

  /** Reads the names of statements or expressions that constants rule out together. */
  protected ruleOut(...roots: readonly Node[]): void {
    readNames(roots, {
      isFree: (name) => this.isFree(name),
      freeName: (name, node) => void this.named(name, node as Expression),
      member: (node) => {
        const value = this.scope.find(node.object.name)?.value;
        const hasMembers = value?.kind === "namespace" || value?.kind === "dim3" || value?.kind === "record";
        if (hasMembers && isIdentifier(node.property)) this.property(value, node.property.name, node, this.span(node));
      },
      refuse: (node, { what, cure }) => this.report.fail(this.span(node), what, cure),
    });
  }

  visibleNames(): Iterable<string> {
    const own: readonly Value["kind"][] = ["expr", "pointer", "record", "group", "device", "child"];
    return [...this.scope.visible()].filter((name) => own.includes(this.scope.find(name)?.value.kind ?? "builtin"));
  }

  defined(name: string): Callee | undefined {
    const callee = this.tables.named.get(name) ?? lastDefined(name);
    if (callee !== undefined) this.tables.named.set(name, callee);
    return callee;
  }

  get isMinified(): boolean {
    const { text } = this.source.text;
    return text.length / text.split("\n").length > MINIFIED_LINE_LENGTH;
  }

  isOwnName(name: string): boolean {
    return name === this.source.text.name || name === this.source.tree.id?.name;
  }

  expr(node: Expression): ValueExpr {
    const value = this.value(node);
    if (value.kind === "expr") {
      if (value.expr.type !== "void") return value.expr;
      return this.report.fail(this.span(node), "This call gives no value.", "Call it as a statement of its own.");
    }
    return this.report.fail(this.span(node), `A value is needed here; this is ${describe(value)}.`, cureFor(value));
  }

  scalar(node: Expression): ScalarExpr {
    const expr = this.expr(node);
    if (isScalarExpr(expr)) return expr;
    return this.report.fail(
      this.span(node),
      `A number is needed here; this is ${aType(expr.type)}.`,
      "Take one component: .x, .y, .z or .w.",
    );
  }

  abstract condition(node: Expression): ScalarExpr;

  abstract value(node: Expression): Value;

  pointer(node: Expression): PointerValue {
    const value = this.value(node);
    if (value.kind === "pointer") return settled(this, value);
    return this.report.fail(
      this.span(node),
      `An array is needed here; this is ${describe(value)}.`,
      "Name a pointer parameter or a shared or local array.",
    );
  }

  protected isFree(name: string): boolean {
    return this.scope.find(name) === undefined;
  }

  protected named(name: string, node: Expression): Value {
    const binding = this.scope.find(name);
    if (binding !== undefined) return this.placed(binding.value, node);
    if (name === "Math") return { kind: "namespace", name: "Math" };
    if (name === "NaN" || name === "Infinity") {
      return plain(literal("f32", name === "NaN" ? Number.NaN : Number.POSITIVE_INFINITY, this.span(node)));
    }
    return freeName(this, name, node);
  }

  /** What a name stands for, with the place where it is used. */
  private placed(value: Value, node: { readonly start: number; readonly end: number }): Value {
    const span = this.span(node);
    if (value.kind === "pointer") return { ...value, expr: { ...value.expr, span } };
    if (value.kind !== "expr") return value;
    const exact = exactValue(value.expr);
    if (exact === undefined || value.expr.kind !== "const") return plain({ ...value.expr, span });
    return plain(literal(value.expr.type === "f32" ? "f32" : value.expr.type === "u32" ? "u32" : "i32", exact, span));
  }

  /** Fails for JavaScript that kernels do not have, by the name of its node. */
  protected refuseSyntax(type: string, span: Span): never {
    const refusal = refusedSyntax[type];
    if (refusal === undefined) throw new Error(`the kernel language says nothing of ${type}`);
    return this.report.fail(span, refusal.what, refusal.cure);
  }

  protected sequence(node: Expression): Value {
    return this.report.fail(
      this.span(node),
      "Several expressions are joined by commas.",
      "Write one statement for each.",
    );
  }

  protected member(node: MemberExpression): Value {
    const span = this.span(node);
    if (node.object.type === "Super") return this.refuseSyntax("Super", span);
    const object = this.value(node.object);
    if (node.computed) return this.element(node, object, span);
    return this.property(object, (node.property as Identifier).name, node, span);
  }

  private element(node: MemberExpression, object: Value, span: Span): Value {
    if (object.kind !== "pointer") {
      return this.report.fail(
        span,
        `Only arrays are indexed; this is ${describe(object)}.`,
        "Index a pointer parameter or a shared or local array.",
      );
    }
    const place = indexed(this, object, indexExpression(this, node.property as Expression), span);
    return place.kind === "row" ? place.pointer : plain(load(place.pointer, place.index, span));
  }

  /** `object.name`. */
  protected property(object: Value, name: string, node: MemberExpression, span: Span): Value {
    switch (object.kind) {
      case "dim3":
        if (name === "x" || name === "y" || name === "z") {
          return plain({ kind: "builtin", type: "u32", name: object.name, axis: name, span });
        }
        return unknownMember(this, node, object.name, name, ["x", "y", "z"]);
      case "expr": {
        const { expr } = object;
        if (expr.type === "void" || isScalar(expr.type)) {
          return this.report.fail(span, `A number has no ${name}.`, `Use the number itself, without .${name}.`);
        }
        const index = components.indexOf(name);
        if (index < 0 || index >= expr.type.lanes) {
          return unknownMember(this, node, startingWith(aType(expr.type)), name, components.slice(0, expr.type.lanes));
        }
        return plain({
          kind: "component",
          type: expr.type.scalar,
          vector: expr,
          component: index as 0 | 1 | 2 | 3,
          span,
        });
      }
      case "record": {
        const field = object.fields.get(name);
        return field ?? unknownMember(this, node, "The result", name, [...object.fields.keys()]);
      }
      case "namespace":
        return this.namespaceMember(object.name, name, node);
      case "pointer":
        if (name === "length") {
          return this.report.fail(
            span,
            "A CUDA array does not know its length.",
            "Pass it as a parameter: { input: ptr(i32), n: i32 }.",
          );
        }
        return this.report.fail(
          span,
          `An array has no ${name}.`,
          "Read an element by its index, input[i]; input.subarray(n) moves the start.",
        );
      default:
        return this.report.fail(span, `${startingWith(describe(object))} has no ${name}.`, cureFor(object));
    }
  }

  private namespaceMember(
    space: "params" | "cuda" | "constants" | "Math",
    name: string,
    node: MemberExpression,
  ): Value {
    if (space === "Math") {
      if (isMathConstant(name)) return plain(literal("f32", mathConstant(name), this.span(node)));
      if (javaScriptMath.has(name)) return { kind: "math", name };
      const cure = Object.hasOwn(otherMath, name) ? otherMath[name] : undefined;
      if (cure === undefined) return unknownMember(this, node, "Math", name, [...javaScriptMath.keys()]);
      return this.report.fail(this.span(node), `Math.${name} is not available in a kernel.`, cure);
    }
    if (space === "cuda") {
      const word = builtinValue(name);
      if (word !== undefined) return word;
      const absent = absentWord(name);
      if (absent !== undefined) return this.report.fail(this.span(node), absent.what, absent.cure);
      if (this.form.arguments.includes("constants") || nearest(name, builtinNames()) !== null)
        return unknownMember(this, node, "The kernel's second argument", name, builtinNames());
      return this.report.fail(
        this.span(node),
        `${name} is no word of CUDA, and this kernel has no constants.`,
        this.form.giveName(name),
      );
    }
    const members = space === "params" ? this.params : this.constants;
    const found = members.get(name);
    if (found !== undefined) return this.placed(found, node);
    return this.missingMember(space, name, node);
  }

  /** A name that the declaration of the kernel does not have. */
  protected missingMember(
    space: "params" | "constants",
    name: string,
    node: { readonly start: number; readonly end: number },
  ): never {
    if (space === "constants" && !this.form.arguments.includes("cuda") && builtinValue(name) !== undefined) {
      return this.report.fail(
        this.span(node),
        `${name} is a word of CUDA; this kernel's second argument has its constants.`,
        `Leave ${name} out of the braces and import it: import { ${name} } from "warplab".`,
      );
    }
    const names = [...(space === "params" ? this.params : this.constants).keys()].join(", ") || "none";
    const cure =
      space === "params"
        ? `Declare it: ${this.form.parameter(`${name}: i32`)} or ${this.form.parameter(`${name}: ptr(i32)`)}. Declared are: ${names}.`
        : `Give its value where the kernel is made: ${this.form.constant(name)}. Given are: ${names}.`;
    return this.report.fail(
      this.span(node),
      `${name} is not among the ${space === "params" ? "parameters" : "constants and functions"} of this kernel.`,
      cure,
    );
  }
}

/** What stands in the place of those functions of JavaScript's Math that CUDA has not, or otherwise. */
const otherMath: Readonly<Record<string, string>> = {
  round: "Write rint(x) (to even at .5) or floor(x + 0.5): JavaScript and CUDA round halves differently.",
  random: "Give random numbers as an input array, or compute a hash of the thread's index.",
  sign: "Write (x > 0 ? 1 : 0) - (x < 0 ? 1 : 0).",
};

function mathConstant(name: string): number {
  const value: unknown = Reflect.get(Math, name);
  return typeof value === "number" ? value : Number.NaN;
}

/** What to write instead of the value itself. */
export function cureFor(value: Exclude<Value, PlainValue>): string {
  switch (value.kind) {
    case "pointer":
      return "Index it: input[i].";
    case "type":
      return `Convert with it, ${isScalar(value.type) ? value.type : `make_${cudaName(value.type)}`}(...), or name it where an array is made: shared(i32, 256).`;
    case "device":
      return `Call it: ${value.device.name}(...).`;
    case "child":
      return "Launch it: launch(child, { grid: 1, block: 128 }, { ...arguments }).";
    case "math":
      return `Call it: Math.${value.name}(...).`;
    case "group":
      return "Ask it for what is needed: .thread_rank(), .size(), .sync().";
    case "operator":
      return `Give it to a group's function: reduce(tile, x, ${value.operator.name}).`;
    case "namespace":
      return "Take one of its names: params.input, cuda.threadIdx, Math.PI.";
    case "dim3":
      return `Take one dimension: ${value.name}.x.`;
    case "builtin":
      return `Call it: ${value.name}(...).`;
    case "record":
      return `Take one of its parts: ${[...value.fields.keys()].map((name) => `.${name}`).join(" or ")}.`;
  }
}
