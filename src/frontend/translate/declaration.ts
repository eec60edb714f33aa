/** Declarations: variables, pointers, names taken out of braces. */
import type {
  ArrayPattern,
  AssignmentExpression,
  Expression,
  Identifier,
  MemberExpression,
  Pattern,
  Property,
  VariableDeclaration,
} from "acorn";
import type { PointerExpr } from "../../ir/ir.js";
import { isInteger, isScalar, type Scalar, type VectorType } from "../../ir/types.js";
import { isNonNegative, type ValueExpr } from "./convert.js";
import { ExpressionTranslator } from "./expression.js";
import { constant, isConst } from "./fold.js";
import { isIdentifier } from "./free-name.js";
import { settled } from "./memory.js";
import type { Binding } from "./scope.js";
import type { Translator } from "./translator.js";
import { type PointerValue, plain, type Value } from "./value.js";

/** The property's name; a notebook's compiler may have to quote it. */
function plainKey(key: Property["key"]): Identifier | null {
  if (isIdentifier(key)) return key;
  return key.type === "Literal" && typeof key.value === "string"
    ? { ...key, type: "Identifier", name: key.value }
    : null;
}

type TypedExpr = ValueExpr & { readonly type: Scalar | VectorType };

/** Each name of `[a, b]` with its value of `[x, y]`; a list exists in the text alone, so both sides are written out. */
export function elementPairs(
  t: Pick<Translator, "report" | "span">,
  left: ArrayPattern,
  right: Expression,
): readonly (readonly [Pattern, Expression])[] {
  const values = right.type === "ArrayExpression" ? right.elements : null;
  if (values === null || values.length !== left.elements.length) {
    return t.report.fail(
      t.span(right),
      "A list of names takes a list of as many values.",
      "Write both sides out: [a, b] = [b, a], or assign one at a time.",
    );
  }
  return left.elements.map((target, index) => {
    const value = values[index];
    if (target === null || value === null || value === undefined || value.type === "SpreadElement") {
      return t.report.fail(t.span(left), "A list of names has a gap.", "Name each one, with a value for each.");
    }
    return [target, value] as const;
  });
}

export abstract class DeclarationTranslator extends ExpressionTranslator {
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
    if (id.type === "ArrayPattern") {
      for (const [part, value] of elementPairs(this, id, init)) this.declareOne(part, value, mutable);
      return;
    }
    if (init.type === "AssignmentExpression") this.effect(init);
    const source = init.type === "AssignmentExpression" ? this.chained(init) : init;
    this.resultName = id.type === "Identifier" ? id.name : null;
    const value = this.value(source);
    this.resultName = null;
    if (id.type === "Identifier") this.declareNamed(id.name, id, source, value, mutable);
    else if (id.type === "ObjectPattern") this.bindPattern(id, value, mutable);
    else this.refuseDefault(id);
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

  protected typed(expr: ValueExpr): TypedExpr {
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
      if (property.type === "RestElement" && value.kind === "namespace" && isIdentifier(property.argument)) {
        this.bind(property.argument.name, value, property.argument);
        continue;
      }
      const key = property.type === "RestElement" || property.computed ? null : plainKey(property.key);
      if (property.type === "RestElement" || key === null) {
        this.report.fail(
          this.span(property),
          "Only plain names can be taken out of braces.",
          "Name each one: { x, y }.",
        );
      }
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
        ? "Leave it out: the launch gives every argument, and constants have their values where the kernel is made."
        : "Use plain names: { input, output }.",
    );
  }

  /** Carries out an assignment or ++; false for other expressions. */
  protected abstract effect(node: Expression): boolean;

  /** In `a = b = 0` what the outer assignment reads: the inner variable. */
  protected chained(node: AssignmentExpression): Expression {
    if (node.left.type === "Identifier") return node.left;
    return this.report.fail(this.span(node), "A chained assignment goes through memory.", "Write two statements.");
  }
}
