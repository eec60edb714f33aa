/** A guess, or what was found, as the table of guesses shows it: in a notebook, and on a page that the reader edits. */
import { formatNumber } from "../../core/show/number-format.js";

export function guessText(value: number | boolean | string): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  return formatNumber(value, Number.isInteger(value) ? { grouping: true } : { decimals: 2, grouping: true });
}
