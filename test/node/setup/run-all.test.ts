import { expect, test } from "vitest";
import { runAll } from "../../../src/node/setup/run-all.js";

test("begins works in their order, no more of them at a time than asked for, and ends after all", async () => {
  const begun: number[] = [];
  let [going, most, ended] = [0, 0, 0];
  const works = [30, 10, 20, 10, 0].map((turns, index) => async () => {
    begun.push(index);
    most = Math.max(most, ++going);
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    going -= 1;
    ended += 1;
  });
  await runAll(works, 2);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  expect([most, ended]).toEqual([2, 5]);
});

test("begins nothing where there is no work", async () => {
  await expect(runAll([], 3)).resolves.toBeUndefined();
});
