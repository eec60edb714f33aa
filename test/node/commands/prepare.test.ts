import { expect, test } from "vitest";
import { prepare } from "../../../src/node/commands/prepare.mjs";
import { createProgress } from "../../../src/node/progress.mjs";

test("preparing a clone says and does nothing where all is installed and compiled", async () => {
  const lines: string[] = [];
  await prepare(createProgress((line) => lines.push(line)));
  expect(lines).toEqual([]);
});
