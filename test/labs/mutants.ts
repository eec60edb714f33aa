/** Small faults in a kernel's text, one at a time, as a slip of the keyboard or of the mind makes them. */
import type { Node } from "acorn";
import { parseExpressionAt } from "acorn";

export interface Mutant {
  /** The change, with the text around it: `line 7: "tid < s" -> "tid <= s"`. */
  readonly what: string;
  readonly text: string;
}

interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const OTHER_OPERATORS: Readonly<Record<string, readonly string[]>> = {
  "<": ["<=", ">="],
  ">": [">=", "<="],
  "<=": ["<"],
  ">=": [">"],
  "===": ["!=="],
  "!==": ["==="],
  "+": ["-"],
  "-": ["+"],
  "*": ["+"],
  ">>": ["<<"],
  "<<": [">>"],
  "+=": ["=", "-="],
  "-=": ["+="],
  "*=": ["+="],
  ">>=": ["<<="],
  "&&": ["||"],
  "||": ["&&"],
};

type Walked = Node & Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Walked =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

function walk(node: Walked, visit: (node: Walked) => void): void {
  visit(node);
  for (const value of Object.values(node)) {
    if (isNode(value)) walk(value, visit);
    else if (Array.isArray(value)) for (const each of value) if (isNode(each)) walk(each, visit);
  }
}

function otherNumbers(raw: string): readonly string[] {
  const value = Number(raw);
  if (raw.startsWith("0x")) return ["0x7fffffff", "0xfffffffe", "0x0000ffff"];
  const others = [value + 1, value - 1, Math.floor(value / 2), value * 2].filter((each) => each >= 0 && each !== value);
  return [...new Set(others)].map(String);
}

/** Changes of one node of the body. */
function changes(node: Walked, text: string): readonly Change[] {
  const of = (each: unknown): string => (isNode(each) ? text.slice(each.start, each.end) : "");
  const whole = (replaced: string): Change => ({ start: node.start, end: node.end, text: replaced });
  const exchanged = (operator: string): readonly Change[] => {
    const left = node.left as Walked;
    const right = node.right as Walked;
    const at = text.indexOf(operator, left.end);
    if (at < 0 || at >= right.start) return [];
    return (OTHER_OPERATORS[operator] ?? []).map((other) => ({ start: at, end: at + operator.length, text: other }));
  };
  switch (node.type) {
    case "ExpressionStatement":
      return [whole(";"), ...(of(node).startsWith("syncthreads") ? [whole("if (tid < 32) syncthreads();")] : [])];
    case "IfStatement":
      return [whole(of(node.consequent)), { ...whole(`!(${of(node.test)})`), ...span(node.test) }];
    case "BinaryExpression":
    case "LogicalExpression":
    case "AssignmentExpression":
      return exchanged(node.operator as string);
    case "Literal":
      return typeof node.value === "number" ? otherNumbers(node.raw as string).map(whole) : [];
    case "MemberExpression":
      if (node.computed === true) return [{ ...span(node.property), text: `${of(node.property)} + 1` }];
      return of(node) === "blockDim.x" ? [whole("(blockDim.x - 1)"), whole("gridDim.x")] : [];
    default:
      return [];
  }
}

function span(node: unknown): { readonly start: number; readonly end: number } {
  const { start, end } = node as Walked;
  return { start, end };
}

/** Two neighbouring statements the other way around. */
function swaps(node: Walked, text: string): readonly Change[] {
  if (node.type !== "BlockStatement") return [];
  const body = node.body as readonly Walked[];
  return body.slice(1).flatMap((second, index): readonly Change[] => {
    const first = body[index];
    if (first === undefined || first.type === "VariableDeclaration") return [];
    const between = text.slice(first.end, second.start);
    const swapped = text.slice(second.start, second.end) + between + text.slice(first.start, first.end);
    return [{ start: first.start, end: second.end, text: swapped }];
  });
}

/** All mutants of the text of an arrow function whose second argument asks for what the mutants use. */
export function mutants(text: string): readonly Mutant[] {
  // acorn's nodes have no index signature; walking needs every field by its name.
  const arrow = parseExpressionAt(text, 0, { ecmaVersion: "latest" }) as unknown as Walked;
  const found: Change[] = [];
  walk(arrow.body as Walked, (node) => found.push(...changes(node, text), ...swaps(node, text)));
  const texts = new Set<string>();
  return found.flatMap(({ start, end, text: replaced }): readonly Mutant[] => {
    const mutated = text.slice(0, start) + replaced + text.slice(end);
    if (mutated === text || texts.has(mutated)) return [];
    texts.add(mutated);
    const line = text.slice(0, start).split("\n").length;
    const short = (part: string): string => part.replace(/\s+/g, " ");
    return [{ what: `line ${line}: ${short(text.slice(start, end))} -> ${short(replaced)}`, text: mutated }];
  });
}
