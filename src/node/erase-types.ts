/** TypeScript's types in a function's text become blanks, so that each line and column stays where the learner wrote it. */
import type * as TypeScript from "@tslab/typescript-for-tslab";
import { ts } from "./typescript.js";

type Range = readonly [from: number, to: number];

/** From the bracket before the list to the one after it. */
function bracketed(list: TypeScript.NodeArray<TypeScript.Node>, text: string): Range {
  return [list.pos - 1, text.indexOf(">", list.end) + 1];
}

function listsOf(node: TypeScript.Node): readonly TypeScript.NodeArray<TypeScript.Node>[] {
  const { typeParameters, typeArguments } = node as {
    readonly typeParameters?: TypeScript.NodeArray<TypeScript.Node>;
    readonly typeArguments?: TypeScript.NodeArray<TypeScript.Node>;
  };
  return [typeParameters, typeArguments].filter((list) => list !== undefined);
}

/** The type of a parameter, a variable or a result, with its colon. */
function annotation(node: TypeScript.Node): Range | null {
  if (!(ts.isParameter(node) || ts.isVariableDeclaration(node) || ts.isFunctionLike(node))) return null;
  return node.type === undefined ? null : [node.type.pos - 1, node.type.end];
}

function typesOf(node: TypeScript.Node, file: TypeScript.SourceFile): readonly Range[] {
  if (ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) return [[node.getStart(file), node.end]];
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) return [[node.expression.end, node.end]];
  if (ts.isNonNullExpression(node)) return [[node.end - 1, node.end]];
  if (ts.isTypeAssertionExpression(node)) return [[node.getStart(file), node.expression.getStart(file)]];
  const found = annotation(node);
  const lists = listsOf(node).map((list) => bracketed(list, file.text));
  const mark = ts.isParameter(node) || ts.isVariableDeclaration(node) ? markOf(node) : null;
  return [...(found === null ? [] : [found]), ...lists, ...(mark === null ? [] : [mark])];
}

/** `?` of a parameter, `!` of a variable. */
function markOf(node: TypeScript.ParameterDeclaration | TypeScript.VariableDeclaration): Range | null {
  const mark = ts.isParameter(node) ? node.questionToken : node.exclamationToken;
  return mark === undefined ? null : [mark.end - 1, mark.end];
}

/** The text of a node without its types. It has as many lines, and its code stands in the same columns. */
export function eraseTypes(node: TypeScript.Node, file: TypeScript.SourceFile): string {
  const start = node.getStart(file);
  let text = file.text.slice(start, node.end);
  const visit = (inner: TypeScript.Node): void => {
    for (const [from, to] of typesOf(inner, file)) {
      const blank = text.slice(from - start, to - start).replace(/[^\n]/g, " ");
      text = text.slice(0, from - start) + blank + text.slice(to - start);
    }
    ts.forEachChild(inner, visit);
  };
  visit(node);
  return text;
}
