import { describe, expect, it } from "vitest";
import { predict } from "../../../src/course/lesson/prediction.js";

describe("a prediction", () => {
  it("is shown beside what was found, its names as words", () => {
    const guess = predict({ timesAsFast: 1.5, rightOnVolta: true });
    expect(guess.compare({ timesAsFast: 2, rightOnVolta: false }).rows).toEqual([
      { question: "times as fast", guessed: "1.50", found: "2" },
      { question: "right on volta", guessed: "yes", found: "no" },
    ]);
  });

  it("has the article of a name as a word", () => {
    const [row] = predict({ lanesOfAScheduler: 32 }).compare({ lanesOfAScheduler: 16 }).rows;
    expect(row?.question).toBe("lanes of a scheduler");
  });

  it("stays what it was when its object changes later", () => {
    const mutable = { lanes: 1 };
    const guess = predict(mutable);
    mutable.lanes = 32;
    expect(guess.compare({ lanes: 32 }).rows[0]?.guessed).toBe("1");
  });

  it("refuses an answer to no question, a missing one, and what is no number", () => {
    const guess = predict({ lanes: 1 });
    expect(() => guess.compare({ lanes: 1, more: 2 } as { lanes: number })).toThrow(/Nothing was predicted as more/);
    expect(() => guess.compare({} as { lanes: number })).toThrow(/No answer for the prediction lanes/);
    expect(() => predict({ lanes: Number.NaN })).toThrow(/lanes is NaN/);
  });
});
