/** Small changes of a JavaScript module, one at a time: those of Offutt's operators that fit a compiler's text. */
import { type Node, parse } from "acorn";

export interface Mutant {
  readonly start: number;
  readonly end: number;
  /** What takes the place of the text from `start` to `end`. */
  readonly text: string;
}

type Walked = Node & Readonly<Record<string, unknown>>;

const OTHER_OPERATORS: Readonly<Record<string, string>> = {
  "+": "-",
  "-": "+",
  "*": "+",
  "/": "*",
  "%": "*",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "<<": ">>",
  ">>": "<<",
  ">>>": ">>",
  "&": "|",
  "|": "&",
  "^": "&",
  "&&": "||",
  "||": "&&",
};

const OTHER_METHODS: ReadonlyMap<string, string> = new Map([
  ["some", "every"],
  ["every", "some"],
  ["min", "max"],
  ["max", "min"],
]);

function isNode(value: unknown): value is Walked {
  return typeof value === "object" && value !== null && "type" in value;
}

function isText(node: unknown): boolean {
  return (
    isNode(node) && (node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string"))
  );
}

/** All mutants of a module's text. Errors' texts stay. */
export function mutantsOf(text: string): readonly Mutant[] {
  const found: Mutant[] = [];
  const put = (node: Walked, replaced: string): void =>
    void found.push({ start: node.start, end: node.end, text: replaced });
  const of = (node: unknown): string => text.slice((node as Walked).start, (node as Walked).end);
  const negate = (test: unknown): void => {
    if (isNode(test)) put(test, `!(${of(test)})`);
  };
  const visit = (node: Walked): void => {
    switch (node.type) {
      case "ImportDeclaration":
      case "ThrowStatement":
        return;
      case "BinaryExpression":
      case "LogicalExpression": {
        const other = OTHER_OPERATORS[node.operator as string];
        if (other !== undefined && !isText(node.left) && !isText(node.right))
          put(node, `(${of(node.left)}) ${other} (${of(node.right)})`);
        break;
      }
      case "UnaryExpression":
        if (node.operator === "!") put(node, `!!(${of(node.argument)})`);
        if (node.operator === "-") put(node, `+(${of(node.argument)})`);
        break;
      case "IfStatement":
      case "ConditionalExpression":
        negate(node.test);
        break;
      case "WhileStatement":
        put(node.test as Walked, "false");
        break;
      case "Literal":
        if (typeof node.value === "number") {
          put(node, `${node.value + 1}`);
          put(node, `(${node.value - 1})`);
        }
        if (typeof node.value === "bigint") put(node, `(${node.value + 1n}n)`);
        if (typeof node.value === "boolean") put(node, `${!node.value}`);
        break;
      case "ExpressionStatement":
      case "ContinueStatement":
      case "BreakStatement":
        put(node, ";");
        break;
      case "ReturnStatement":
        if (node.argument === null) put(node, ";");
        break;
      case "FunctionDeclaration":
        put(node.body as Walked, `{ return; ${of(node.body).slice(1)}`);
        break;
      case "MemberExpression": {
        const other = node.computed === true ? undefined : OTHER_METHODS.get(of(node.property));
        if (other !== undefined) put(node.property as Walked, other);
        break;
      }
      case "CallExpression": {
        const given = node.arguments as readonly Walked[];
        for (const [index, second] of given.slice(1).entries()) {
          const first = given[index]!;
          const swapped = `${of(second)}, ${of(first)}`;
          found.push({ start: first.start, end: second.end, text: swapped });
        }
        break;
      }
      default:
        break;
    }
    for (const [key, value] of Object.entries(node)) {
      if (key === "key") continue;
      for (const inner of Array.isArray(value) ? value : [value]) if (isNode(inner)) visit(inner);
    }
  };
  // acorn's nodes have no index signature; walking needs every field by its name.
  visit(parse(text, { ecmaVersion: "latest", sourceType: "module" }) as unknown as Walked);
  return found;
}

export function mutated(text: string, { start, end, text: replaced }: Mutant): string {
  return text.slice(0, start) + replaced + text.slice(end);
}
