/**
 * A kernel's text in the names that the learner wrote. Compilers and bundlers rewrite free names on the way to the text
 * that a function has at run time:
 * - TypeScript: `warplab_1.threadIdx`, `(0, warplab_1.syncthreads)()`; tslab, for an earlier cell's names: `exports.sum`;
 * - esbuild: `import_warplab.threadIdx`, `threadIdx2`; Babel and SWC: `_warplab.threadIdx`; Rollup: `threadIdx$1`;
 * - Vite and Vitest: `__vi_import_0__.threadIdx`; webpack: `warplab__WEBPACK_IMPORTED_MODULE_0__.threadIdx`.
 * A minifier that renames identifiers leaves nothing to recognise.
 */
import type { Node } from "acorn";
import { isDefined } from "../../declare/definitions.js";
import { absentWord } from "../../text/absent-words.js";
import { declaredNames, forEachName, type NameNode } from "../../text/names-in-text.js";
import { builtinValue } from "../calls/builtins.js";

/** Objects that stand for a module. */
const moduleObject = /^exports$|^(_|import_)|_\d+$|__WEBPACK_|namespaceObject|warplab/i;

/** Words that groups have as members too: `tile.shfl(...)` is a member's call even where `tile` is misspelt. */
const groupMembers: ReadonlySet<string> = new Set("shfl shfl_up shfl_down shfl_xor ballot any all reduce".split(" "));

function isWord(name: string): boolean {
  return builtinValue(name) !== undefined;
}

/** A word, or a device function or kernel by its name. */
function isKnown(name: string): boolean {
  return isWord(name) || isDefined(name);
}

/** A bundler's way out where two modules use one name: `i32$1`, `threadIdx2`. `own`: the text's own name. */
function withoutNumber(name: string, own: string): string {
  if (name === own || isKnown(name) || absentWord(name) !== undefined) return name;
  const bare = name.replace(/\$\d+$/, "");
  if (bare !== name) return bare;
  // atan22 is atan2's second.
  for (let length = name.length - 1; length > 0 && /\d/.test(name[length] ?? ""); length--) {
    if (isKnown(name.slice(0, length))) return name.slice(0, length);
  }
  return name;
}

interface Change {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** The name that a node was before it was rewritten; null where it is no such node. */
function nameOf(node: NameNode | Node, own: string, isFree: (name: string) => boolean): string | null {
  if (node.type === "Identifier" && "name" in node) {
    const name = String(node.name);
    return isFree(name) ? withoutNumber(name, own) : null;
  }
  if (node.type === "SequenceExpression") {
    const [zero, inner, more] = (node as NameNode & { readonly type: "SequenceExpression" }).expressions;
    if (zero?.type !== "Literal" || zero.value !== 0 || inner === undefined || more !== undefined) return null;
    return nameOf(inner, own, isFree);
  }
  if (node.type !== "MemberExpression") return null;
  const { object, property, computed } = node as NameNode & { readonly type: "MemberExpression" };
  if (computed || object.type !== "Identifier" || property.type !== "Identifier") return null;
  if (object.name === "Math" || !isFree(object.name)) return null;
  const name = withoutNumber(property.name, own);
  const isModule = moduleObject.test(object.name);
  const asWord = isWord(name) && !groupMembers.has(name) && absentWord(object.name) === undefined;
  return isModule || asWord ? name : null;
}

/**
 * `text` with all free names as they were written; its lines stay where they are.
 * @param own the text's own name
 * @param offset where the tree's text begins
 */
export function plainNames(text: string, own: string, tree: Node, offset: number): string {
  const declared = declaredNames(tree);
  const isFree = (name: string): boolean => !declared.has(name);
  const changes: Change[] = [];
  forEachName(tree, (node, parent) => {
    const name = nameOf(node, own, isFree);
    // A name that the kernel has itself cannot have stood here.
    if (name === null || declared.has(name)) return false;
    let [start, end] = [node.start - offset, node.end - offset];
    const isCallee = parent?.type === "CallExpression" && Reflect.get(parent, "callee") === node;
    if (node.type === "SequenceExpression" && isCallee) {
      start = text.lastIndexOf("(", start);
      end = text.indexOf(")", end) + 1;
    }
    if (text.slice(start, end) !== name) changes.push({ start, end, name });
    return true;
  });
  let result = text;
  for (const { start, end, name } of changes.reverse()) {
    const lines = text.slice(start, end).replace(/[^\n]/g, "");
    result = `${result.slice(0, start)}${name}${lines}${result.slice(end)}`;
  }
  return result;
}
