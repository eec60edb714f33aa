/**
 * Every place of the front end and of the lowering that refuses a text, read from the modules that run. A test uses it to
 * find refusals without a case of their cure.
 */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type * as TypeScript from "@tslab/typescript-for-tslab";

const require = createRequire(createRequire(import.meta.url).resolve("tslab"));
const ts: typeof TypeScript = require("@tslab/typescript-for-tslab");

const source = join(import.meta.dirname, "../../../src/dist");

/** A refusal: where it stands, and the pieces of text that its cure is put together from. */
export interface RefusalSite {
  readonly file: string;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly pieces: readonly string[];
  /** A table, or a function that puts cures together: no place that an error is made at. */
  readonly isShared: boolean;
}

/** Calls whose last argument is a cure, or its main part. */
const REFUSING: ReadonlySet<string> = new Set([
  "fail",
  "failOnValue",
  "refuse",
  "unknownMember",
  "requireCount",
  "need",
]);

/** Words and signs that say nothing alone. */
const SHORTEST_PIECE = 5;

type Node = TypeScript.Node;

/**
 * Texts in quotes under a node, with those of the constants of its file that it names. The functions that it calls for a
 * text go to `called`: they serve several places.
 */
function piecesOf(
  node: Node,
  file: TypeScript.SourceFile,
  called: Set<Node> = new Set(),
  seen: Set<Node> = new Set(),
): string[] {
  if (seen.has(node)) return [];
  seen.add(node);
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) return [node.text];
  const found: string[] = [];
  if (ts.isIdentifier(node)) {
    const declared = declarationOf(node.text, node, file);
    if (declared !== null && ts.isBlock(declared)) called.add(declared);
    else if (declared !== null) found.push(...piecesOf(declared, file, called, seen));
  }
  // The operands of a comparison are not printed; a part's name is no text.
  if (ts.isConditionalExpression(node)) {
    return [...piecesOf(node.whenTrue, file, called, seen), ...piecesOf(node.whenFalse, file, called, seen)];
  }
  if (ts.isBinaryExpression(node) && /[!=]==/.test(node.operatorToken.getText(file))) return [];
  if (ts.isCaseClause(node)) return node.statements.flatMap((statement) => piecesOf(statement, file, called, seen));
  if (ts.isIfStatement(node)) {
    const sides = node.elseStatement === undefined ? [node.thenStatement] : [node.thenStatement, node.elseStatement];
    return sides.flatMap((side) => piecesOf(side, file, called, seen));
  }
  ts.forEachChild(node, (child) => {
    if (ts.isPropertyAccessExpression(node) && child === node.name) return;
    if (ts.isPropertyAssignment(node) && child === node.name) return;
    if (ts.isElementAccessExpression(node) && child === node.argumentExpression) return;
    if (ts.isTypeNode(child)) return;
    found.push(...piecesOf(child, file, called, seen));
  });
  return found;
}

/** The value of a constant, or the body of a function that gives a text, by its name. */
function declarationOf(name: string, from: Node, file: TypeScript.SourceFile): Node | null {
  for (let scope: Node | undefined = from.parent; scope !== undefined; scope = scope.parent) {
    if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) continue;
    for (const statement of scope.statements) {
      if (ts.isFunctionDeclaration(statement) && statement.name?.text === name && statement.body !== undefined)
        return statement.type?.getText(file) === "string" ? statement.body : null;
      if (!ts.isVariableStatement(statement)) continue;
      for (const { name: declared, initializer } of statement.declarationList.declarations) {
        if (ts.isIdentifier(declared) && declared.text === name) return initializer ?? null;
      }
    }
  }
  return null;
}

function cureOf(node: Node): Node | null {
  if (ts.isCallExpression(node)) {
    const { expression } = node;
    const name = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
    return REFUSING.has(name) ? (node.arguments.at(-1) ?? null) : null;
  }
  if (!ts.isPropertyAssignment(node) && !ts.isShorthandPropertyAssignment(node)) return null;
  if (node.name.getText() !== "cure") return null;
  // Errors of the host's functions are no refusals of a text.
  const made = node.parent.parent;
  if (ts.isNewExpression(made) && made.expression.getText() !== "CompileError") return null;
  return ts.isPropertyAssignment(node) ? node.initializer : node.name;
}

function sitesOf(folder: string, name: string): RefusalSite[] {
  const path = join(source, folder, name);
  const file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.ES2022, true);
  const sites: RefusalSite[] = [];
  const line = (position: number): number => file.getLineAndCharacterOfPosition(position).line + 1;
  const called = new Set<Node>();
  const add = (node: Node, texts: readonly string[], isShared: boolean): void => {
    const pieces = texts.filter((piece) => piece.trim().length >= SHORTEST_PIECE);
    const [firstLine, lastLine] = [line(node.getStart()), line(node.getEnd())];
    if (pieces.length > 0) sites.push({ file: `${folder}/${name}`, firstLine, lastLine, pieces, isShared });
  };
  const visit = (node: Node): void => {
    // The form that it asks for is its callers'.
    if (ts.isFunctionDeclaration(node) && node.name?.text === "requireCount") return;
    const cure = cureOf(node);
    if (cure !== null) {
      const inTable =
        name.endsWith("refused.js") || (ts.isCallExpression(node) && node.expression.getText() === "need");
      add(ts.isCallExpression(node) ? node : node.parent.parent, piecesOf(cure, file, called), inTable);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  for (const body of called) add(body, piecesOf(body, file), true);
  return sites;
}

/** The forms of C that a cell's text is searched for. */
export function cellSites(): readonly RefusalSite[] {
  const folder = "core/frontend/cells";
  return readdirSync(join(source, folder), { encoding: "utf8" })
    .filter((name) => name.endsWith(".js"))
    .flatMap((name) => sitesOf(folder, name));
}

/** All others; the rows of absent-words.js are data, and not among them. */
export function refusalSites(): readonly RefusalSite[] {
  return ["core/frontend", "core/lower"].flatMap((folder) =>
    readdirSync(join(source, folder), { recursive: true, encoding: "utf8" })
      // CUDA C++ has tests of its own, which need clang; cells have theirs, which run notebooks.
      .filter((name) => name.endsWith(".js") && !name.endsWith("absent-words.js") && !/^(cuda-cpp|cells)\b/.test(name))
      .flatMap((name) => sitesOf(folder, name)),
  );
}

/**
 * The site that an error was made at: the innermost frame of its stack that is one. It needs
 * WARPLAB_STACK=1 in the environment: the package's own frames are left out otherwise.
 */
export function siteOf(error: Error, sites: readonly RefusalSite[]): RefusalSite | undefined {
  for (const [, file, text] of (error.stack ?? "").matchAll(
    /\.cache\/builds\/[^/]+\/(core\/(?:frontend|lower)\/[\w/-]+\.js):(\d+):\d+/g,
  )) {
    const number = Number(text);
    const found = sites.find(
      (site) => !site.isShared && site.file === file && site.firstLine <= number && number <= site.lastLine,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}
