import { expect, it } from "vitest";
import { LineCount } from "../../../../src/core/timing/base/line-count.js";

it("counts a line once a request, and one asked for shortly before as asked for again", () => {
  const lines = new LineCount();
  lines.add([9, 0, 1, 2, 5, 40, 9], 1, 5);
  expect([lines.anew, lines.again]).toEqual([3, 0]);
  lines.add([3, 41], 0, 2);
  expect([lines.anew, lines.again]).toEqual([3, 2]);
  expect(lines.asked).toBe(5);
  expect(lines.cost(0.5)).toBe(4);
});

it("forgets lines when many others have been asked for", () => {
  const lines = new LineCount();
  for (let line = 0; line < 40_000; line++) lines.add([4 * line], 0, 1);
  const before = lines.anew;
  for (let line = 0; line < 1000; line++) lines.add([4 * line], 0, 1);
  expect(lines.anew - before).toBeGreaterThan(900);
});
