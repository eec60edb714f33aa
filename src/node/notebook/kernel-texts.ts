/**
 * The functions that a cell gives to `kernel` and `device`. TypeScript checks them by rules that are not a kernel's. It
 * misses imports that a kernel does not need, and answers mistakes before warplab can. Where it objects, the cell is
 * converted without these texts. They are put back as they were written, their types as blanks.
 */
import type * as TypeScript from "@tslab/typescript-for-tslab";
import { eraseTypes } from "../erase-types.js";
import { ts } from "../typescript.js";

export interface WithoutTexts {
  /** The cell, with a value of no type in each text's place and as many lines. */
  readonly source: string;
  /** Puts the texts into what was made of that source. */
  restored(output: string): string;
}

const MAKERS: ReadonlySet<string> = new Set(["kernel", "device"]);

function makerOf({ expression }: TypeScript.CallExpression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : "";
}

/** The function that a call makes a kernel of; null for other calls. */
function textOf(node: TypeScript.Node): TypeScript.Node | null {
  if (!ts.isCallExpression(node) || !MAKERS.has(makerOf(node))) return null;
  const last = node.arguments.at(-1);
  return last !== undefined && (ts.isArrowFunction(last) || ts.isFunctionExpression(last)) ? last : null;
}

/** Null for a cell that makes no kernels. */
export function withoutKernelTexts(source: string): WithoutTexts | null {
  const file = ts.createSourceFile("cell.ts", source, ts.ScriptTarget.ES2022, true);
  const nodes: TypeScript.Node[] = [];
  const visit = (node: TypeScript.Node): void => {
    const text = textOf(node);
    if (text === null) ts.forEachChild(node, visit);
    else nodes.push(text);
  };
  visit(file);
  if (nodes.length === 0) return null;
  const texts = nodes.map((node) => eraseTypes(node, file));
  let bare = source;
  for (const [index, node] of [...nodes.entries()].reverse()) {
    const start = node.getStart(file);
    const lines = "\n".repeat(source.slice(start, node.end).split("\n").length - 1);
    bare = `${bare.slice(0, start)}JSON.parse("kernel text ${index}")${lines}${bare.slice(node.end)}`;
  }
  return {
    source: bare,
    restored: (output) =>
      output.replace(/JSON\.parse\("kernel text (\d+)"\)/g, (_, index) => texts[Number(index)] ?? ""),
  };
}
