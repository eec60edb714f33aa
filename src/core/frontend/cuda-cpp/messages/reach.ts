/**
 * Which kernels an error of clang reaches: those that it stands in, and those that name what it stands in. clang leaves out
 * the statements that use something broken, often without a word. So names are compared in the text, not in the tree.
 */
import { blank, codeAlone } from "../../text/code-alone.js";
import { children, type Node } from "../tree/node.js";
import type { Diagnostic } from "./diagnostic.js";

/** Lines count from 1, columns from 0. */
interface Point {
  readonly line: number;
  readonly column: number;
}

/** A declaration of the text with what others may call it by. */
interface Part {
  readonly names: readonly string[];
  readonly file: string;
  readonly from: Point;
  readonly to: Point;
  /** Of the host alone: its errors are another compiler's. */
  readonly host: boolean;
  readonly isFunction: boolean;
  readonly words: ReadonlySet<string>;
}

export interface Reach {
  /** The first error of each function and declaration that cannot be used, by name. */
  readonly names: ReadonlyMap<string, Diagnostic>;
  /** The error after which nothing of the file can be used. */
  readonly whole: Diagnostic | null;
  /** Names of kernels in the text with the error that is nearest: some of them clang has not seen. */
  readonly written: ReadonlyMap<string, Diagnostic>;
}

const FUNCTION = /^(Function|CXXMethod|CXXConstructor|CXXConversion|CXXDestructor)Decl$/;
const RECORD = /^(CXXRecord|ClassTemplate(Partial)?Specialization)Decl$/;
const DEVICE = /^CUDA(Global|Device|Constant|Shared)Attr$/;
const WORD = /[A-Za-z_]\w*/g;

/** A mistake about kernels, wherever it stands. */
const ABOUT_KERNELS = /global function|kernel call|kernel function|__device__|__global__|__shared__/;

const isBefore = (a: Point, b: Point): boolean => a.line < b.line || (a.line === b.line && a.column <= b.column);
const words = (text: string): readonly string[] => text.match(WORD) ?? [];

/** The text without comments, texts in quotes and what `#if 0` leaves out; each line stays where it is. */
function plain(text: string): string {
  return codeAlone(text).replace(/^[ \t]*#[ \t]*if[ \t]+0\b[\s\S]*?^[ \t]*#[ \t]*(?:endif|else|elif)/gm, blank);
}

/** The text between two points; of a line with other than ASCII, where clang counts bytes, all. */
function between(lines: readonly string[], from: Point, to: Point): string {
  const part = (line: number): string => {
    const text = lines[line - 1] ?? "";
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins with them.
    if (!/^[\x00-\x7f]*$/.test(text)) return text;
    return text.slice(line === from.line ? from.column : 0, line === to.line ? to.column : text.length);
  };
  return Array.from({ length: Math.max(0, to.line - from.line + 1) }, (_, index) => part(from.line + index)).join("\n");
}

type Lines = ReadonlyMap<string, readonly string[]>;

/** Names of parameters and variables inside of a declaration, which hide others. */
function ownNames(node: Node, found: Set<string>): Set<string> {
  for (const child of children(node)) {
    if ((child.kind === "ParmVarDecl" || child.kind === "VarDecl") && child.name !== undefined) found.add(child.name);
    if (child.kind !== undefined) ownNames(child, found);
  }
  return found;
}

function isOfHost(node: Node): boolean {
  const inside = children(node);
  if (node.kind === "FunctionTemplateDecl") return inside.filter(({ kind }) => FUNCTION.test(kind)).every(isOfHost);
  if (inside.some(({ kind }) => DEVICE.test(kind)) || node.constexpr === true) return false;
  if (node.kind !== "VarDecl") return FUNCTION.test(node.kind);
  return node.isInvalid !== true && !/\bconst\b/.test(node.type?.qualType ?? "");
}

function partsOf(root: Node, texts: Lines): readonly Part[] {
  const found: Part[] = [];
  const visit = (node: Node, record: string | null): void => {
    if (node.kind === undefined || !node.kind.endsWith("Decl")) return;
    if (node.kind === "NamespaceDecl" || node.kind === "LinkageSpecDecl") {
      for (const child of children(node)) visit(child, null);
      return;
    }
    const { begin, end } = node.range ?? {};
    const [from, to] = [begin?.expansionLoc ?? begin, end?.expansionLoc ?? end];
    const file = from?.file?.replace(/^\.\//, "") ?? "";
    const lines = texts.get(file);
    if (lines === undefined || from?.line === undefined || to?.line === undefined || node.isImplicit) return;
    const isFunction = FUNCTION.test(node.kind) || node.kind === "FunctionTemplateDecl";
    const [first, last] = [
      { line: from.line, column: (from.col ?? 1) - 1 },
      { line: to.line, column: (to.col ?? 1) - 1 + (to.tokLen ?? 1) },
    ];
    const own = isFunction ? ownNames(node, new Set()) : new Set<string>();
    found.push({
      names: [...words(node.name ?? ""), ...(isFunction && record !== null ? [record] : [])],
      file,
      from: first,
      to: last,
      host: isOfHost(node),
      isFunction,
      words: new Set(words(between(lines, first, last)).filter((word) => !own.has(word))),
    });
    if (RECORD.test(node.kind)) for (const child of children(node)) visit(child, node.name ?? null);
    if (node.kind === "ClassTemplateDecl") {
      for (const child of children(node)
        .filter(({ kind }) => RECORD.test(kind))
        .slice(0, 1))
        visit(child, null);
    }
  };
  for (const node of children(root)) visit(node, null);
  return found;
}

/** Macros name what stands in their text. */
function macrosOf(texts: Lines): readonly { readonly name: string; readonly words: ReadonlySet<string> }[] {
  return [...texts.values()].flatMap((lines) =>
    [...lines.join("\n").matchAll(/^[ \t]*#[ \t]*define[ \t]+(\w+)((?:.*\\\n)*.*)/gm)].map(
      ([, name = "", body = ""]) => ({
        name,
        words: new Set(words(body)),
      }),
    ),
  );
}

const KERNEL = /__global__\b(?:[^;{}()]|__launch_bounds__\s*\([^;{}]*?\)(?=\s*\w))*?(\w+)\s*\(/g;

/** The names that a line of a lost declaration gives to functions and types. */
function declaredOn(line: string): readonly string[] {
  return [...line.matchAll(/\b(?:(?:struct|class|union|enum)\s+(\w+)|([A-Za-z_]\w*)(?=\s*\())/g)].map(
    ([, type, fn]) => type ?? fn ?? "",
  );
}

/** Where kernels are written, by name. */
function kernelsWritten(
  texts: Lines,
): readonly { readonly name: string; readonly file: string; readonly line: number }[] {
  return [...texts].flatMap(([file, lines]) => {
    const text = lines.join("\n");
    return [...text.matchAll(KERNEL)].flatMap(({ 1: name = "", index = 0 }) =>
      name === "__launch_bounds__" ? [] : [{ name, file, line: text.slice(0, index).split("\n").length }],
    );
  });
}

/** `texts`: the files of the compilation. */
export function reachOf(root: Node, all: readonly Diagnostic[], files: ReadonlyMap<string, string>): Reach {
  const names = new Map<string, Diagnostic>();
  const written = new Map<string, Diagnostic>();
  if (all.length === 0) return { names, whole: null, written };
  const texts: Lines = new Map([...files].map(([file, text]) => [file, plain(text).split("\n")]));
  const parts = partsOf(root, texts);
  const kernels = kernelsWritten(texts);
  let whole: Diagnostic | null = null;
  const spoil = (each: Diagnostic, list: Iterable<string>): void => {
    for (const name of list) if (!names.has(name)) names.set(name, each);
  };
  const partAt = (file: string, at: Point): Part | undefined =>
    parts.filter((part) => part.file === file && isBefore(part.from, at) && isBefore(at, part.to)).at(-1);
  for (const each of all) {
    // What goes wrong in a header of ours was asked for by the text.
    const place = texts.has(each.file) ? each : each.requests.at(-1);
    const line = place === undefined ? undefined : texts.get(place.file)?.[place.line - 1];
    if (each.fatal || place === undefined || line === undefined || /^\s*#/.test(line)) {
      whole ??= each;
      continue;
    }
    const part = partAt(place.file, place);
    if (part?.host) {
      const quoted = kernels.filter(({ name }) => `${each.message}\n${each.notes}`.includes(`'${name}'`));
      if (quoted.length > 0)
        spoil(
          each,
          quoted.map(({ name }) => name),
        );
      else if (part.isFunction && ABOUT_KERNELS.test(each.message)) whole ??= each;
    } else if (part !== undefined) spoil(each, part.names);
    else spoil(each, declaredOn(line));
    if (/extraneous closing brace/.test(each.message)) {
      // What stands before the brace belongs to the function that ended too early.
      const early = parts
        .filter(({ file, isFunction, from }) => isFunction && file === place.file && isBefore(from, place))
        .at(-1);
      const outside = all.find((other) => early !== undefined && other.file === each.file && isBefore(early.to, other));
      if (early !== undefined && !early.host) spoil(outside ?? each, early.names);
    }
  }
  for (const { name, file, line } of kernels) {
    const near = all.filter((each) => each.file === file && each.line <= line).at(-1) ?? all[0];
    if (near !== undefined) written.set(name, near);
  }
  const users = [
    ...parts.filter(({ host }) => !host),
    ...macrosOf(texts).map(({ name, words }) => ({ names: [name], words })),
  ];
  for (let before = -1; before !== names.size; ) {
    before = names.size;
    for (const user of users) {
      if (user.names.every((name) => names.has(name))) continue;
      const [found] = [...user.words].filter((word) => names.has(word));
      if (found !== undefined) spoil(names.get(found)!, user.names);
    }
  }
  return { names, whole, written };
}
