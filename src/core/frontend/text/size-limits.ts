/** How large and how deeply nested a text may be. The compiler's passes call themselves for what stands in something else. */
import type { Node } from "acorn";
import { childrenOf } from "./tree.js";

/** Characters of a text: fifty thousand lines. */
export const MOST_CHARACTERS = 2_000_000;
/** Statements in one another; each `else if` and each `case` stands in the one before. */
const MOST_STATEMENTS = 256;
/** Operators, calls and the like in one another; each `+` of a long sum stands in the next one. */
const MOST_EXPRESSIONS = 1000;
const MOST_LOOPS = 16;
/** Loops of a text, in one another or not: the time of a compilation grows with their square. */
const MOST_LOOPS_IN_ALL = 256;

/** Refuses what is nested too deeply: its place and, in words, the construct, the limit and the cure. */
type RefuseNesting = (node: Node, what: string, cure: string) => never;

interface Depths {
  readonly statements: number;
  readonly expressions: number;
  readonly loops: number;
}

/** Refuses the first construct that is nested too deeply. Does not call itself. */
export function checkNesting(root: Node, refuse: RefuseNesting): void {
  const open: { readonly node: Node; readonly depths: Depths }[] = [
    { node: root, depths: { statements: 0, expressions: 0, loops: 0 } },
  ];
  let loops = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node } = next;
    if (LOOPS.has(node.type) && ++loops > MOST_LOOPS_IN_ALL) {
      const what = `More than ${MOST_LOOPS_IN_ALL} loops stand in this text.`;
      refuse(node, what, "Let one loop do the work of several, or split the kernel.");
    }
    const depths = depthsIn(node, next.depths);
    checkDepths(node, depths, refuse);
    for (const child of childrenOf(node)) open.push({ node: child, depths });
  }
}

function depthsIn(node: Node, { statements, expressions, loops }: Depths): Depths {
  if (LOOPS.has(node.type)) return { statements: statements + 1, expressions, loops: loops + 1 };
  if (node.type === "SwitchStatement" && "cases" in node && Array.isArray(node.cases)) {
    return { statements: statements + node.cases.length, expressions, loops };
  }
  if (node.type.endsWith("Statement")) return { statements: statements + 1, expressions, loops };
  return { statements, expressions: expressions + 1, loops };
}

const LOOPS: ReadonlySet<string> = new Set(["ForStatement", "WhileStatement", "DoWhileStatement", "ForOfStatement"]);

function checkDepths(node: Node, { statements, expressions, loops }: Depths, refuse: RefuseNesting): void {
  if (loops > MOST_LOOPS) {
    const what = `More than ${MOST_LOOPS} loops stand in one another.`;
    refuse(node, what, "Let one loop count over several dimensions, and take its index apart.");
  }
  if (statements > MOST_STATEMENTS) {
    const what =
      node.type === "SwitchStatement"
        ? `This switch has too many cases: with the statements around it there may be ${MOST_STATEMENTS}.`
        : `More than ${MOST_STATEMENTS} statements stand in one another; each \`else if\` stands in the one before.`;
    refuse(node, what, "Look the value up in an array, or test ranges first.");
  }
  if (expressions > MOST_EXPRESSIONS) {
    const what = `More than ${MOST_EXPRESSIONS} operations stand in one another in an expression.`;
    refuse(node, what, "Compute it in several statements, or in a loop.");
  }
}
