import { describe, expect, test } from "vitest";
import { guessTable } from "../../../src/course/lesson/guess-table.js";

describe("a table of guesses", () => {
  test("shows whole numbers as such, others with two digits, yes or no, and words as they are", () => {
    const { rows } = guessTable([
      { question: "a", guessed: 2, found: 1.2345 },
      { question: "b", guessed: true, found: false },
      { question: "c", guessed: "divergence", found: "idle lanes" },
    ]);
    expect(rows).toEqual([
      { question: "a", guessed: "2", found: "1.23" },
      { question: "b", guessed: "yes", found: "no" },
      { question: "c", guessed: "divergence", found: "idle lanes" },
    ]);
  });
});
