/** The page's own coloured text, and a text area once it is pressed: until CodeMirror is there, and where it cannot be had. */
import type { CellEditor, EditorKeys } from "./cell-editor.js";

export class PlainEditor implements CellEditor {
  readonly #area: HTMLTextAreaElement;
  readonly #pre: HTMLElement;

  constructor(
    place: HTMLElement,
    pre: HTMLElement,
    readonly own: string,
    label: string,
    keys: EditorKeys,
  ) {
    this.#pre = pre;
    this.#area = document.createElement("textarea");
    this.#area.className = "plain-editor";
    this.#area.value = own;
    this.#area.spellcheck = false;
    this.#area.setAttribute("aria-label", label);
    this.#area.hidden = true;
    place.append(pre, this.#area);
    pre.addEventListener("click", () => this.focus());
    this.#area.addEventListener("input", () => {
      this.#fit();
      keys.changed();
    });
    this.#area.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.shiftKey || event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (event.shiftKey) keys.runAndGoOn();
      else keys.run();
    });
  }

  get text(): string {
    return this.#area.value;
  }

  set text(text: string) {
    this.#area.value = text;
    this.#toArea();
  }

  focus(): void {
    this.#toArea();
    this.#area.focus();
  }

  /** The text of the error names the line. */
  mark(): void {}

  /** So does the list below it. */
  underline(): void {}

  #toArea(): void {
    this.#pre.hidden = true;
    this.#area.hidden = false;
    this.#fit();
  }

  #fit(): void {
    this.#area.rows = this.text.split("\n").length + 1;
  }
}
