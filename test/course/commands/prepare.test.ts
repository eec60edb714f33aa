import { describe, expect, test } from "vitest";
import { isCompiled, prepare, sourcesHash } from "../../../src/course/commands/prepare.mjs";
import { createProgress } from "../../../src/course/progress.mjs";

describe("preparing a clone", () => {
  test("does nothing where all is installed and compiled", async () => {
    const lines: string[] = [];
    await prepare(createProgress((line) => lines.push(line)));
    expect(lines).toEqual([]);
  });

  test("compiles where the compiled code is of other sources", () => {
    expect(isCompiled(sourcesHash())).toBe(true);
    expect(isCompiled("of others")).toBe(false);
  });
});
