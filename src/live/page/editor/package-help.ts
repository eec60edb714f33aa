/** Completion of CUDA's words and the package's, and what they mean: under the pointer, or at the cursor by F1. */
import { type Completion, type CompletionContext, type CompletionResult, ifNotIn } from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import { type EditorState, type Extension, Facet, StateEffect, StateField } from "@codemirror/state";
import { closeHoverTooltips, EditorView, hoverTooltip, keymap, showTooltip, type Tooltip } from "@codemirror/view";
import type { SyntaxNode } from "@lezer/common";
import type { TypedName } from "../../types/checker.js";
import { CUDA_TAG } from "../compiler.js";
import type { CellTypes } from "./cell-editor.js";

/** What is known of the cell's types. */
export const cellTypes: Facet<() => CellTypes | null, () => CellTypes | null> = Facet.define({
  combine: ([given]) => given ?? (() => null),
});

/** A name that a cell can import, a member of what it returns, or a word of CUDA C++; `about` is its declaration's comment. */
interface PackageWord {
  readonly name: string;
  readonly kind: string;
  /** The type that has the member, or CUDA C++. */
  readonly of?: string;
  readonly signature: string;
  readonly about: string;
}

/** The bundler writes them here (node/live/package-words.ts). */
declare const PACKAGE_WORDS: readonly PackageWord[];

const exported = PACKAGE_WORDS.filter(({ of }) => of === undefined);
const members = PACKAGE_WORDS.filter(({ of, kind }) => of !== undefined && kind !== "cuda");
const cudaWords = PACKAGE_WORDS.filter(({ kind }) => kind === "cuda");

function nameOf({ name, of, kind, signature }: PackageWord): string {
  if (kind === "cuda") return signature;
  const owner = of === undefined ? "" : `${of}.`;
  const isCall = /^[(<]/.test(signature);
  const type = signature === "" ? (kind === "class" ? " (class)" : "") : isCall ? signature : `: ${signature}`;
  return `${owner}${name}${type}`;
}

/** A declaration's comment: paragraphs, and its example as code. */
function explained(words: readonly PackageWord[]): HTMLElement {
  const element = document.createElement("div");
  element.className = "word-help";
  element.setAttribute("role", "status");
  const add = (tag: string, text: string): void => {
    const part = document.createElement(tag);
    // Between backquotes stands code.
    for (const [index, piece] of (tag === "p" ? text.split("`") : [text]).entries()) {
      const code = document.createElement("code");
      code.textContent = piece;
      part.append(index % 2 === 1 ? code : piece);
    }
    element.append(part);
  };
  for (const word of words) {
    add("h4", nameOf(word));
    const [about = "", ...tagged] = word.about.split(/^@/m);
    for (const paragraph of about.split(/\n\s*\n/)) if (paragraph.trim() !== "") add("p", paragraph.trim());
    for (const part of tagged) {
      const [, tag = "", text = ""] = /^(\w+)\s*([\s\S]*)$/.exec(part) ?? [];
      if (tag === "example") add("pre", text.trim());
      else if (tag === "throws") add("p", `Throws ${text.trim()}`);
    }
  }
  return element;
}

const completionOf =
  (detail: (word: PackageWord) => string) =>
  (word: PackageWord): Completion => ({
    label: word.name,
    type: /^[(<]|\w\(/.test(word.signature) ? "function" : word.kind === "class" ? "class" : "variable",
    detail: detail(word),
    ...((word.signature !== word.name || word.about !== "") && { info: () => explained([word]) }),
    // What newer GPUs refuse, and a word's other spelling, come last.
    boost: word.about.startsWith("From before") ? -60 : word.name.startsWith("_") && word.kind !== "cuda" ? -30 : 0,
  });

const exportedOptions = exported.map(completionOf(() => "warplab"));
const cudaOptions = cudaWords.map(completionOf(({ of = "" }) => of));
const memberOptions = members.map(completionOf(({ of = "" }) => of));

/** A member by its type, with what the package says of it. */
function typedOption({ name, kind }: TypedName): Completion {
  const known = members.find((each) => each.name === name);
  if (known !== undefined) return completionOf(() => "")(known);
  return { label: name, type: kind === "method" ? "method" : "property" };
}

/** The tree of the C++ that a place within cuda`...` is in. */
function cudaAround(state: EditorState, at: number): SyntaxNode | null {
  let inner = syntaxTree(state).resolveInner(at, -1);
  for (let node: SyntaxNode | null = inner; node !== null && node.name !== "Interpolation"; node = node.parent) {
    if (node.name === "TemplateString") {
      return CUDA_TAG.test(state.sliceDoc(Math.max(0, node.from - 10), node.from)) ? inner : null;
    }
    inner = node;
  }
  return null;
}

/** The names that a text of C++ declares, without the one at the cursor. */
function declaredIn(state: EditorState, text: SyntaxNode, at: number): readonly Completion[] {
  const names = new Set<string>();
  text.cursor().iterate(({ name, node: { parent }, from, to }) => {
    if (!/Identifier$/.test(name) || (from < at && at <= to)) return;
    // Behind what the grammar does not know, as __restrict__.
    const word = /\w+(?=\W*$)/.exec(state.sliceDoc(from, to))?.[0];
    if (word !== undefined && /Declar|Definition|Specifier|Directive/.test(parent?.name ?? "")) names.add(word);
  });
  for (const { name } of cudaWords) names.delete(name);
  return [...names].map((label) => ({ label, type: "variable", detail: "of this text", boost: 20 }));
}

function completeCuda(context: CompletionContext, place: SyntaxNode): CompletionResult | null {
  const { state, pos, explicit } = context;
  const [, owner, name = ""] = /(?:(\w+)\.)?(\w*)$/.exec(context.matchBefore(/[\w.]*/)?.text ?? "") ?? [];
  if (owner === undefined) {
    if (name === "" && !explicit) return null;
    return { from: pos - name.length, options: [...declaredIn(state, place, pos), ...cudaOptions], validFor: /^\w*$/ };
  }
  if (!/^(thread|block|grid)(Idx|Dim)$/.test(owner)) return null;
  return { from: pos - name.length, options: ["x", "y", "z"].map((label) => ({ label, type: "property" })) };
}

async function complete(context: CompletionContext): Promise<CompletionResult | null> {
  const place = cudaAround(context.state, context.pos);
  if (place !== null) return completeCuda(context, place);
  const word = context.matchBefore(/[\w$]*/);
  if (word === null) return null;
  const isMember = context.state.sliceDoc(Math.max(0, word.from - 1), word.from) === ".";
  if (word.from === word.to && !context.explicit && !isMember) return null;
  const typed = isMember ? await context.state.facet(cellTypes)()?.members(word.from) : undefined;
  const named = typed === undefined || typed.length === 0 ? memberOptions : typed.map(typedOption);
  return { from: word.from, options: isMember ? named : exportedOptions, validFor: /^[\w$]*$/ };
}

export const completePackage: typeof complete = ifNotIn(
  ["String", "TemplateString", "LineComment", "BlockComment"],
  complete as never,
) as typeof complete;

async function helpAt(state: EditorState, at: number): Promise<Tooltip | null> {
  const word = state.wordAt(at);
  if (word === null) return null;
  const name = state.sliceDoc(word.from, word.to);
  const isMember = state.sliceDoc(Math.max(0, word.from - 1), word.from) === ".";
  // A kernel may be given CUDA's words as members: cuda.threadIdx.
  const own = (cudaAround(state, at) ? cudaWords : isMember ? members : []).filter((each) => each.name === name);
  const found = own.length > 0 ? own : exported.filter((each) => each.name === name);
  const type = found.length > 0 ? null : await state.facet(cellTypes)()?.typeAt(at);
  const words = type ? [{ name: type, kind: "", signature: "", about: "" }] : found;
  if (words.length === 0) return null;
  return { pos: word.from, end: word.to, above: true, create: () => ({ dom: explained(words) }) };
}

const showHelp = StateEffect.define<Tooltip | null>();

/** What F1 has opened: the next key, or another place of the cursor, closes it. */
const openHelp = StateField.define<Tooltip | null>({
  create: () => null,
  update(open, transaction) {
    for (const effect of transaction.effects) if (effect.is(showHelp)) return effect.value;
    return transaction.docChanged || transaction.selection !== undefined ? null : open;
  },
  provide: (field) => showTooltip.from(field),
});

export const explainWords: Extension = [
  openHelp,
  hoverTooltip((view, at) => helpAt(view.state, at)),
  keymap.of([
    {
      key: "F1",
      run: (view) => {
        const { state } = view;
        void helpAt(state, state.selection.main.head).then((help) => {
          // The reader may have gone on meanwhile; marks of types that have come change nothing.
          if (view.state.doc !== state.doc || !view.state.selection.eq(state.selection)) return;
          view.dispatch({ effects: [closeHoverTooltips, showHelp.of(help)] });
        });
        return true;
      },
    },
    {
      key: "Escape",
      run: (view) => {
        if (view.state.field(openHelp) === null) return false;
        view.dispatch({ effects: showHelp.of(null) });
        return true;
      },
    },
  ]),
  EditorView.baseTheme({
    ".word-help": { maxWidth: "min(38rem, 90vw)", maxHeight: "18rem", overflow: "auto", padding: "0.4rem 0.7rem" },
    ".word-help p": { margin: "0.4rem 0", fontFamily: "system-ui, sans-serif" },
    ".word-help h4": { margin: "0", whiteSpace: "pre-wrap", fontSize: "inherit" },
    ".word-help pre": { margin: "0.4rem 0", padding: "0", whiteSpace: "pre-wrap" },
  }),
];
