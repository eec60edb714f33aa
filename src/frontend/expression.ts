/** Expressions of the kernel's text to typed IR expressions. */
import type {
  BinaryExpression,
  CallExpression,
  ConditionalExpression,
  Expression,
  LogicalExpression,
  MemberExpression,
  Node,
  UnaryExpression,
} from "acorn";
import type { Span } from "../base/errors.js";
import type { Stmt, VariableExpr } from "../ir/ir.js";
import { cudaName, isFloat, isScalar, isVector, type Scalar, type VectorType } from "../ir/types.js";
import { builtinFunction, builtinNames, builtinValue, cast } from "./builtins.js";
import { asCondition, commonType, convertTo, isScalarExpr, type ScalarExpr, type ValueExpr } from "./convert.js";
import { callDevice } from "./device-call.js";
import { exactValue, isConst, literal } from "./fold.js";
import { freeName, isIdentifier, isMathConstant, mangledName, unknownMember } from "./free-name.js";
import { groupMember } from "./groups.js";
import { literalExpr } from "./literal.js";
import { javaScriptMath } from "./math.js";
import { indexExpression, indexed, load, moved, settled } from "./memory.js";
import { binary, bitNot, compare, compareOperators, integerDivide, logical, logicalNot, negate } from "./operators.js";
import { refusedOperators, refusedSyntax } from "./refused.js";
import type { Report } from "./report.js";
import { Scope } from "./scope.js";
import type { ParsedSource } from "./source.js";
import type { CallSite, KernelTables, OwnParameter, Translator } from "./translator.js";
import { aType, startingWith } from "./type-name.js";
import { describe, type PointerValue, plain, type Value } from "./value.js";

const components: readonly string[] = ["x", "y", "z", "w"];

/** Members of the first and third argument, by name. */
export type Members = ReadonlyMap<string, Value>;

export abstract class ExpressionTranslator implements Translator {
  readonly nonNegative: Set<number> = new Set();
  readonly arraysByNode: Map<Node, PointerValue> = new Map();
  resultName: string | null = null;
  abstract readonly ownParameters: readonly OwnParameter[];
  protected scope: Scope = new Scope(null);
  protected output: Stmt[] = [];

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
    const variable = this.tables.variables.length;
    this.tables.variables.push({ name, type: value.type, mutable: false, span: value.span });
    this.emit({ kind: "declare", variable, value, span: value.span });
    return { kind: "variable", type: value.type, variable, span: value.span };
  }

  visibleNames(): Iterable<string> {
    return [...this.scope.visible(), ...builtinNames()];
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

  condition(node: Expression): ScalarExpr {
    if (node.type === "AssignmentExpression") {
      this.report.fail(
        this.span(node),
        "An assignment stands where a condition is asked for.",
        "Compare with ===, or assign in a statement before.",
      );
    }
    if (node.type === "LogicalExpression" && node.operator !== "??") return this.logicalCondition(node);
    return asCondition(this.scalar(node), this.report);
  }

  pointer(node: Expression): PointerValue {
    const value = this.value(node);
    if (value.kind === "pointer") return settled(this, value);
    return this.report.fail(
      this.span(node),
      `An array is needed here; this is ${describe(value)}.`,
      "Name a pointer parameter or a shared or local array.",
    );
  }

  value(node: Expression): Value {
    switch (node.type) {
      case "Literal":
        return plain(literalExpr(node, this.span(node), this.report));
      case "Identifier":
        return this.named(node.name, node);
      case "ParenthesizedExpression":
        return this.value(node.expression);
      case "BinaryExpression":
        return plain(this.binaryExpr(node));
      case "UnaryExpression":
        return plain(this.unaryExpr(node));
      case "LogicalExpression":
        return plain(this.logicalValue(node));
      case "ConditionalExpression":
        return plain(this.conditional(node));
      case "MemberExpression":
        return this.member(node);
      case "CallExpression":
        return this.call(node);
      case "SequenceExpression":
        return this.sequence(node);
      case "AssignmentExpression":
        return this.report.fail(
          this.span(node),
          "An assignment inside an expression.",
          "Make it a statement of its own.",
        );
      case "UpdateExpression":
        return this.report.fail(
          this.span(node),
          `\`${node.operator}\` inside an expression.`,
          `Make it a statement of its own, before or after: ${node.operator === "++" ? "i++" : "i--"};`,
        );
      default: {
        const refusal = refusedSyntax[node.type];
        return this.report.fail(
          this.span(node),
          refusal?.what ?? `${node.type} is not part of the kernel language.`,
          refusal?.cure ?? "Write it with numbers, arrays and loops.",
        );
      }
    }
  }

  private isFree(name: string): boolean {
    return this.scope.find(name) === undefined;
  }

  private named(name: string, node: Expression): Value {
    const binding = this.scope.find(name);
    if (binding !== undefined) return this.placed(binding.value, node);
    if (name === "Math") return { kind: "namespace", name: "Math" };
    if (name === "NaN" || name === "Infinity") {
      return plain(literal("f32", name === "NaN" ? Number.NaN : Number.POSITIVE_INFINITY, this.span(node)));
    }
    return freeName(this, name, node, this.source.tree.id?.name ?? "", false);
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

  private sequence(node: Expression): Value {
    const name = mangledName(node, (free) => this.isFree(free));
    if (name !== null) return freeName(this, name, node, this.ownName(), true);
    return this.report.fail(
      this.span(node),
      "Several expressions are joined by commas.",
      "Write one statement for each.",
    );
  }

  protected ownName(): string {
    return this.source.text.name;
  }

  private binaryExpr(node: BinaryExpression): ScalarExpr {
    const span = this.span(node);
    const { operator, left, right } = node;
    const refusal = refusedOperators[operator];
    if (refusal !== undefined) this.report.fail(span, refusal.what, refusal.cure);
    if (left.type === "PrivateIdentifier")
      return this.report.fail(span, "A private name has no place in a kernel.", "Use a variable.");
    if (operator === "**") return this.power(left, right, span);
    const quotient = this.truncatedQuotient(operator, left, right, span);
    if (quotient !== null) return quotient;
    const a = this.scalar(left);
    const b = this.scalar(right);
    return operator in compareOperators ? compare(this, operator, a, b, span) : binary(this, operator, a, b, span);
  }

  /** `(a / b) | 0` is CUDA's integer division in both languages, where a and b are integers. */
  private truncatedQuotient(operator: string, left: Expression, right: Expression, span: Span): ScalarExpr | null {
    if (operator !== "|" || left.type !== "BinaryExpression" || left.operator !== "/") return null;
    if (right.type !== "Literal" || right.value !== 0 || left.left.type === "PrivateIdentifier") return null;
    const a = this.scalar(left.left);
    const b = this.scalar(left.right);
    return isFloat(a.type) || isFloat(b.type) ? null : integerDivide(this, a, b, span);
  }

  private power(left: Expression, right: Expression, span: Span): ScalarExpr {
    const a = this.scalar(left);
    const b = this.scalar(right);
    const type = commonType(a.type, b.type);
    if (!isFloat(type)) {
      return this.report.fail(
        span,
        "`**` between integers has no instruction in CUDA.",
        "Write x * x, 1 << n for a power of two, or pow(f32(x), f32(n)).",
      );
    }
    return { kind: "intrinsic", name: "pow", type, args: [convertTo(a, type), convertTo(b, type)], span };
  }

  private unaryExpr(node: UnaryExpression): ScalarExpr {
    const span = this.span(node);
    const refusal = refusedOperators[node.operator];
    if (refusal !== undefined) return this.report.fail(span, refusal.what, refusal.cure);
    if (node.operator === "!") return logicalNot(this, this.condition(node.argument), span);
    const operand = this.scalar(node.argument);
    if (node.operator === "-") return negate(this, operand, span);
    if (node.operator === "~") return bitNot(this, operand, span);
    return operand.type === "bool" ? convertTo(operand, "i32") : operand;
  }

  private logicalCondition(node: LogicalExpression): ScalarExpr {
    const left = this.condition(node.left);
    const right = this.condition(node.right);
    return logical(node.operator === "&&" ? "and" : "or", left, right, this.span(node));
  }

  /** As a value, `a && b` is b in JavaScript and 0 or 1 in CUDA: only truth values may be joined. */
  private logicalValue(node: LogicalExpression): ScalarExpr {
    const span = this.span(node);
    const refusal = refusedOperators[node.operator];
    if (refusal !== undefined) this.report.fail(span, refusal.what, refusal.cure);
    for (const side of [node.left, node.right]) {
      const inner = side.type === "LogicalExpression" ? this.logicalValue(side) : this.scalar(side);
      if (inner.type !== "bool") {
        this.report.fail(
          this.span(side),
          `\`${node.operator}\` with a number gives a number in JavaScript and true or false in CUDA.`,
          `Compare the number: x !== 0 ${node.operator} ...; to choose a value, write c ? a : b.`,
        );
      }
    }
    return this.logicalCondition(node);
  }

  private conditional(node: ConditionalExpression): ValueExpr {
    const span = this.span(node);
    const condition = this.condition(node.test);
    const whenTrue = this.expr(node.consequent);
    const whenFalse = this.expr(node.alternate);
    if (!isScalarExpr(whenTrue) || !isScalarExpr(whenFalse)) {
      const { type } = whenTrue;
      if (
        type !== "void" &&
        !isScalar(type) &&
        isVector(type) &&
        whenFalse.type !== "void" &&
        cudaName(type) === cudaName(whenFalse.type)
      ) {
        return { kind: "select", type, condition, whenTrue, whenFalse, span };
      }
      return this.report.fail(span, "The two sides of `?:` have different types.", "Give both the same type.");
    }
    const bools = whenTrue.type === "bool" && whenFalse.type === "bool";
    const type = bools ? "bool" : commonType(whenTrue.type, whenFalse.type);
    const [a, b] = [convertTo(whenTrue, type), convertTo(whenFalse, type)];
    if (isConst(condition)) return condition.value !== 0 ? a : b;
    return { kind: "select", type, condition, whenTrue: a, whenFalse: b, span };
  }

  private member(node: MemberExpression): Value {
    const span = this.span(node);
    if (node.object.type === "Super")
      return this.report.fail(span, "`super` has no meaning in a kernel.", "Use variables.");
    if (node.optional)
      this.report.fail(
        span,
        "`?.` asks whether something exists; in a kernel everything does.",
        "Write the access without the question mark.",
      );
    const mangled = mangledName(node, (free) => free !== "Math" && this.isFree(free));
    if (mangled !== null) return freeName(this, mangled, node, this.ownName(), true);
    const object = this.value(node.object);
    if (node.computed) return this.element(node, object, span);
    if (!isIdentifier(node.property))
      return this.report.fail(span, "A private name has no place in a kernel.", "Use a variable.");
    return this.property(object, node.property.name, node, span);
  }

  private element(node: MemberExpression, object: Value, span: Span): Value {
    if (node.property.type === "PrivateIdentifier")
      return this.report.fail(span, "A private name has no place in a kernel.", "Use a variable.");
    if (object.kind !== "pointer") {
      return this.report.fail(
        span,
        `Only arrays are indexed; this is ${describe(object)}.`,
        "Index a pointer parameter or a shared or local array.",
      );
    }
    const place = indexed(this, object, indexExpression(this, node.property), span);
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
        if (expr.type === "void" || isScalar(expr.type)) return unknownMember(this, node, "A number", name, []);
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
            "Pass it as a parameter: params: { input: ptr(i32), n: i32 }.",
          );
        }
        return unknownMember(this, node, "An array", name, ["subarray(n)"]);
      default:
        return unknownMember(this, node, startingWith(describe(object)), name, []);
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
      const cure =
        name === "round"
          ? "Write rint(x) (to even at .5) or floor(x + 0.5): JavaScript and CUDA round halves differently."
          : name === "random"
            ? "Give random numbers as an input array, or compute a hash of the thread's index."
            : "Use the functions of the kernel's second argument.";
      return this.report.fail(this.span(node), `Math.${name} is not available in a kernel.`, cure);
    }
    if (space === "cuda") {
      const word = builtinValue(name);
      return word ?? unknownMember(this, node, "The kernel's second argument", name, builtinNames());
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
    const cure =
      space === "params"
        ? `Declare it: params: { ${name}: i32 } or params: { ${name}: ptr(i32) }. Declared are: ${[...this.params.keys()].join(", ") || "none"}.`
        : `Give its value where the kernel is made: constants: { ${name}: 256 }, or functions: { ${name} }. Given are: ${[...this.constants.keys()].join(", ") || "none"}.`;
    return this.report.fail(
      this.span(node),
      `${name} is not among the ${space === "params" ? "parameters" : "constants and functions"} of this kernel.`,
      cure,
    );
  }

  private call(node: CallExpression): Value {
    const span = this.span(node);
    if (node.optional || node.callee.type === "Super")
      return this.report.fail(span, "This call is not part of the kernel language.", "Call by name.");
    const args: Expression[] = [];
    for (const arg of node.arguments) {
      if (arg.type === "SpreadElement")
        return this.report.fail(
          this.span(arg),
          "`...` needs a list of unknown length.",
          "Write the arguments one by one.",
        );
      args.push(arg);
    }
    if (
      node.callee.type === "MemberExpression" &&
      !node.callee.computed &&
      node.callee.property.type === "Identifier"
    ) {
      const method = this.method(node.callee, args, span, node);
      if (method !== null) return method;
    }
    const callee = this.value(node.callee);
    const site = { args, span, node };
    switch (callee.kind) {
      case "builtin":
        return this.builtin({ ...site, name: callee.name });
      case "math": {
        const handler = javaScriptMath.get(callee.name);
        if (handler !== undefined) return handler(this, { ...site, name: `Math.${callee.name}` });
        return this.report.fail(
          span,
          `Math.${callee.name} is not available in a kernel.`,
          "Use the second argument's functions.",
        );
      }
      case "type":
        return cast(this, { ...site, name: isScalar(callee.type) ? callee.type : cudaName(callee.type) });
      case "device":
        return callDevice(this, callee.device, { ...site, name: callee.device.name });
      case "operator":
        if (args.length === 0) return callee;
        return this.report.fail(
          span,
          `${callee.operator.name} is an operator for reduce and the scans.`,
          "Write reduce(tile, value, plus).",
        );
      case "child":
        return this.report.fail(
          span,
          "A kernel is not called; it is launched.",
          "Write launch(child, { grid: 1, block: 32 }, { ...arguments }) as a statement.",
        );
      case "expr":
        if (callee.expr.kind === "intrinsic" && args.length === 0 && callee.expr.name === "laneId") return callee;
        return this.report.fail(
          span,
          "A value is called as if it were a function.",
          "Call a device function or a word of the second argument.",
        );
      default:
        return this.report.fail(
          span,
          `This is ${describe(callee)}, not a function.`,
          "Call a device function or a word of the second argument.",
        );
    }
  }

  /** A call `object.name(...)` on an array or a group; null where the object is neither. */
  private method(callee: MemberExpression, args: readonly Expression[], span: Span, node: Node): Value | null {
    if (callee.object.type === "Super" || callee.property.type !== "Identifier") return null;
    if (callee.object.type === "Identifier" && this.isFree(callee.object.name)) return null;
    const object = this.value(callee.object);
    const name = callee.property.name;
    if (object.kind === "pointer") {
      if (name === "subarray") return moved(this, object, args, span);
      return this.report.fail(
        span,
        `A CUDA array has no ${name}().`,
        "Use a loop over indices; input.subarray(n) moves the start.",
      );
    }
    if (object.kind === "group") return groupMember(this, object.group, { name, args, span, node });
    return null;
  }

  private builtin(call: CallSite): Value {
    const handler = builtinFunction(call.name);
    if (handler === undefined) return this.report.fail(call.span, `${call.name} is no function.`, "Use it as a value.");
    return handler(this, call);
  }
}

function mathConstant(name: string): number {
  const value: unknown = Reflect.get(Math, name);
  return typeof value === "number" ? value : Number.NaN;
}

function cureFor(value: Value): string {
  switch (value.kind) {
    case "pointer":
      return "Index it: input[i].";
    case "dim3":
      return `Take one dimension: ${value.name}.x.`;
    case "builtin":
      return `Call it: ${value.name}(...).`;
    case "record":
      return `Take one of its parts: ${[...value.fields.keys()].map((name) => `.${name}`).join(" or ")}.`;
    default:
      return "Use a number, a variable or an element of an array.";
  }
}
