/**
 * tslab 1.0.22 rewrites names of earlier cells to `exports.name`, and is wrong about the names of properties in two ways.
 * Both are written in another form before tslab gets the cell:
 * - `{ warpReduce }`, where warpReduce is of an earlier cell, stays as it is and fails with "warpReduce is not defined".
 *   It is written out: `{ warpReduce: warpReduce }`.
 * - `{ equal: x }` as a pattern, for a value whose type an earlier cell wrote, becomes `{ exports.equal: x }`, which is no
 *   JavaScript. The name is quoted: `{ "equal": x }`.
 */
import type * as TypeScript from "@tslab/typescript-for-tslab";
import { ts } from "../typescript.js";

/** Names that a declaration file's text declares: what earlier cells left. */
function declaredNames(declarations: string): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: TypeScript.Node): void => {
    if (ts.isIdentifier(node)) names.add(node.text);
    ts.forEachChild(node, visit);
  };
  for (const statement of ts.createSourceFile("earlier.d.ts", declarations, ts.ScriptTarget.ES2022).statements) {
    if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) visit(name);
    } else if (
      (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) || ts.isEnumDeclaration(statement)) &&
      statement.name !== undefined
    ) {
      names.add(statement.name.text);
    } else if (ts.isImportDeclaration(statement) && statement.importClause !== undefined) visit(statement.importClause);
  }
  return names;
}

/** Whether an object literal is a pattern: `({ a: b } = c)`, also within another one. */
function isAssigned(node: TypeScript.Node): boolean {
  const { parent } = node;
  if (parent === undefined) return false;
  if (ts.isBinaryExpression(parent)) {
    return parent.left === node && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  }
  if (ts.isForOfStatement(parent)) return parent.initializer === node;
  const within = ts.isPropertyAssignment(parent) ? parent.initializer === node : ts.isArrayLiteralExpression(parent);
  return within && isAssigned(ts.isPropertyAssignment(parent) ? parent.parent : parent);
}

/** The name of a property that a pattern takes: `equal` of `{ equal: x }`. */
function takenProperty(node: TypeScript.Node): TypeScript.Identifier | null {
  const name = ts.isBindingElement(node)
    ? node.propertyName
    : ts.isPropertyAssignment(node) && isAssigned(node.parent)
      ? node.name
      : undefined;
  return name !== undefined && ts.isIdentifier(name) ? name : null;
}

interface Change {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * Writes out the short forms in a cell's text: `{ name }` for names of earlier cells becomes `{ name: name }`, and patterns
 * quote properties of their types. All other text stays, line for line.
 * @param declarations what earlier cells declare, as tslab keeps it: the text of a declaration file
 */
export function writeOutShorthand(declarations: string, source: string): string {
  if (!/[{,]\s*[\w$]+\s*[,}:]/.test(source)) return source;
  const earlier = declaredNames(declarations);
  const words = new Set(declarations.match(/[\w$]+/g));
  const changes: Change[] = [];
  const visit = (node: TypeScript.Node): void => {
    // `{ a }` that is assigned to is a pattern: `({ a } = b)`; writing it out means the same there.
    if (ts.isShorthandPropertyAssignment(node) && earlier.has(node.name.text) && !node.objectAssignmentInitializer) {
      changes.push({ from: node.name.end, to: node.name.end, text: `: ${node.name.text}` });
    }
    const taken = takenProperty(node);
    if (taken !== null && words.has(taken.text)) {
      changes.push({ from: taken.getStart(file), to: taken.end, text: `"${taken.text}"` });
    }
    ts.forEachChild(node, visit);
  };
  const file = ts.createSourceFile("cell.ts", source, ts.ScriptTarget.ES2022, true);
  visit(file);
  let text = source;
  for (const { from, to, text: written } of changes.sort((a, b) => b.from - a.from)) {
    text = `${text.slice(0, from)}${written}${text.slice(to)}`;
  }
  return text;
}
