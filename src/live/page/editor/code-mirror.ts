/** CodeMirror as a cell's editor, in the colours of the page's style sheet. */
import { autocompletion, closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { namesCuda } from "../compiler.js";
import type { CellEditor, EditorKeys } from "./cell-editor.js";
import { cellTypes, completePackage, explainWords } from "./package-help.js";

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.bool, tags.null], class: "hljs-keyword" },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], class: "hljs-string" },
  { tag: tags.number, class: "hljs-number" },
  { tag: tags.comment, class: "hljs-comment" },
  { tag: [tags.typeName, tags.standard(tags.name)], class: "hljs-type" },
]);

const markLines = StateEffect.define<readonly number[]>();
const failedLine = Decoration.line({ class: "failed-line", attributes: { "aria-invalid": "true" } });

const failedLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(markLines)) continue;
      const { doc } = transaction.state;
      const lines = [...new Set(effect.value)].filter((line) => line >= 1 && line <= doc.lines).sort((a, b) => a - b);
      return Decoration.set(lines.map((line) => failedLine.range(doc.line(line).from)));
    }
    return set.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const underline = StateEffect.define<readonly { readonly from: number; readonly to: number }[]>();
const typeMark = Decoration.mark({ class: "type-mark" });

const typeMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(underline)) continue;
      const places = effect.value.filter(({ from, to }) => from < to);
      return Decoration.set(
        places.map(({ from, to }) => typeMark.range(from, to)),
        true,
      );
    }
    return set.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const LOOK = EditorView.theme({
  "&.cm-focused": { outline: "2px solid var(--link)", outlineOffset: "1px" },
  ".cm-content": { padding: "0.7rem 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 0.9rem" },
  ".cm-tooltip": { backgroundColor: "var(--paper)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { background: "var(--link)", color: "var(--paper)" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "inherit" },
});

const language = new Compartment();

/** Colours CUDA C++ as what it is, once the text has some. */
async function colourCuda(view: EditorView): Promise<void> {
  const { cudaInTypescript } = await import("./cuda-highlight.js");
  view.dispatch({ effects: language.reconfigure(cudaInTypescript) });
}

export function codeMirror(place: HTMLElement, text: string, label: string, keys: EditorKeys): CellEditor {
  let quiet = false;
  const key = (run: () => void) => (): boolean => {
    run();
    return true;
  };
  let coloured = false;
  const colour = (): void => {
    if (coloured || !namesCuda(view.state.doc.toString())) return;
    coloured = true;
    colourCuda(view).catch(() => {
      coloured = false;
    });
  };
  const view = new EditorView({
    parent: place,
    state: EditorState.create({
      doc: text,
      extensions: [
        keymap.of([
          { key: "Shift-Enter", run: key(keys.runAndGoOn) },
          { key: "Ctrl-Enter", run: key(keys.run) },
          { key: "Cmd-Enter", run: key(keys.run) },
        ]),
        history(),
        language.of(javascript({ typescript: true })),
        syntaxHighlighting(COLOURS),
        autocompletion(),
        EditorState.languageData.of(() => [{ autocomplete: completePackage }]),
        explainWords,
        bracketMatching(),
        closeBrackets(),
        indentOnInput(),
        failedLines,
        typeMarks,
        cellTypes.of(keys.types),
        EditorState.tabSize.of(2),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        EditorView.updateListener.of(({ docChanged }) => {
          if (docChanged && !quiet) keys.changed();
          if (docChanged) colour();
        }),
        LOOK,
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap]),
      ],
    }),
  });
  colour();
  return {
    get text() {
      return view.state.doc.toString();
    },
    set text(next) {
      quiet = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
      quiet = false;
    },
    focus: () => view.focus(),
    mark: (lines) => view.dispatch({ effects: markLines.of(lines) }),
    underline: (places) => view.dispatch({ effects: underline.of(places) }),
  };
}
