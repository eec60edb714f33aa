/** Fields, sliders and lists below a cell: they rewrite the guesses, sizes and GPUs that stand in its text. */
import { gpusOf, guessesOf, literalOf, sizesOf, withLiteral } from "../cells/literals.js";
import type { CellView } from "./cell-view.js";

/** Ids and names of the GPUs; the bundler writes them here. */
declare const GPUS: readonly { readonly id: string; readonly name: string }[];

/** What a reader does with them. */
export interface ControlActions {
  /** A slider or a list rests: the cell, and what builds on it, runs again. */
  rest(cell: CellView): void;
  /** A slider moves. */
  moves(cell: CellView): void;
  /** The guesses are made. */
  guessed(cell: CellView): void;
}

/** One control: its element, and how it shows the text's present value. */
interface Control {
  readonly element: HTMLElement;
  show(): void;
}

function labelled(words: string, ...parts: readonly (HTMLElement | string)[]): HTMLElement {
  const label = document.createElement("label");
  const name = document.createElement("span");
  name.textContent = words;
  label.append(name, ...parts);
  return label;
}

function guessControl(cell: CellView, at: number): Control {
  const { name, question, value } = guessesOf(cell.text)[at]!;
  const input = document.createElement("input");
  input.type = typeof value === "boolean" ? "checkbox" : "number";
  if (input.type === "number") input.step = "any";
  input.addEventListener("input", () => {
    const literal = guessesOf(cell.text)[at];
    if (literal === undefined) return;
    if (input.type === "number" && !Number.isFinite(input.valueAsNumber)) return;
    const given = input.type === "checkbox" ? input.checked : input.valueAsNumber;
    cell.rewrite(withLiteral(cell.text, literal, literalOf(given)));
  });
  const show = (): void => {
    const now = guessesOf(cell.text)[at]?.value;
    if (typeof now === "boolean") input.checked = now;
    else if (now !== undefined && input.valueAsNumber !== now) input.value = String(now);
  };
  return { element: labelled(question === "" ? name : question, input), show };
}

function sizeControl(cell: CellView, at: number, { rest, moves }: ControlActions): Control {
  const { name, values } = sizesOf(cell.text)[at]!;
  const slider = document.createElement("input");
  slider.type = "range";
  slider.min = "0";
  slider.max = String(values.length - 1);
  const shown = document.createElement("output");
  const tell = (value: number): void => {
    shown.textContent = value.toLocaleString("en-US");
    slider.setAttribute("aria-valuetext", shown.textContent);
  };
  slider.addEventListener("input", () => {
    const literal = sizesOf(cell.text)[at];
    const value = values[Number(slider.value)];
    if (literal === undefined || value === undefined) return;
    cell.rewrite(withLiteral(cell.text, literal, literalOf(value)));
    tell(value);
    moves(cell);
  });
  slider.addEventListener("change", () => rest(cell));
  const show = (): void => {
    const now = sizesOf(cell.text)[at]?.value;
    if (now === undefined) return;
    const place = values.indexOf(now);
    if (place >= 0) slider.value = String(place);
    tell(now);
  };
  return { element: labelled(name, slider, shown), show };
}

function gpuControl(cell: CellView, at: number, { rest }: ControlActions): Control {
  const list = document.createElement("select");
  for (const { id, name } of GPUS) list.append(new Option(name, id));
  list.addEventListener("change", () => {
    const literal = gpusOf(cell.text)[at];
    if (literal === undefined) return;
    cell.rewrite(withLiteral(cell.text, literal, list.value));
    rest(cell);
  });
  const show = (): void => {
    list.value = gpusOf(cell.text)[at]?.value ?? "";
  };
  return { element: labelled("GPU", list), show };
}

/** What the text has controls for: another list, and they are made anew. */
function kindsOf(text: string): string {
  const sizes = sizesOf(text).map(({ name }) => name);
  return JSON.stringify([guessesOf(text).map(({ name }) => name), sizes, gpusOf(text).length]);
}

export class CellControls {
  readonly #element = document.createElement("div");
  #controls: readonly Control[] = [];
  #kinds = kindsOf("");

  constructor(
    readonly cell: CellView,
    readonly actions: ControlActions,
  ) {
    this.#element.className = "cell-controls";
    this.#element.setAttribute("role", "group");
    this.#element.setAttribute("aria-label", `Values of cell ${cell.number}`);
    this.#element.hidden = true;
    cell.addControls(this.#element);
    this.follow();
  }

  /** The cell's text is another. */
  follow(): void {
    const { text } = this.cell;
    const kinds = kindsOf(text);
    // A slider that is being drawn keeps its range.
    if (kinds !== this.#kinds) this.#make(text);
    this.#kinds = kinds;
    for (const { show } of this.#controls) show();
  }

  #make(text: string): void {
    const guesses = guessesOf(text).map((_, at) => guessControl(this.cell, at));
    this.#controls = [
      ...guesses,
      ...sizesOf(text).map((_, at) => sizeControl(this.cell, at, this.actions)),
      ...gpusOf(text).map((_, at) => gpuControl(this.cell, at, this.actions)),
    ];
    this.#element.replaceChildren(...this.#controls.map(({ element }) => element));
    this.#element.hidden = this.#controls.length === 0;
    if (guesses.length === 0) return;
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = "These are my guesses";
    made.addEventListener("click", () => this.actions.guessed(this.cell));
    this.#element.append(made);
  }
}
