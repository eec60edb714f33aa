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
import { formatNumber } from "../../core/show/number-format.js";
import { type Table, table } from "../../core/show/table.js";

export interface Guess {
  readonly question: string;
  readonly guessed: number | boolean | string;
  readonly found: number | boolean | string;
}

function text(value: number | boolean | string): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  return formatNumber(value, Number.isInteger(value) ? { grouping: true } : { decimals: 2, grouping: true });
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
    rows: guesses.map((each) => ({ question: each.question, guessed: text(each.guessed), found: text(each.found) })),
  });
}
