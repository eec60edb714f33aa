/**
 * `{ warpReduce }` in a cell, where warpReduce is of an earlier cell: tslab 1.0.22 rewrites names of earlier cells to
 * `exports.warpReduce`, but leaves this short form as it is, and the cell fails with "warpReduce is not defined". So
 * the short form is written out, `{ warpReduce: warpReduce }`, before tslab gets the cell.
 */
import { createRequire } from "node:module";
import type * as TypeScript from "@tslab/typescript-for-tslab";

const fromTslab: NodeJS.Require = createRequire(createRequire(import.meta.url).resolve("tslab"));
const ts = fromTslab("@tslab/typescript-for-tslab") as typeof TypeScript;

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

/**
 * The cell's text with the short forms of names of earlier cells written out; all else stays, line for line.
 * @param declarations what earlier cells declare, as tslab keeps it: the text of a declaration file
 */
export function writeOutShorthand(declarations: string, source: string): string {
  if (!/[{,]\s*[\w$]+\s*[,}]/.test(source)) return source;
  const earlier = declaredNames(declarations);
  const ends: { readonly at: number; readonly name: string }[] = [];
  const visit = (node: TypeScript.Node): void => {
    // `{ a }` that is assigned to is a pattern: `({ a } = b)`; writing it out means the same there.
    if (ts.isShorthandPropertyAssignment(node) && earlier.has(node.name.text) && !node.objectAssignmentInitializer) {
      ends.push({ at: node.name.end, name: node.name.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("cell.ts", source, ts.ScriptTarget.ES2022));
  let text = source;
  for (const { at, name } of ends.reverse()) text = `${text.slice(0, at)}: ${name}${text.slice(at)}`;
  return text;
}
