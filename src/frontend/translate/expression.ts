/** Expressions of the kernel's text to typed IR expressions: operators, conditions, calls. */
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
import type { Span } from "../../base/errors.js";
import { cudaName, isFloat, isScalar, isVector, type Scalar } from "../../ir/types.js";
import { hasEffect } from "../../ir/walk.js";
import { refusedOperators } from "../text/refused.js";
import { typeName } from "../text/type-name.js";
import { builtinFunction, cast } from "./calls/builtins.js";
import { callDevice } from "./calls/device-call.js";
import { groupMember } from "./calls/groups.js";
import { javaScriptMath } from "./calls/math.js";
import { asCondition, commonType, convertTo, isScalarExpr, type ScalarExpr, type ValueExpr } from "./convert.js";
import { recursion } from "./free-name.js";
import { literalExpr } from "./literal.js";
import { moved } from "./memory.js";
import { cureFor, NameTranslator } from "./name.js";
import { binary, bitNot, compare, compareOperators, integerDivide, logical, logicalNot, negate } from "./operators.js";
import { decided } from "./ruled-out.js";
import type { CallSite } from "./translator.js";
import { describe, plain, type Value } from "./value.js";

/** The type of `c ? a : b`. */
function chosenType(a: Scalar, b: Scalar): Scalar {
  return a === "bool" && b === "bool" ? "bool" : commonType(a, b);
}

export abstract class ExpressionTranslator extends NameTranslator {
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
      default:
        return this.refuseSyntax(node.type, this.span(node));
    }
  }

  private binaryExpr(node: BinaryExpression): ScalarExpr {
    const span = this.span(node);
    const { operator, left, right } = node;
    const refusal = refusedOperators[operator];
    if (refusal !== undefined) this.report.fail(span, refusal.what, refusal.cure);
    // `#name in object` stands in classes alone.
    if (left.type === "PrivateIdentifier") throw new Error("a private name outside of a class");
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
    if (decided(left) === (node.operator === "||")) {
      this.ruleOut(node.right);
      return left;
    }
    const right = this.notOnce(() => this.condition(node.right));
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
      // What the left side rules out has no say.
      if (decided(inner) === (node.operator === "||")) break;
    }
    return this.logicalCondition(node);
  }

  private conditional(node: ConditionalExpression): ValueExpr {
    const span = this.span(node);
    const condition = this.condition(node.test);
    const holds = decided(condition);
    if (holds !== null && !hasEffect(condition)) {
      const [taken, ruledOut] = holds ? [node.consequent, node.alternate] : [node.alternate, node.consequent];
      return this.takenSide(taken, ruledOut, span);
    }
    const whenTrue = this.notOnce(() => this.expr(node.consequent));
    const whenFalse = this.notOnce(() => this.expr(node.alternate));
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
    const type = chosenType(whenTrue.type, whenFalse.type);
    const [a, b] = [convertTo(whenTrue, type), convertTo(whenFalse, type)];
    return { kind: "select", type, condition, whenTrue: a, whenFalse: b, span };
  }

  /** Of the side that constants rule out only the type counts, as in C++: `?:` has the common type of both. */
  private takenSide(taken: Expression, ruledOut: Expression, span: Span): ValueExpr {
    this.ruleOut(ruledOut);
    const value = this.expr(taken);
    const other = this.readForType(() => this.expr(ruledOut));
    if (other === null) return value;
    if (isScalarExpr(value) && isScalarExpr(other)) return convertTo(value, chosenType(value.type, other.type));
    if (typeName(value.type) === typeName(other.type)) return value;
    return this.report.fail(span, "The two sides of `?:` have different types.", "Give both the same type.");
  }

  private call(node: CallExpression): Value {
    const span = this.span(node);
    if (node.callee.type === "Super") return this.refuseSyntax("Super", span);
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
    if (node.callee.type === "Identifier" && this.recurses(node.callee.name)) {
      return recursion(this, node.callee.name, node.callee);
    }
    const callee = this.value(node.callee);
    const site = { args, span, node };
    switch (callee.kind) {
      case "builtin":
        return this.builtin({ ...site, name: callee.name });
      case "math": {
        const handler = javaScriptMath.get(callee.name);
        if (handler === undefined) throw new Error(`Math.${callee.name} has no handler`);
        return handler(this, { ...site, name: `Math.${callee.name}` });
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
          `Give it to one of them: reduce(tile, value, ${callee.operator.name}).`,
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
          "Write * to multiply, [i] for an element of an array.",
        );
      default:
        return this.report.fail(span, `This is ${describe(callee)}, not a function.`, cureFor(callee));
    }
  }

  /** True for a call of the function that is being read, by its own name. */
  private recurses(name: string): boolean {
    if (!this.isFree(name) || !this.isOwnName(name) || builtinFunction(name) !== undefined) return false;
    return !this.isKernel || this.defined(name)?.kind !== "device";
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
    if (handler === undefined) throw new Error(`${call.name} has no handler`);
    return handler(this, call);
  }
}
