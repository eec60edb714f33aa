/** One kernel from its definition to its IR: its own text, then each device function for each choice of spaces. */
import type { Expression, Node, Pattern } from "acorn";
import type { Span } from "../base/errors.js";
import { CompileError } from "../base/errors.js";
import type { DeviceFunction, KernelIr, Param, Stmt, Warning } from "../ir/ir.js";
import { cudaName, isScalar, isVector, type PointerType, type Scalar, type VectorType } from "../ir/types.js";
import { assign, commonType } from "./convert.js";
import type { Callee, ConstantInput, DeviceDefinition, KernelDefinition } from "./definition.js";
import { TypedConstant } from "./element.js";
import type { Members } from "./expression.js";
import { constant, isConst, literal } from "./fold.js";
import { isPointerParameter, isScalarType } from "./parameter.js";
import { type Report, reportFor } from "./report.js";
import { Scope } from "./scope.js";
import { type ParsedSource, parseSource, walk } from "./source.js";
import { StatementTranslator } from "./statement.js";
import type { KernelTables, OwnParameter } from "./translator.js";
import { aType } from "./type-name.js";
import { plain, type Value } from "./value.js";

const start: Span = { line: 1, column: 0, length: 1 };

/** What the text assigns anywhere: every name, and those that no assignment can make negative. */
interface AssignedNames {
  readonly all: ReadonlySet<string>;
  readonly neverNegative: ReadonlySet<string>;
}

/** Operators that keep a variable from 0 upwards when the other side is a literal (a wrap past 2^31 apart). */
const growing: ReadonlySet<string> = new Set(["++", "+=", "*=", "<<=", ">>=", ">>>=", "%=", "&="]);

function assignedNames(tree: Node): AssignedNames {
  const all = new Set<string>();
  const suspect = new Set<string>();
  walk(tree, (node) => {
    const target = childNode(node, node.type === "AssignmentExpression" ? "left" : "argument");
    if ((node.type !== "AssignmentExpression" && node.type !== "UpdateExpression") || !target || !("name" in target))
      return;
    const name = String(target.name);
    all.add(name);
    const right = childNode(node, "right");
    const plainNumber =
      right === null || (right.type === "Literal" && "value" in right && typeof right.value === "number");
    if (!("operator" in node && growing.has(String(node.operator)) && plainNumber)) suspect.add(name);
  });
  return { all, neverNegative: new Set([...all].filter((name) => !suspect.has(name))) };
}

function childNode(node: Node, key: string): Node | null {
  const child: unknown = Reflect.get(node, key);
  return typeof child === "object" && child !== null && "type" in child ? (child as Node) : null;
}

class FunctionTranslator extends StatementTranslator {
  protected readonly assignedNames: ReadonlySet<string>;
  protected readonly neverNegative: ReadonlySet<string>;

  constructor(
    source: ParsedSource,
    report: Report,
    tables: KernelTables,
    params: Members,
    constants: Members,
    protected readonly isKernel: boolean,
    readonly ownParameters: readonly OwnParameter[],
    private readonly words: string,
  ) {
    super(source, report, tables, params, constants);
    const names = assignedNames(source.tree);
    this.assignedNames = names.all;
    this.neverNegative = names.neverNegative;
  }

  /** Statements of the whole function. */
  body(): readonly Stmt[] {
    const { tree } = this.source;
    if (tree.async)
      this.report.fail(
        this.span(tree),
        `${this.words} cannot be async.`,
        "Remove async: threads wait with syncthreads().",
      );
    if (tree.generator)
      this.report.fail(
        this.span(tree),
        `${this.words} cannot be a generator.`,
        "Remove the *: write results to an output array.",
      );
    const namespaces = ["params", "cuda", "constants"] as const;
    return this.collect(() => {
      tree.params.forEach((pattern, index) => {
        const name = namespaces[index];
        if (name === undefined) {
          this.report.fail(
            this.span(pattern),
            `${this.words} has three arguments: its parameters, CUDA's words, and constants with functions.`,
            "Write (parameters, { threadIdx, ... }, { BLOCK, ... }) => { ... }.",
          );
        }
        this.bindArgument(pattern, { kind: "namespace", name });
      });
      const inner = this.scope;
      this.scope = new Scope(inner);
      const { body } = tree;
      if (body.type === "BlockStatement") this.statements(body.body);
      else this.arrowBody(body);
    });
  }

  private arrowBody(body: Expression): void {
    if (this.isKernel || this.isStatementLike(body)) this.expressionStatement(body);
    else this.returnValue(body, this.span(body));
  }

  private isStatementLike(body: Expression): boolean {
    return (
      body.type === "AssignmentExpression" || body.type === "UpdateExpression" || body.type === "SequenceExpression"
    );
  }

  private bindArgument(pattern: Pattern, value: Value): void {
    if (pattern.type === "Identifier") this.bind(pattern.name, value, pattern);
    else if (pattern.type === "ObjectPattern") this.bindPattern(pattern, value, false);
    else if (pattern.type === "RestElement")
      this.report.fail(this.span(pattern), "`...` needs a list of unknown length.", "Name the arguments one by one.");
    else this.refuseDefault(pattern);
  }

  /** The common type of all returns; each return is converted to it. */
  returnType(body: readonly Stmt[]): Scalar | VectorType | "void" {
    const values = this.returns.filter(({ value }) => value !== null);
    const [first] = values;
    if (first === undefined || first.value === null || first.value.type === "void") return "void";
    const silent = this.returns.find(({ value }) => value === null);
    if (silent !== undefined)
      this.report.fail(
        silent.span,
        "This return gives no value; others of this function do.",
        "Return a value everywhere.",
      );
    const type = values.reduce<Scalar | VectorType>(
      (common, { value, span }) => this.unified(common, value?.type ?? "void", value !== null && isConst(value), span),
      this.returned(first.value.type, first.span),
    );
    for (const pending of values) {
      const { value } = pending;
      if (value === null || value.kind === "pointer") continue;
      pending.value = assign(value, { name: "the function's result", type }, pending.span, this.report);
    }
    if (!alwaysReturns(body)) {
      this.report.fail(
        this.span(this.source.tree),
        "This function can end without returning a value.",
        "Put a return at its end.",
      );
    }
    return type;
  }

  private returned(type: Scalar | VectorType | PointerType | "void", span: Span): Scalar | VectorType {
    if (type !== "void" && (isScalar(type) || isVector(type))) return type;
    return this.report.fail(
      span,
      "A device function returns a number or a vector.",
      "Return an index instead of an array.",
    );
  }

  private unified(
    common: Scalar | VectorType,
    type: Scalar | VectorType | PointerType | "void",
    isConstant: boolean,
    span: Span,
  ): Scalar | VectorType {
    const next = this.returned(type, span);
    if (cudaName(common) === cudaName(next)) return common;
    const constants = isConstant || this.returns.some(({ value }) => value !== null && isConst(value));
    if (isScalar(common) && isScalar(next) && constants && common !== "bool" && next !== "bool")
      return commonType(common, next);
    return this.report.fail(
      span,
      `This returns ${aType(next)}; another return of this function gives ${aType(common)}.`,
      "Convert so that all returns have one type.",
    );
  }
}

/** True where no path leaves the list at its end. */
function alwaysReturns(body: readonly Stmt[]): boolean {
  return body.some((stmt) => {
    if (stmt.kind === "return") return true;
    if (stmt.kind === "block") return alwaysReturns(stmt.body);
    if (stmt.kind === "if") return alwaysReturns(stmt.then) && alwaysReturns(stmt.else);
    return stmt.kind === "loop" && stmt.condition === null && !hasBreak(stmt.body);
  });
}

function hasBreak(body: readonly Stmt[]): boolean {
  return body.some((stmt) => {
    if (stmt.kind === "break") return true;
    if (stmt.kind === "block") return hasBreak(stmt.body);
    return stmt.kind === "if" && (hasBreak(stmt.then) || hasBreak(stmt.else));
  });
}

function constantValue(input: ConstantInput, refuse: () => never): Value {
  if (input instanceof TypedConstant) {
    const raw = typeof input.value === "boolean" ? Number(input.value) : input.value;
    return plain(constant(input.type, raw, start));
  }
  if (typeof input === "boolean") return plain(constant("bool", input ? 1 : 0, start));
  if (typeof input === "bigint") return plain(constant("i64", input, start));
  if (typeof input !== "number" || Number.isNaN(input)) return refuse();
  if (!Number.isInteger(input)) return plain(literal("f32", input, start));
  if (input >= -(2 ** 31) && input < 2 ** 31) return plain(literal("i32", input, start));
  if (input > 0 && input < 2 ** 32) return plain(literal("u32", input, start));
  return Number.isSafeInteger(input) ? plain(constant("i64", input, start)) : refuse();
}

/** Template constants and functions by name. */
function membersOf(
  source: ParsedSource,
  constants: Readonly<Record<string, ConstantInput>>,
  functions: Readonly<Record<string, Callee>>,
): Members {
  const members = new Map<string, Value>();
  const refuse = (name: string, what: string, cure: string): never => {
    throw new CompileError({
      what: `${what} (${name} of ${source.text.name})`,
      cure,
      source: source.text,
      span: start,
    });
  };
  for (const [name, input] of Object.entries(constants)) {
    members.set(
      name,
      constantValue(input, () =>
        refuse(
          name,
          "A constant has no value that a kernel can use.",
          `Give a number or a boolean: constants: { ${name}: 256 }.`,
        ),
      ),
    );
  }
  for (const [name, callee] of Object.entries(functions)) {
    if (callee === null || (typeof callee !== "object" && typeof callee !== "function") || !("kind" in callee)) {
      refuse(
        name,
        "A function was given that is no device function.",
        `Make it one: const ${name} = device("${name}", { params: { ... } }, ({ ... }) => { ... }).`,
      );
    }
    members.set(
      name,
      callee.kind === "device" ? { kind: "device", device: callee } : { kind: "child", kernel: callee },
    );
  }
  return members;
}

function kernelParams(definition: KernelDefinition, source: ParsedSource): readonly Param[] {
  return Object.entries(definition.params).map(([name, parameter]): Param => {
    const refuse = (what: string, cure: string): never => {
      throw new CompileError({
        what: `${what} (${name} of ${definition.name})`,
        cure,
        source: source.text,
        span: start,
      });
    };
    if (parameter === undefined || parameter === null)
      return refuse("A parameter has no type.", `Write params: { ${name}: ptr(i32) } or { ${name}: i32 }.`);
    if (isPointerParameter(parameter)) {
      if (parameter.space !== "any" && parameter.space !== "global")
        return refuse("A kernel's pointer points into global memory.", "Use ptr(...).");
      const type: PointerType = { pointer: parameter.element.type, space: "global", volatile: parameter.volatile };
      return { name, kind: "pointer", type };
    }
    if (isScalarType(parameter) && parameter.type !== "bool") return { name, kind: "scalar", type: parameter.type };
    return refuse("A kernel's parameter is a number or a pointer.", "Use i32, u32, f32, f64, i64, u64 or ptr(...).");
  });
}

function kernelMembers(params: readonly Param[]): Members {
  return new Map(
    params.map((param, index): [string, Value] => {
      if (param.kind === "scalar") return [param.name, plain({ kind: "param", type: param.type, index, span: start })];
      const expr = {
        kind: "pointer",
        type: param.type,
        root: { kind: "param", index },
        offset: null,
        span: start,
      } as const;
      return [param.name, { kind: "pointer", expr, root: `param:${index}`, dims: [], row: null }];
    }),
  );
}

function ownParameters(params: readonly Param[]): readonly OwnParameter[] {
  return params.map((param) => ({
    name: param.name,
    kind: param.kind,
    type: param.kind === "scalar" ? param.type : "i32",
    pointer: param.kind === "pointer" ? cudaName(param.type.pointer) : "",
  }));
}

/** Compiles one device function for one choice of its pointers' spaces. */
function compileDevice(
  device: DeviceDefinition,
  pointers: readonly (PointerType | null)[],
  tables: KernelTables,
  own: readonly OwnParameter[],
): DeviceFunction {
  const source = parseSource(device.name, device.text);
  const report = reportFor(source.text, tables.warnings, false);
  const ids: number[] = [];
  const members = new Map<string, Value>();
  Object.entries(device.params).forEach(([name, parameter], index) => {
    const variable = tables.variables.length;
    const pointer = pointers[index];
    const type = pointer ?? (isPointerParameter(parameter) ? undefined : parameter.type);
    if (type === undefined) return;
    tables.variables.push({ name, type, mutable: false, span: start });
    ids.push(variable);
    if (pointer) {
      const expr = {
        kind: "pointer",
        type: pointer,
        root: { kind: "variable", variable },
        offset: null,
        span: start,
      } as const;
      members.set(name, { kind: "pointer", expr, root: `variable:${variable}`, dims: [], row: null });
    } else if (isScalar(type) || isVector(type))
      members.set(name, plain({ kind: "variable", type, variable, span: start }));
  });
  const translator = new FunctionTranslator(
    source,
    report,
    tables,
    members,
    membersOf(source, device.constants, device.functions),
    false,
    own,
    "A device function",
  );
  const body = translator.body();
  return { name: device.name, source: source.text, params: ids, returns: translator.returnType(body), body };
}

function instances(tables: () => KernelTables, own: readonly OwnParameter[]): KernelTables["instance"] {
  const known = new Map<DeviceDefinition, Map<string, number>>();
  return (device, pointers) => {
    const key = pointers.map((pointer) => pointer?.space ?? "-").join(",");
    const byKey = known.get(device) ?? new Map<string, number>();
    known.set(device, byKey);
    const found = byKey.get(key);
    if (found !== undefined) return found;
    const compiled = compileDevice(device, pointers, tables(), own);
    const index = tables().functions.push(compiled) - 1;
    byKey.set(key, index);
    return index;
  };
}

function constantsList(members: Members): KernelIr["constants"] {
  return [...members].flatMap(([name, value]) =>
    value.kind === "expr" && isConst(value.expr) ? [{ name, type: value.expr.type, value: value.expr.value }] : [],
  );
}

/** Compiles a kernel; throws CompileError with line, caret and cure. */
export function compileKernel(definition: KernelDefinition): KernelIr {
  const source = parseSource(definition.name, definition.text);
  const warnings: Warning[] = [];
  const report = reportFor(source.text, warnings, true);
  const params = kernelParams(definition, source);
  const own = ownParameters(params);
  const tables: KernelTables = {
    variables: [],
    sharedArrays: [],
    localArrays: [],
    functions: [],
    warnings,
    children: [],
    instance: instances(() => tables, own),
  };
  const members = membersOf(source, definition.constants, definition.functions);
  const translator = new FunctionTranslator(
    source,
    report,
    tables,
    kernelMembers(params),
    members,
    true,
    own,
    "A kernel",
  );
  const body = translator.body();
  const ir: KernelIr = {
    name: definition.name,
    source: source.text,
    params,
    constants: constantsList(members),
    variables: tables.variables,
    sharedArrays: tables.sharedArrays,
    localArrays: tables.localArrays,
    functions: tables.functions,
    body,
    warnings,
  };
  return tables.children.length === 0 ? ir : { ...ir, children: tables.children };
}
