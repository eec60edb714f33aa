/** A learner's prediction: kept when it is made, compared when the answer is there. */
import { InputError } from "../../core/base/errors.js";
import { anything, boolean, checkArgument, either, finite, recordOf } from "../../core/base/shape.js";
import type { Table } from "../../core/show/table.js";
import { type Guess, guessTable } from "./guess-table.js";

type Value = number | boolean;

/** The same questions, each with a value of the kind that was guessed. */
export type Found<G> = { readonly [K in keyof G]: G[K] extends boolean ? boolean : number };

export interface Prediction<G extends Readonly<Record<string, Value>>> {
  readonly guess: G;
  /** The guesses beside what was found, as a table. @throws InputError where an answer is missing or of no question. */
  compare(found: Found<G>): Table;
}

/** "timesAsFast" -> "times as fast". */
function question(key: string): string {
  // The article stands apart, too: lanesOfAScheduler.
  return key
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/ A(?=[A-Z][a-z])/g, " A ")
    .toLowerCase();
}

/**
 * Keeps a prediction. Change the numbers before you run the cell; `compare` shows them beside what was found.
 * @example
 * const guess = predict({ timesAsFast: 1.5, conflictDegree: 1 });
 * display(guess.compare({ timesAsFast: slow.timeMs / fast.timeMs, conflictDegree: 32 }));
 */
export function predict<G extends Readonly<Record<string, Value>>>(guess: G): Prediction<G> {
  checkArgument("predict", "guess", guess, recordOf(either(finite, boolean)));
  const kept = Object.freeze({ ...guess });
  return {
    guess: kept,
    compare(found): Table {
      checkArgument("compare", "found", found, recordOf(anything));
      const asked = Object.keys(kept);
      const other = Object.keys(found).find((key) => !asked.includes(key));
      if (other !== undefined) {
        throw new InputError({ what: `Nothing was predicted as ${other}.`, cure: `Compare ${asked.join(", ")}.` });
      }
      const guesses = asked.map((key): Guess => {
        const value = found[key] as Value | undefined;
        if (value === undefined || kept[key] === undefined) {
          throw new InputError({
            what: `No answer for the prediction ${key}.`,
            cure: `Give compare a value for ${key}.`,
          });
        }
        return { question: question(key), guessed: kept[key], found: value };
      });
      return guessTable(guesses);
    },
  };
}
