/** Assignments: variables, pointers that stay in their array, stores to memory, vector components. */
import type {
  ArrayPattern,
  AssignmentExpression,
  CallExpression,
  Expression,
  Identifier,
  MemberExpression,
  Pattern,
  UpdateExpression,
} from "acorn";
import type { Span } from "../../base/errors.js";
import type { VariableExpr } from "../../ir/ir.js";
import { cudaName, isInteger, isScalar, type Scalar, type VectorType } from "../../ir/types.js";
import { hasEffect } from "../../ir/walk.js";
import { refusedOperators } from "../text/refused.js";
import { aType } from "../text/type-name.js";
import { assign, isScalarExpr, type ScalarExpr, type ValueExpr } from "./convert.js";
import { DeclarationTranslator, elementPairs } from "./declaration.js";
import { constant, isConst } from "./fold.js";
import { freeName, isIdentifier } from "./free-name.js";
import { indexExpression, indexed, load, settled } from "./memory.js";
import { binary } from "./operators.js";
import type { Binding } from "./scope.js";
import { describe, type PointerValue } from "./value.js";

const componentNames = ["x", "y", "z", "w"];

/** What stands left of an `=`: how it is read (for `+=`) and how it is written. */
interface Place {
  readonly name: string;
  /** As the learner wrote it. */
  readonly written: string;
  readonly type: Scalar | VectorType;
  read(): ValueExpr;
  write(value: ValueExpr, compound: boolean, span: Span): void;
}

function cureOf(name: string, { fixed, value }: Binding): string {
  if (fixed === "it is declared with const") return `Declare it with let: let ${name} = ...`;
  if (value.kind === "expr") return `Copy it to a variable: let x = ${name}.`;
  if (value.kind === "dim3") return `Copy a dimension to a variable: let x = ${name}.x.`;
  if (value.kind === "pointer")
    return `Assign its elements, ${name}[i] = ..., or give the other array a name of its own.`;
  return "Give the variable another name: let value = ...";
}

export abstract class AssignmentTranslator extends DeclarationTranslator {
  /** Any expression that does something: assignment, ++, a comma list of such. Others give false. */
  protected effect(node: Expression): boolean {
    if (node.type === "ParenthesizedExpression") return this.effect(node.expression);
    if (node.type === "AssignmentExpression") this.assignment(node);
    else if (node.type === "UpdateExpression") this.update(node);
    else return false;
    return true;
  }

  private assignment(node: AssignmentExpression): void {
    const span = this.span(node);
    const operator = node.operator;
    const refusal = refusedOperators[operator];
    if (refusal !== undefined) this.report.fail(span, refusal.what, refusal.cure);
    if (operator === "=" && node.left.type === "Identifier" && this.pointerAssignment(node.left.name, node)) return;
    if (node.left.type === "ArrayPattern") {
      this.exchange(node.left, node.right, span);
      return;
    }
    if (node.right.type === "AssignmentExpression") this.assignment(node.right);
    const right = node.right.type === "AssignmentExpression" ? this.chained(node.right) : node.right;
    const place = this.place(node.left, operator !== "=");
    const value = this.expr(right);
    if (operator === "=") place.write(value, false, span);
    else place.write(this.combined(operator.slice(0, -1), place, value, span), true, span);
  }

  /** `[a, b] = [b, a]`: all values are found before any is assigned. */
  private exchange(left: ArrayPattern, right: Expression, span: Span): void {
    const pairs = elementPairs(this, left, right);
    const values = pairs.map(([, value]) => {
      const found = this.expr(value);
      if (isConst(found) || found.type === "void") return found;
      return this.hold("exchanged", found as ValueExpr & { readonly type: Scalar | VectorType });
    });
    pairs.forEach(([target], index) => {
      const value = values[index];
      if (value !== undefined) this.place(target, false).write(value, false, span);
    });
  }

  private combined(operator: string, place: Place, value: ValueExpr, span: Span): ScalarExpr {
    const current = place.read();
    if (!isScalarExpr(current) || !isScalarExpr(value)) {
      return this.report.fail(
        span,
        "Vectors are computed component by component.",
        "Write v.x += w.x; v.y += w.y; ...",
      );
    }
    if (operator === "/" && isInteger(current.type) && isInteger(value.type)) {
      this.report.fail(
        span,
        "`/=` between integers: JavaScript would keep the fraction, CUDA drops it.",
        `Write ${place.written} = idiv(${place.written}, ...), or >>= for a power of two.`,
      );
    }
    if (operator === "**") {
      const { written } = place;
      return this.report.fail(
        span,
        "`**=` is not part of the kernel language.",
        isInteger(current.type)
          ? `Write ${written} = ${written} * ${written}, or ${current.type}(pow(f32(x), f32(y))).`
          : `Write ${written} = pow(${written}, y).`,
      );
    }
    return binary(this, operator, current, value, span);
  }

  private update(node: UpdateExpression): undefined {
    const span = this.span(node);
    const place = this.place(node.argument as Identifier | MemberExpression, true);
    const current = place.read();
    if (!isScalarExpr(current))
      return this.report.fail(span, `\`${node.operator}\` on a vector.`, "Count one component: v.x++.");
    place.write(binary(this, node.operator === "++" ? "+" : "-", current, constant("i32", 1, span), span), true, span);
  }

  private place(left: Pattern, isRead: boolean): Place {
    if (left.type === "Identifier") return this.variablePlace(left.name, left);
    if (left.type === "MemberExpression") return this.memberPlace(left, isRead);
    return this.report.fail(this.span(left), "Several names are assigned at once.", "Assign them one by one.");
  }

  private refuseAssignment(name: string, binding: Binding, span: Span): never {
    const { fixed, value } = binding;
    return this.report.fail(span, `${name} cannot be assigned: ${fixed ?? describe(value)}.`, cureOf(name, binding));
  }

  private variablePlace(name: string, node: Expression | Pattern): Place {
    const span = this.span(node);
    const binding = this.scope.find(name);
    if (binding === undefined) {
      freeName(this, name, node as Expression);
      return this.report.fail(
        span,
        `${name} cannot be assigned: it is a word of the language.`,
        "Give the variable another name: let value = ...",
      );
    }
    const { variable, value, fixed } = binding;
    if (variable === null || fixed !== null || value.kind !== "expr") {
      if (value.kind === "pointer" && fixed === null) {
        return this.report.fail(span, `${name} is a pointer.`, `Move it by ${name} = ${name}.subarray(n).`);
      }
      return this.refuseAssignment(name, binding, span);
    }
    const type = this.typed(value.expr).type;
    return {
      name,
      written: name,
      type,
      read: () => ({ ...value.expr, span }),
      write: (given, _compound, whole) => {
        const converted = assign(given, { name, type }, whole, this.report);
        this.emit({ kind: "assign", variable, component: null, value: converted, span: whole });
      },
    };
  }

  private memberPlace(node: MemberExpression, isRead: boolean): Place {
    const span = this.span(node);
    if (node.object.type === "Super" || node.property.type === "PrivateIdentifier")
      return this.refuseSyntax("Super", span);
    if (!node.computed)
      return this.componentPlace(node, node.object, isIdentifier(node.property) ? node.property.name : "", span);
    const object = this.value(node.object);
    if (object.kind !== "pointer") {
      return this.report.fail(
        span,
        `Only elements of arrays are assigned; this is ${describe(object)}.`,
        "Index a pointer parameter or a shared or local array.",
      );
    }
    const array = node.object.type === "Identifier" ? node.object.name : "this array";
    const index = indexExpression(this, node.property);
    return this.elementPlace(object, { array, written: this.source.written(node) }, index, isRead, span);
  }

  private elementPlace(
    object: PointerValue,
    { array, written }: { readonly array: string; readonly written: string },
    at: ScalarExpr,
    isRead: boolean,
    span: Span,
  ): Place {
    const found = indexed(this, object, at, span);
    if (found.kind === "row")
      return this.report.fail(span, "A whole row is assigned.", "Assign one element: tile[y][x].");
    let { index, pointer } = found;
    if (isRead) {
      // The place of `a[next()] += x` is found once.
      if (hasEffect(index)) index = this.hold("index", index);
      if (pointer.expr.offset !== null && hasEffect(pointer.expr.offset)) {
        const offset = this.hold("offset", pointer.expr.offset as ScalarExpr);
        pointer = { ...pointer, expr: { ...pointer.expr, offset } };
      }
    }
    const type = pointer.expr.type.pointer;
    const name = `an element of ${array}`;
    const declaredAs = (wanted: Scalar): string =>
      `the array so: ptr(${wanted}), shared(${wanted}, n) or local(${wanted}, n)`;
    return {
      name,
      written,
      type,
      read: () => load(pointer, index, span),
      write: (given, compound, whole) => {
        const value = assign(given, { name, type, declaredAs }, whole, this.report);
        this.emit({ kind: "store", pointer: pointer.expr, index, value, compound, span: whole });
      },
    };
  }

  /** `v.x = ...` of a vector variable, `data[i].x = ...` of a vector in memory. */
  private componentPlace(node: MemberExpression, object: Expression, name: string, span: Span): Place {
    const component = componentNames.indexOf(name);
    if (object.type === "Identifier") {
      const binding = this.scope.find(object.name);
      if (binding?.value.kind === "expr" && binding.value.expr.kind === "variable") {
        return this.variableComponent(object.name, binding, binding.value.expr, component, span);
      }
    }
    if (object.type === "MemberExpression" && object.computed && object.object.type !== "Super") {
      const array = this.value(object.object);
      if (array.kind === "pointer" && object.property.type !== "PrivateIdentifier") {
        const { pointer } = array.expr.type;
        if (!isScalar(pointer) && component >= 0 && component < pointer.lanes) {
          return this.scalarView(object, array, pointer, component, span);
        }
      }
    }
    this.value(node);
    return this.report.fail(
      span,
      `.${name} cannot be assigned here.`,
      "Assign a variable, an element of an array, or a component of a vector.",
    );
  }

  /** `data[i].y` of int4 data is element 4 * i + 1 of the same memory as int. */
  private scalarView(
    node: MemberExpression,
    array: PointerValue,
    type: VectorType,
    component: number,
    span: Span,
  ): Place {
    const scale = (expr: ScalarExpr): ScalarExpr => binary(this, "*", expr, constant("i32", type.lanes, span), span);
    const flat = settled(this, array);
    const offset = flat.expr.offset === null ? null : scale(flat.expr.offset as ScalarExpr);
    const expr = { ...flat.expr, type: { ...flat.expr.type, pointer: type.scalar }, offset };
    const index = binary(
      this,
      "+",
      scale(indexExpression(this, node.property as Expression)),
      constant("i32", component, span),
      span,
    );
    const written = `${this.source.written(node)}.${componentNames[component] ?? "x"}`;
    return this.elementPlace({ ...flat, expr }, { array: "this array", written }, index, true, span);
  }

  private variableComponent(name: string, binding: Binding, expr: VariableExpr, component: number, span: Span): Place {
    const { type } = expr;
    if (isScalar(type) || component < 0 || component >= type.lanes) {
      return this.report.fail(
        span,
        `${name} has no such component.`,
        isScalar(type)
          ? `Assign the number itself: ${name} = ...`
          : `It has ${componentNames.slice(0, type.lanes).join(", ")}.`,
      );
    }
    const { variable } = binding;
    if (variable === null || binding.fixed !== null) {
      return this.report.fail(
        span,
        `${name} cannot be changed: it is declared with const.`,
        `Declare it with let. It is a copy of the vector, as in CUDA; memory changes by output[i] = ${name}.`,
      );
    }
    const part = componentNames[component] ?? "x";
    const scalar = type.scalar;
    return {
      name: `${name}.${part}`,
      written: `${name}.${part}`,
      type: scalar,
      read: () => ({ kind: "component", type: scalar, vector: expr, component: component as 0 | 1 | 2 | 3, span }),
      write: (given, _compound, whole) => {
        const value = assign(given, { name: `${name}.${part}`, type: scalar }, whole, this.report);
        this.emit({ kind: "assign", variable, component: component as 0 | 1 | 2 | 3, value, span: whole });
      },
    };
  }

  /** `p = p.subarray(n)`: true where the left side is a pointer variable. */
  private pointerAssignment(name: string, node: AssignmentExpression): boolean {
    const binding = this.scope.find(name);
    if (binding === undefined || binding.value.kind !== "pointer") return false;
    const span = this.span(node);
    if (binding.variable === null || binding.fixed !== null) return this.refuseAssignment(name, binding, span);
    const given = this.pointer(node.right);
    if (given.root !== binding.value.root) {
      this.report.fail(
        span,
        `${name} would point into another array than before.`,
        "A pointer variable stays in one array. Use two variables, or choose by an index.",
      );
    }
    if (cudaName(given.expr.type) !== cudaName(binding.value.expr.type)) {
      this.report.fail(
        span,
        `${name} is ${aType(binding.value.expr.type)}; ${aType(given.expr.type)} is assigned.`,
        "Give the other pointer a name of its own: const other = ...",
      );
    }
    this.emit({ kind: "assign", variable: binding.variable, component: null, value: given.expr, span });
    return true;
  }

  /** A call as a statement: its value, if any, is dropped. */
  protected callStatement(node: CallExpression): void {
    const value = this.value(node);
    if (value.kind === "expr") this.emit({ kind: "expr", value: value.expr, span: this.span(node) });
  }
}
