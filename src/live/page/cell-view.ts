/** One code cell of a page: its text as an editor, its buttons, and its outputs in place of the kept ones. */
import { NotebookOutputs } from "../../course/notebook/cell-outputs.js";
import type { Output } from "../../course/notebook/notebook.js";
import type { LocatedFailure } from "../cells/failure.js";
import type { SessionMessage } from "../messages.js";
import type { TypeMark } from "../types/checker.js";
import type { CellEditor, CellTypes, EditorKeys } from "./editor/cell-editor.js";
import { PlainEditor } from "./editor/plain-editor.js";
import { typeNotes } from "./editor/type-notes.js";
import { outputElement } from "./output-view.js";

/** What a cell asks of its page. */
export interface CellActions {
  run(cell: CellView, goOn: boolean): void;
  runAbove(cell: CellView): void;
  /** The reader has changed the text. */
  edited(cell: CellView): void;
  typesOf(cell: CellView): CellTypes | null;
}

/** Texts of a cell that can be brought back. */
const MOST_OTHERS = 8;

function button(text: string, label: string, act: () => void): HTMLButtonElement {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = text;
  element.setAttribute("aria-label", label);
  element.addEventListener("click", act);
  return element;
}

export class CellView {
  /** The text of the page itself. */
  readonly own: string;
  readonly id: string;
  readonly expectsError: boolean;
  /** The number of its last run; null where the session has none. */
  count: number | null = null;
  /** The text of that run. */
  ran: string | null = null;
  readonly #source: HTMLElement;
  readonly #place: HTMLElement;
  /** What the cell has put out, at its last run or as the page keeps it. */
  readonly outputElement: HTMLElement;
  readonly #actions: CellActions;
  readonly #reset: HTMLButtonElement;
  readonly #undo: HTMLButtonElement;
  readonly #bar: HTMLElement;
  readonly #countMark: HTMLElement;
  readonly #typeNotes = document.createElement("ul");
  #kept: NotebookOutputs | null = null;
  #editor: CellEditor;
  /** The reader's other texts, which a reset, a file or a link has replaced; the latest one last. */
  #others: readonly string[] = [];

  /** @param number the cell's place among the code cells of the page, from 1 */
  constructor(
    readonly section: HTMLElement,
    readonly number: number,
    actions: CellActions,
  ) {
    this.#actions = actions;
    this.id = section.dataset.cell ?? "";
    this.expectsError = section.dataset.expectsError !== undefined;
    this.#source = section.querySelector<HTMLElement>(".source")!;
    this.outputElement = section.querySelector<HTMLElement>(".outputs")!;
    const pre = this.#source.querySelector("pre")!;
    this.own = pre.textContent ?? "";
    this.#place = document.createElement("div");
    this.#place.className = "code-place";
    pre.replaceWith(this.#place);
    this.#editor = new PlainEditor(this.#place, pre, this.own, `Code of cell ${number}`, this.keys);
    this.#countMark = this.#source.querySelector<HTMLElement>(".count") ?? document.createElement("span");
    this.#countMark.className = "count";
    const checks = this.isExercise;
    const bar = document.createElement("div");
    bar.className = "cell-bar";
    this.#reset = button("Reset", `Reset cell ${number}`, () => this.reset());
    this.#undo = button("Undo", `Undo in cell ${number}: back to the text before`, () => this.undo());
    this.#tellReplaced();
    bar.append(
      button(checks ? "Check" : "Run", `${checks ? "Check the exercise in" : "Run"} cell ${number}`, () =>
        actions.run(this, false),
      ),
      button("Run above", `Run above cell ${number}`, () => actions.runAbove(this)),
      this.#reset,
      this.#undo,
    );
    this.#bar = bar;
    bar.firstElementChild?.classList.add("main");
    this.#source.append(this.#countMark);
    this.#typeNotes.className = "type-notes";
    this.#typeNotes.setAttribute("aria-label", `Types in cell ${number}`);
    this.#typeNotes.hidden = true;
    this.#source.after(this.#typeNotes, bar);
  }

  get isExercise(): boolean {
    return /\bcheckExercise\(/.test(this.own);
  }

  get keys(): EditorKeys {
    return {
      run: () => this.#actions.run(this, false),
      runAndGoOn: () => this.#actions.run(this, true),
      changed: () => {
        this.#tellReplaced();
        this.#editor.mark([]);
        this.#actions.edited(this);
      },
      types: () => this.#actions.typesOf(this),
    };
  }

  get text(): string {
    return this.#editor.text;
  }

  /** The reader's other texts of the cell, which "Undo" brings back. */
  get others(): readonly string[] {
    return this.#others;
  }

  /** Shows what the browser has kept. */
  restore(text: string, others: readonly string[]): void {
    this.#others = others.filter((other) => other !== text && other !== this.own).slice(-MOST_OTHERS);
    if (text !== this.text) this.#editor.text = text;
    this.#tellReplaced();
  }

  /** Puts another text in the place of the cell's. */
  replace(text: string): void {
    this.restore(text, [...this.#others.filter((other) => other !== this.text), this.text]);
  }

  /** Rewrites a part of the text, as typing does. */
  rewrite(text: string): void {
    this.#editor.text = text;
    this.keys.changed();
  }

  /** What stands between the editor and the buttons. */
  addControls(element: HTMLElement): void {
    this.#bar.before(element);
  }

  get outputs(): readonly Output[] {
    return this.#kept?.of(0) ?? [];
  }

  /** Whether an editor of more than plain text has taken the place. */
  get isPlain(): boolean {
    return this.#editor instanceof PlainEditor;
  }

  /** Whether the reader is typing in it just now. */
  get isFocused(): boolean {
    return this.#place.contains(document.activeElement);
  }

  upgrade(make: (place: HTMLElement, text: string, label: string, keys: EditorKeys) => CellEditor): void {
    const { text } = this;
    this.#place.replaceChildren();
    this.#editor = make(this.#place, text, `Code of cell ${this.number}`, this.keys);
  }

  focus(): void {
    this.#editor.focus();
  }

  /** Back to the page's text. */
  reset(): void {
    this.replace(this.own);
    this.#actions.edited(this);
  }

  /** Back to the text before; the present one becomes the first of the others, so that none is lost. */
  undo(): void {
    this.restore(this.#others.at(-1) ?? this.text, [this.text, ...this.#others]);
    this.#actions.edited(this);
  }

  #tellReplaced(): void {
    this.#reset.hidden = this.text === this.own;
    this.#undo.hidden = this.#others.length === 0;
  }

  /** Waits for its turn. */
  wait(): void {
    this.section.dataset.state = "waiting";
    this.#countMark.textContent = "[*]";
  }

  noLongerWaits(): void {
    delete this.section.dataset.state;
    this.#countMark.textContent = this.count === null ? "" : `[${this.count}]`;
  }

  begin(count: number): void {
    this.count = count;
    this.ran = this.text;
    this.section.dataset.state = "running";
    this.#kept = new NotebookOutputs();
    this.#editor.mark([]);
    this.outputElement.hidden = false;
    this.section.querySelector(".answers-wait")?.remove();
  }

  hear(message: SessionMessage): void {
    const kept = this.#kept;
    if (kept === null) return;
    const sink = kept.sink(0, this.count ?? 0);
    const before = kept.of(0).length;
    if (message.kind === "stream") sink.stream(message.name, message.text);
    else if (message.kind === "display") sink.display(message.payload, false);
    else if (message.kind === "result") sink.result(message.data);
    else return;
    this.#show(before);
  }

  /** Draws what came after `before` outputs; the last of those may have grown by a line. */
  #show(before: number): void {
    const outputs = this.outputs;
    const from = outputs.length === before ? before - 1 : before;
    for (const [index, output] of outputs.entries()) {
      if (index < from) continue;
      const element = outputElement(output);
      const there = this.outputElement.children[index];
      if (there === undefined) this.outputElement.append(element);
      else there.replaceWith(element);
      for (const figure of element.querySelectorAll("figure.plot")) {
        figure.dispatchEvent(new CustomEvent("figure-added", { bubbles: true }));
      }
    }
  }

  fail(failure: LocatedFailure): void {
    const before = this.outputs.length;
    const { ename, evalue, traceback } = failure;
    this.#kept?.addFailure(0, { ename, evalue, traceback });
    // The page may have the outputs closed.
    const folded = this.outputElement.closest("details");
    if (folded !== null) folded.open = true;
    this.outputElement.hidden = false;
    this.#show(before);
  }

  mark(lines: readonly number[]): void {
    this.#editor.mark(lines);
  }

  /** Shows what the checker of types objects to. */
  showTypes(marks: readonly TypeMark[]): void {
    this.#editor.underline(marks);
    typeNotes(this.#typeNotes, marks);
  }

  /** The outputs of the run before gave way one by one: a slider's cell does not flicker. */
  end(): void {
    while (this.outputElement.children.length > this.outputs.length) this.outputElement.lastElementChild?.remove();
    this.section.dataset.state = "ran";
    this.#countMark.textContent = `[${this.count}]`;
  }

  /** The session that ran it is gone; its outputs stay. */
  forget(): void {
    this.ran = null;
    if (this.section.dataset.state !== "ran") this.noLongerWaits();
  }
}
