/** A learner's guesses beside what was found. */
import {
  boolean,
  checkArgument,
  either,
  finite,
  listOf,
  objectWith,
  type Shape,
  string,
} from "../../core/base/shape.js";
import { type Table, table } from "../../core/show/table.js";
import { guessText } from "./guess-text.js";

export interface Guess {
  readonly question: string;
  readonly guessed: number | boolean | string;
  readonly found: number | boolean | string;
}

const answer: Shape = either(finite, boolean, string);
const guess: Shape = objectWith({ question: string, guessed: answer, found: answer });

/** The table that a notebook ends with. */
export function guessTable(guesses: readonly Guess[]): Table {
  checkArgument("guessTable", "guesses", guesses, listOf(guess));
  return table({
    title: "What you guessed and what was found",
    columns: [
      { key: "question", title: "Question" },
      { key: "guessed", title: "Your guess", align: "right" },
      { key: "found", title: "Found", align: "right" },
    ],
    rows: guesses.map((each) => ({ ...each, guessed: guessText(each.guessed), found: guessText(each.found) })),
  });
}
