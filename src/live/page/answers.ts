/** A page's prediction: what was found stays covered until the reader has guessed, over reloads, too. */
import { guessText } from "../../course/lesson/guess-text.js";
import { guessesOf, predictionOf } from "../cells/literals.js";
import type { CellView } from "./cell-view.js";
import { hasGuessed, keepGuessed } from "./kept.js";

export class Answers {
  readonly #asks: CellView;
  readonly #compares: CellView;
  readonly #cover = document.createElement("p");

  private constructor(
    readonly page: string,
    asks: CellView,
    compares: CellView,
  ) {
    this.#asks = asks;
    this.#compares = compares;
    this.#cover.className = "answers-wait";
    this.#cover.append(`What was found stands here once you have guessed in cell ${asks.number}. `);
    const button = (words: string, act: () => void): void => {
      const element = document.createElement("button");
      element.type = "button";
      element.textContent = words;
      element.addEventListener("click", act);
      this.#cover.append(element, " ");
    };
    button("Guess", () => {
      asks.section.scrollIntoView({ block: "center" });
      asks.section.querySelector<HTMLElement>(".cell-controls input")?.focus({ preventScroll: true });
    });
    button("Show what was found", () => this.uncover());
    if (hasGuessed(page)) this.uncover();
    else {
      compares.outputElement.before(this.#cover);
      compares.outputElement.hidden = true;
    }
  }

  /** null where the page predicts nothing, or compares no prediction. */
  static of(page: string, cells: readonly CellView[]): Answers | null {
    for (const asks of cells) {
      const name = predictionOf(asks.own);
      if (name === null) continue;
      const compares = cells.find(({ own }) => own.includes(`${name}.compare(`));
      if (compares !== undefined) return new Answers(page, asks, compares);
    }
    return null;
  }

  /** The reader has guessed: the guesses are kept with the cell's text. @returns what to tell */
  guessed(): string {
    keepGuessed(this.page);
    this.uncover();
    return `Your guesses are kept. Cell ${this.#compares.number} compares them with what is found.`;
  }

  /** The outputs that the page brings hold its own guesses: the reader's take their place. */
  uncover(): void {
    this.#cover.remove();
    this.#compares.outputElement.hidden = false;
    if (this.#compares.count !== null) return;
    const rows = this.#compares.outputElement.querySelectorAll("tbody tr");
    for (const [index, { value }] of guessesOf(this.#asks.text).entries()) {
      const guess = rows[index]?.querySelectorAll("td")[1];
      if (guess !== undefined) guess.textContent = guessText(value);
    }
  }
}
