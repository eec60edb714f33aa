/** Declarations and assignments: variables, pointers that stay in their array, stores to memory, vector components. */
import type {
  AssignmentExpression,
  CallExpression,
  Expression,
  MemberExpression,
  Pattern,
  UpdateExpression,
  VariableDeclaration,
} from "acorn";
import type { Span } from "../base/errors.js";
import type { PointerExpr, VariableExpr } from "../ir/ir.js";
import { cudaName, isInteger, isScalar, type Scalar, type VectorType } from "../ir/types.js";
import { hasEffect } from "../ir/walk.js";
import { assign, isNonNegative, isScalarExpr, type ScalarExpr, type ValueExpr } from "./convert.js";
import { ExpressionTranslator } from "./expression.js";
import { constant, isConst } from "./fold.js";
import { freeName, isIdentifier, mangledName } from "./free-name.js";
import { indexExpression, indexed, load, settled } from "./memory.js";
import { binary } from "./operators.js";
import { refusedOperators } from "./refused.js";
import type { Binding } from "./scope.js";
import { aType } from "./type-name.js";
import { describe, type PointerValue, plain, type Value } from "./value.js";

const componentNames = ["x", "y", "z", "w"];

/** What stands left of an `=`: how it is read (for `+=`) and how it is written. */
interface Place {
  readonly name: string;
  readonly type: Scalar | VectorType;
  read(): ValueExpr;
  write(value: ValueExpr, compound: boolean, span: Span): void;
}

type TypedExpr = ValueExpr & { readonly type: Scalar | VectorType };

export abstract class AssignmentTranslator extends ExpressionTranslator {
  /** Names assigned somewhere in the text; a parameter among them becomes a variable. */
  protected abstract readonly assignedNames: ReadonlySet<string>;
  /** Of these, the names that only grow, halve or are masked: from a first value of 0 or more they stay there. */
  protected abstract readonly neverNegative: ReadonlySet<string>;

  protected bind(
    name: string,
    value: Value,
    node: { readonly start: number; readonly end: number },
    options: Partial<Binding> = {},
  ): void {
    const span = this.span(node);
    const binding: Binding = { value, variable: null, fixed: "it is not a variable", span, ...options };
    if (!this.scope.declare(name, binding)) {
      this.report.fail(span, `${name} is declared twice in the same block.`, "Give one of them another name.");
    }
  }

  protected declaration(node: VariableDeclaration): void {
    if (node.kind !== "const" && node.kind !== "let") {
      this.report.fail(
        this.span(node),
        `\`${node.kind}\` is not part of the kernel language.`,
        "Declare with const, or with let if it changes.",
      );
    }
    for (const { id, init } of node.declarations) {
      if (init === null || init === undefined) {
        this.report.fail(
          this.span(id),
          "A variable is declared without a value, so its type is unknown.",
          "Give it a first value: let x = 0 (i32), let x = 0.0 or f32(0) (f32), let x = u32(0).",
        );
      } else this.declareOne(id, init, node.kind === "let");
    }
  }

  private declareOne(id: Pattern, init: Expression, mutable: boolean): void {
    if (init.type === "AssignmentExpression") this.assignment(init);
    const source = init.type === "AssignmentExpression" ? this.chained(init) : init;
    this.resultName = id.type === "Identifier" ? id.name : null;
    const value = this.value(source);
    this.resultName = null;
    if (id.type === "Identifier") this.declareNamed(id.name, id, source, value, mutable);
    else if (id.type === "ObjectPattern") this.bindPattern(id, value, mutable);
    else
      this.report.fail(
        this.span(id),
        "This form of declaration is not part of the kernel language.",
        "Declare one name at a time.",
      );
  }

  private declareNamed(name: string, id: Pattern, init: Expression, value: Value, mutable: boolean): void {
    if (value.kind === "expr") this.declareVariable(name, id, value.expr, mutable);
    else if (value.kind === "pointer") this.declarePointer(name, id, init, value, mutable);
    else if (value.kind === "record") {
      const fields = [...value.fields].map(([field, part]): [string, Value] => [
        field,
        part.kind === "expr" ? plain(this.hold(`${name}_${field}`, this.typed(part.expr))) : part,
      ]);
      this.bind(name, { kind: "record", fields: new Map(fields) }, id);
    } else this.bind(name, value, id);
  }

  private typed(expr: ValueExpr): TypedExpr {
    const { type } = expr;
    if (type === "void")
      return this.report.fail(expr.span, "This call gives no value.", "Call it as a statement of its own.");
    return { ...expr, type } as TypedExpr;
  }

  protected declareVariable(
    name: string,
    id: { readonly start: number; readonly end: number },
    init: ValueExpr,
    mutable: boolean,
  ): void {
    const value = this.typed(init);
    const span = this.span(id);
    const variable = this.tables.variables.length;
    this.tables.variables.push({ name, type: value.type, mutable, span });
    this.emit({ kind: "declare", variable, value, span });
    const stays = !mutable || !this.assignedNames.has(name) || this.neverNegative.has(name);
    if (stays && isScalar(value.type) && isInteger(value.type) && isNonNegative(value, this.nonNegative)) {
      this.nonNegative.add(variable);
    }
    // As in C++, a constant with a constant value can size an array.
    const reference: ValueExpr =
      !mutable && isConst(value)
        ? constant(value.type, value.value, span)
        : { kind: "variable", type: value.type, variable, span };
    this.bind(name, plain(reference), id, { variable, fixed: mutable ? null : "it is declared with const" });
  }

  private declarePointer(
    name: string,
    id: Pattern,
    init: Expression | null,
    value: PointerValue,
    mutable: boolean,
  ): void {
    if (this.makesArray(init) || value.dims.length > 0) {
      this.bind(name, value, id, { fixed: "it is an array" });
      return;
    }
    const pointer = settled(this, value).expr;
    const span = this.span(id);
    const variable = this.tables.variables.length;
    this.tables.variables.push({ name, type: pointer.type, mutable, span });
    this.emit({ kind: "declare", variable, value: pointer, span });
    const reference: PointerExpr = {
      kind: "pointer",
      type: pointer.type,
      root: { kind: "variable", variable },
      offset: null,
      span,
    };
    const bound: PointerValue = { kind: "pointer", expr: reference, root: value.root, dims: [], row: null };
    this.bind(name, bound, id, { variable, fixed: mutable ? null : "it is declared with const" });
  }

  /** True for shared(...), local(...) and a volatile(...) right around one. */
  private makesArray(init: Expression | null): boolean {
    if (init?.type !== "CallExpression") return false;
    const [first] = init.arguments;
    return this.arraysByNode.has(init) || (first !== undefined && this.arraysByNode.has(first));
  }

  /** `{ x, y: row }` of a value with parts: threadIdx, a vector, a result such as match_all_sync's. */
  protected bindPattern(pattern: Pattern & { readonly type: "ObjectPattern" }, value: Value, mutable: boolean): void {
    for (const property of pattern.properties) {
      if (property.type === "RestElement" || property.computed || !isIdentifier(property.key)) {
        this.report.fail(
          this.span(property),
          "Only plain names can be taken out of braces.",
          "Name each one: { x, y }.",
        );
      }
      const key = property.key;
      const member: MemberExpression = {
        ...property,
        type: "MemberExpression",
        object: key,
        property: key,
        computed: false,
        optional: false,
      };
      const part = this.property(value, key.name, member, this.span(property));
      if (property.value.type === "ObjectPattern") this.bindPattern(property.value, part, mutable);
      else if (property.value.type !== "Identifier") this.refuseDefault(property.value);
      else if (value.kind === "namespace" && !mutable) this.bindMember(property.value.name, property.value, part);
      else if (part.kind === "expr") this.declareVariable(property.value.name, property.value, part.expr, mutable);
      else this.bind(property.value.name, part, property.value);
    }
  }

  /** A parameter, constant or word of the language under a name of the kernel's own. */
  private bindMember(name: string, id: Pattern, value: Value): void {
    const assigned = this.assignedNames.has(name);
    if (value.kind === "expr" && value.expr.kind === "variable") {
      this.bind(name, value, id, { variable: value.expr.variable, fixed: null });
      if (assigned) this.makeMutable(value.expr.variable);
    } else if (value.kind === "pointer" && value.expr.root.kind === "variable") {
      this.bind(name, value, id, { variable: value.expr.root.variable, fixed: null });
      if (assigned) this.makeMutable(value.expr.root.variable);
    } else if (assigned && value.kind === "expr" && value.expr.kind === "param") {
      // CUDA's parameters are variables of the thread.
      this.declareVariable(name, id, value.expr, true);
    } else if (assigned && value.kind === "pointer") this.declarePointer(name, id, null, value, true);
    else this.bind(name, value, id, { fixed: "it is a name of the kernel's arguments" });
  }

  private makeMutable(variable: number): void {
    const known = this.tables.variables[variable];
    if (known !== undefined) this.tables.variables[variable] = { ...known, mutable: true };
  }

  protected refuseDefault(pattern: Pattern): never {
    return this.report.fail(
      this.span(pattern),
      pattern.type === "AssignmentPattern"
        ? "A default value has no place in a kernel."
        : "This form of name is not part of the kernel language.",
      pattern.type === "AssignmentPattern"
        ? "Give every argument at the launch; defaults of constants stand in constants: { ... }."
        : "Use plain names.",
    );
  }

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
    if (node.right.type === "AssignmentExpression") this.assignment(node.right);
    const right = node.right.type === "AssignmentExpression" ? this.chained(node.right) : node.right;
    const place = this.place(node.left, operator !== "=");
    const value = this.expr(right);
    if (operator === "=") place.write(value, false, span);
    else place.write(this.combined(operator.slice(0, -1), place, value, span), true, span);
  }

  /** In `a = b = 0` what the outer assignment reads: the inner variable. */
  private chained(node: AssignmentExpression): Expression {
    if (node.left.type === "Identifier") return node.left;
    return this.report.fail(this.span(node), "A chained assignment goes through memory.", "Write two statements.");
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
        `Write ${place.name} = idiv(${place.name}, ...), or >>= for a power of two.`,
      );
    }
    if (operator === "**") {
      return this.report.fail(
        span,
        "`**=` is not part of the kernel language.",
        `Write ${place.name} = pow(${place.name}, y).`,
      );
    }
    return binary(this, operator, current, value, span);
  }

  private update(node: UpdateExpression): undefined {
    const span = this.span(node);
    const argument = node.argument;
    if (argument.type !== "Identifier" && argument.type !== "MemberExpression") {
      return this.report.fail(
        span,
        `\`${node.operator}\` works on a variable or an element.`,
        "Write i++ or count[i]++.",
      );
    }
    const place = this.place(argument, true);
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
    const declared = binding.fixed === "it is declared with const";
    return this.report.fail(
      span,
      `${name} cannot be assigned: ${binding.fixed ?? describe(binding.value)}.`,
      declared ? `Declare it with let: let ${name} = ...` : `Copy it to a variable: let x = ${name}.`,
    );
  }

  private variablePlace(name: string, node: Expression | Pattern): Place {
    const span = this.span(node);
    const binding = this.scope.find(name);
    if (binding === undefined) {
      freeName(this, name, node as Expression, this.ownName(), false);
      return this.report.fail(span, `${name} cannot be assigned.`, "It is a type.");
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
    if (node.object.type === "Super" || node.property.type === "PrivateIdentifier") {
      return this.report.fail(span, "This cannot be assigned.", "Assign a variable or an element of an array.");
    }
    const mangled = mangledName(node, (name) => this.scope.find(name) === undefined);
    if (mangled !== null) freeName(this, mangled, node, this.ownName(), true);
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
    return this.elementPlace(object, indexExpression(this, node.property), isRead, span);
  }

  private elementPlace(object: PointerValue, at: ScalarExpr, isRead: boolean, span: Span): Place {
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
    const name = `an element of this ${cudaName(type)} array`;
    return {
      name,
      type,
      read: () => load(pointer, index, span),
      write: (given, compound, whole) => {
        const value = assign(given, { name, type }, whole, this.report);
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
          return this.scalarView(array, object.property, pointer, component, span);
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
    array: PointerValue,
    property: Expression,
    type: VectorType,
    component: number,
    span: Span,
  ): Place {
    const scale = (expr: ScalarExpr): ScalarExpr => binary(this, "*", expr, constant("i32", type.lanes, span), span);
    const flat = settled(this, array);
    const offset = flat.expr.offset === null ? null : scale(flat.expr.offset as ScalarExpr);
    const expr = { ...flat.expr, type: { ...flat.expr.type, pointer: type.scalar }, offset };
    const index = binary(this, "+", scale(indexExpression(this, property)), constant("i32", component, span), span);
    return this.elementPlace({ ...flat, expr }, index, true, span);
  }

  private variableComponent(name: string, binding: Binding, expr: VariableExpr, component: number, span: Span): Place {
    const { type } = expr;
    if (isScalar(type) || component < 0 || component >= type.lanes) {
      return this.report.fail(
        span,
        `${name} has no such component.`,
        isScalar(type) ? "It is a number." : `It has ${componentNames.slice(0, type.lanes).join(", ")}.`,
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
        "Use another variable.",
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
