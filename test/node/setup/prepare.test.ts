import { expect, test } from "vitest";
import { createProgress } from "../../../src/node/progress.mjs";
import { prepare } from "../../../src/node/setup/prepare.mjs";

test("preparing a clone says and does nothing where all is installed and compiled", async () => {
  const lines: string[] = [];
  await prepare(createProgress((line) => lines.push(line)));
  expect(lines).toEqual([]);
});
