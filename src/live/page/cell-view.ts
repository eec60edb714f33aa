/** One code cell of a page: its text as an editor, its buttons, and its outputs in place of the kept ones. */
import { NotebookOutputs } from "../../course/notebook/cell-outputs.js";
import type { Output } from "../../course/notebook/notebook.js";
import type { LocatedFailure } from "../cells/failure.js";
import type { SessionMessage } from "../messages.js";
import type { CellEditor, EditorKeys } from "./cell-editor.js";
import { outputElement } from "./output-view.js";
import { PlainEditor } from "./plain-editor.js";

/** What a cell asks of its page. */
export interface CellActions {
  run(cell: CellView, goOn: boolean): void;
  runAbove(cell: CellView): void;
  /** The reader has changed the text. */
  edited(cell: CellView): void;
}

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
  readonly #outputs: HTMLElement;
  readonly #actions: CellActions;
  readonly #reset: HTMLButtonElement;
  readonly #countMark: HTMLElement;
  #kept: NotebookOutputs | null = null;
  #editor: CellEditor;
  #undo: string | null = null;

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
    this.#outputs = section.querySelector<HTMLElement>(".outputs")!;
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
    this.#reset.hidden = true;
    bar.append(
      button(checks ? "Check" : "Run", `${checks ? "Check the exercise in" : "Run"} cell ${number}`, () =>
        actions.run(this, false),
      ),
      button("Run above", `Run above cell ${number}`, () => actions.runAbove(this)),
      this.#reset,
    );
    bar.firstElementChild?.classList.add("main");
    this.#source.append(this.#countMark);
    this.#source.after(bar);
  }

  get isExercise(): boolean {
    return /\bcheckExercise\(/.test(this.own);
  }

  get keys(): EditorKeys {
    return {
      run: () => this.#actions.run(this, false),
      runAndGoOn: () => this.#actions.run(this, true),
      changed: () => {
        this.#undo = null;
        this.#tellReset();
        this.#editor.mark([]);
        this.#actions.edited(this);
      },
    };
  }

  get text(): string {
    return this.#editor.text;
  }

  set text(text: string) {
    this.#editor.text = text;
    this.#tellReset();
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

  /** Back to the page's text; pressed again, back to the reader's. */
  reset(): void {
    const before = this.text;
    const to = this.#undo ?? this.own;
    this.#editor.text = to;
    this.#undo = to === this.own && before !== this.own ? before : null;
    this.#tellReset();
    this.#actions.edited(this);
  }

  #tellReset(): void {
    this.#reset.hidden = this.text === this.own && this.#undo === null;
    this.#reset.textContent = this.#undo === null ? "Reset" : "Undo reset";
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
    this.#outputs.replaceChildren();
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
      const there = this.#outputs.children[index];
      if (there === undefined) this.#outputs.append(element);
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
    const folded = this.#outputs.closest("details");
    if (folded !== null) folded.open = true;
    this.#show(before);
  }

  mark(lines: readonly number[]): void {
    this.#editor.mark(lines);
  }

  end(): void {
    this.section.dataset.state = "ran";
    this.#countMark.textContent = `[${this.count}]`;
  }

  /** The session that ran it is gone; its outputs stay. */
  forget(): void {
    this.ran = null;
    if (this.section.dataset.state !== "ran") this.noLongerWaits();
  }
}
