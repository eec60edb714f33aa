/** Values of a submission's text outside of kernels: declarations of parameters, constants, kernels and device functions. */
import type * as TypeScript from "@tslab/typescript-for-tslab";
import { CompileError, WarplabError } from "../../core/base/errors.js";
import { CudaTemplate } from "../../core/frontend/cuda-cpp-kernel.js";
import * as frontend from "../../core/frontend/index.js";
import { type Callee, deviceFromText, Kernel, kernelFromText } from "../../core/frontend/index.js";
import { cudaText } from "../clang/cuda.js";
import { ts } from "../typescript.js";
import type { SubmissionText } from "./submission-text.js";

const { bool, double2, f32, f64, float2, float4, i8, i16, i32, i64, int2, int4, u8, u16, u32, u64, uint2, uint4 } =
  frontend;
const CASTS = new Map<string, unknown>(Object.entries({ bool, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64 }));
const TYPES = new Map<string, unknown>([
  ...CASTS,
  ...Object.entries({ double2, float2, float4, int2, int4, uint2, uint4 }),
]);
const { ptr, sharedPtr, volatile } = frontend;
const POINTERS = new Map<string, unknown>(Object.entries({ ptr, sharedPtr, volatile }));

const ALLOWED =
  "A grade takes kernel(...), device(...), cuda`...`, ptr(...), types, numbers and objects of them; it runs nothing.";

/** The names around an expression. */
export interface Scope {
  readonly text: SubmissionText;
  /** The value of a name that the submission declares; undefined for other names. */
  value(name: string, node: TypeScript.Node): { readonly value: unknown } | undefined;
  /** The name that warplab gives to what was imported under this one. */
  imported(name: string): string;
  /** Device functions and kernels that are defined by now, by their own names. */
  readonly callees: Map<string, Callee>;
}

const BINARY: ReadonlyMap<TypeScript.SyntaxKind, (a: number, b: number) => number> = new Map([
  [ts.SyntaxKind.PlusToken, (a, b) => a + b],
  [ts.SyntaxKind.MinusToken, (a, b) => a - b],
  [ts.SyntaxKind.AsteriskToken, (a, b) => a * b],
  [ts.SyntaxKind.SlashToken, (a, b) => a / b],
  [ts.SyntaxKind.PercentToken, (a, b) => a % b],
  [ts.SyntaxKind.AsteriskAsteriskToken, (a, b) => a ** b],
  [ts.SyntaxKind.LessThanLessThanToken, (a, b) => a << b],
  [ts.SyntaxKind.GreaterThanGreaterThanToken, (a, b) => a >> b],
  [ts.SyntaxKind.GreaterThanGreaterThanGreaterThanToken, (a, b) => a >>> b],
  [ts.SyntaxKind.AmpersandToken, (a, b) => a & b],
  [ts.SyntaxKind.BarToken, (a, b) => a | b],
  [ts.SyntaxKind.CaretToken, (a, b) => a ^ b],
]);

type Fields = Record<string, unknown>;

/** An object that the submission's text wrote out: it has no prototype, whatever its names. */
function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === null;
}

function nameOf(name: TypeScript.PropertyName, { text }: Scope): string {
  if (!(ts.isIdentifier(name) || ts.isStringLiteral(name))) {
    return text.refuse(name, "A field's name is computed.", "Write the name out.");
  }
  if (name.text === "__proto__") return text.refuse(name, "An object's prototype is set.", "Take the field out.");
  return name.text;
}

function objectValue(node: TypeScript.ObjectLiteralExpression, scope: Scope): Fields {
  const fields: Fields = Object.create(null) as Fields;
  for (const property of node.properties) {
    if (ts.isPropertyAssignment(property)) {
      fields[nameOf(property.name, scope)] = dataValue(property.initializer, scope);
    } else if (ts.isShorthandPropertyAssignment(property)) {
      fields[nameOf(property.name, scope)] = dataValue(property.name, scope);
    } else if (ts.isSpreadAssignment(property)) {
      const spread = hostValue(property.expression, scope);
      if (!isFields(spread)) return scope.text.refuse(property, "This is no object to spread.", ALLOWED);
      Object.assign(fields, spread);
    } else {
      return scope.text.refuse(property, "An object has a getter, a setter or a method.", ALLOWED);
    }
  }
  return fields;
}

/** Text names kernels only: no field may pass for the package's own objects. */
function dataValue(node: TypeScript.Expression, scope: Scope): unknown {
  const value = hostValue(node, scope);
  if (typeof value !== "string") return value;
  return scope.text.refuse(node, "A text stands where a number, a type or a function belongs.", ALLOWED);
}

/** Errors of a kernel's own text tell their line; those of a call get it here. */
function lined<T>(node: TypeScript.Node, { text }: Scope, make: () => T): T {
  try {
    return make();
  } catch (problem) {
    if (!(problem instanceof WarplabError) || problem instanceof CompileError) throw problem;
    return text.refuse(node, problem.what, problem.cure);
  }
}

function madeCallee(maker: "kernel" | "device", node: TypeScript.CallExpression, scope: Scope): Callee {
  const [name, ...given] = node.arguments.map((argument) => hostValue(argument, scope));
  const text = node.arguments.slice(1).find((_, index) => typeof given[index] === "string");
  if (text !== undefined) dataValue(text, scope);
  const made = lined(node, scope, () =>
    maker === "kernel" ? kernelFromText(name, given, new Map(scope.callees)) : deviceFromText(name, given),
  );
  // As the last one of its name.
  scope.callees.set(made.name, made);
  return made;
}

function withConstants(node: TypeScript.CallExpression, scope: Scope): unknown {
  const { expression, arguments: given } = node;
  if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== "with") return undefined;
  const kernel = hostValue(expression.expression, scope);
  const [constants, more] = given;
  if (!(kernel instanceof Kernel || CudaTemplate.is(kernel)) || constants === undefined || more !== undefined)
    return undefined;
  const values = hostValue(constants, scope);
  return isFields(values) ? lined(node, scope, () => kernel.with(values as Record<string, number>)) : undefined;
}

function callValue(node: TypeScript.CallExpression, scope: Scope): unknown {
  const { expression } = node;
  if (ts.isIdentifier(expression) && scope.value(expression.text, expression) === undefined) {
    const name = scope.imported(expression.text);
    if (name === "kernel" || name === "device") return madeCallee(name, node, scope);
    const make = POINTERS.get(name) ?? CASTS.get(name);
    if (typeof make === "function") {
      const given = node.arguments.map((argument) => dataValue(argument, scope));
      return lined(node, scope, () => make(...given) as unknown);
    }
  }
  const instance = withConstants(node, scope);
  if (instance !== undefined) return instance;
  return scope.text.refuse(node, `A grade does not call ${expression.getText(scope.text.file).slice(0, 60)}.`, ALLOWED);
}

function identifierValue(node: TypeScript.Identifier, scope: Scope): unknown {
  const declared = scope.value(node.text, node);
  if (declared !== undefined) return declared.value;
  const type = TYPES.get(scope.imported(node.text));
  if (type !== undefined) return type;
  return scope.text.refuse(node, `${node.text} is not declared here.`, ALLOWED);
}

function unaryValue(node: TypeScript.PrefixUnaryExpression, scope: Scope): unknown {
  const value = hostValue(node.operand, scope);
  if (typeof value === "bigint" && node.operator === ts.SyntaxKind.MinusToken) return -value;
  if (typeof value === "number") {
    if (node.operator === ts.SyntaxKind.MinusToken) return -value;
    if (node.operator === ts.SyntaxKind.PlusToken) return value;
    if (node.operator === ts.SyntaxKind.TildeToken) return ~value;
  }
  return scope.text.refuse(node, "This operator stands before something that is no number.", ALLOWED);
}

function binaryValue(node: TypeScript.BinaryExpression, scope: Scope): number {
  const compute = BINARY.get(node.operatorToken.kind);
  const { text } = scope;
  if (compute === undefined) {
    return text.refuse(node, `A grade does not compute ${node.operatorToken.getText(text.file)}.`, ALLOWED);
  }
  const [left, right] = [hostValue(node.left, scope), hostValue(node.right, scope)];
  if (typeof left === "number" && typeof right === "number") return compute(left, right);
  return text.refuse(node, "A grade computes with numbers alone outside of kernels.", ALLOWED);
}

/** A field of a value, or a kernel of a CUDA C++ text. */
export function fieldOf(object: unknown, name: string, node: TypeScript.Node, { text }: Scope): unknown {
  if (isFields(object) && Object.hasOwn(object, name)) return object[name];
  return text.refuse(node, `There is no field ${name} that a grade can read.`, ALLOWED);
}

/** The names that a declaration gives: `answer`, or those of `{ answer }` before cuda`...`; null for other patterns. */
export function boundFields({
  name,
  initializer,
}: TypeScript.VariableDeclaration): readonly { readonly own: string; readonly field: string | null }[] | null {
  if (ts.isIdentifier(name)) return [{ own: name.text, field: null }];
  const found = name.elements.map((element) => {
    if (!ts.isBindingElement(element) || element.initializer !== undefined || element.dotDotDotToken !== undefined)
      return null;
    const { name: own, propertyName = own } = element;
    return ts.isIdentifier(own) && ts.isIdentifier(propertyName) ? { own: own.text, field: propertyName.text } : null;
  });
  const plain = found.filter((each) => each !== null);
  const isText = initializer !== undefined && ts.isTaggedTemplateExpression(initializer);
  return isText && ts.isObjectBindingPattern(name) && plain.length === found.length ? plain : null;
}

/** The kernels of cuda`...`. */
function cudaValue(node: TypeScript.TaggedTemplateExpression, scope: Scope): unknown {
  const { tag, template } = node;
  const { text } = scope;
  if (!ts.isIdentifier(tag) || scope.imported(tag.text) !== "cuda" || scope.value(tag.text, tag) !== undefined) {
    return text.refuse(node, "A grade does not run this.", ALLOWED);
  }
  const first = ts.isTemplateExpression(template) ? template.head : template;
  const spans = ts.isTemplateExpression(template) ? template.templateSpans : [];
  const parts = spans.map(({ expression, literal }) => {
    const value = hostValue(expression, scope);
    if (typeof value !== "number") return text.refuse(expression, "A value in cuda`...` is no number.", ALLOWED);
    return `${value}${literal.rawText ?? literal.text}`;
  });
  const written = [first.rawText ?? first.text, ...parts].join("");
  return lined(node, scope, () => cudaText(written, text.where, text.lineOf(template)));
}

function literalValue(node: TypeScript.Expression): { readonly value: unknown } | undefined {
  if (ts.isNumericLiteral(node)) return { value: Number(node.text) };
  if (ts.isBigIntLiteral(node)) return { value: BigInt(node.text.replace(/n$/, "")) };
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return { value: node.text };
  if (node.kind === ts.SyntaxKind.TrueKeyword) return { value: true };
  if (node.kind === ts.SyntaxKind.FalseKeyword) return { value: false };
  return undefined;
}

/**
 * The value of an expression that stands outside of kernels. Functions are text.
 * @throws Refused with the line for all that is not a declaration; CompileError of a kernel
 */
export function hostValue(node: TypeScript.Expression, scope: Scope): unknown {
  const literal = literalValue(node);
  if (literal !== undefined) return literal.value;
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) {
    return hostValue(node.expression, scope);
  }
  if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return scope.text.functionOf(node);
  if (ts.isIdentifier(node)) return identifierValue(node, scope);
  if (ts.isObjectLiteralExpression(node)) return objectValue(node, scope);
  if (ts.isCallExpression(node)) return callValue(node, scope);
  if (ts.isPrefixUnaryExpression(node)) return unaryValue(node, scope);
  if (ts.isBinaryExpression(node)) return binaryValue(node, scope);
  if (ts.isPropertyAccessExpression(node)) {
    return fieldOf(hostValue(node.expression, scope), node.name.text, node, scope);
  }
  if (ts.isTaggedTemplateExpression(node)) return cudaValue(node, scope);
  const what = ts.isTemplateExpression(node) ? "A text is put together." : "A grade does not run this.";
  return scope.text.refuse(node, what, ALLOWED);
}
