import { describe, expect, test } from "vitest";
import { withUsed } from "../../../src/live/cells/uses.js";

const CELLS = [
  'import { Gpu } from "warplab";\nconst gpu = new Gpu();',
  "const size = 8;",
  "const { data: input, other } = make(size);",
  "console.log(gpu);",
  "const gpu = new Gpu('v100');",
  "show(input, gpu);",
];

describe("the cells that a cell builds on", () => {
  test("are those that declare its names, and theirs, in the page's order; of two the nearer", () => {
    expect(withUsed(CELLS, 5, () => false)).toEqual([0, 1, 2, 4, 5]);
  });

  test("are not run again once they have run", () => {
    expect(withUsed(CELLS, 5, (cell) => cell !== 4)).toEqual([4, 5]);
  });

  test("are none for a cell that names nothing of others", () => {
    expect(withUsed(CELLS, 1, () => false)).toEqual([1]);
  });
});
