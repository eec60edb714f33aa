import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runNotebooks } from "../../../src/node/commands/notebooks.js";
import { readNotebook } from "../../../src/node/notebook/notebook.js";
import { createProgress } from "../../../src/node/progress.mjs";
import { makeCourse } from "../course-run.js";

const roots: string[] = [];
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true });
});

function course(...names: string[]): string {
  const root = mkdtempSync(join(tmpdir(), "warplab-notebooks-"));
  roots.push(root);
  makeCourse(root, ...names);
  return join(root, "notebooks");
}

async function run(folder: string, ...args: string[]): Promise<{ readonly code: number; readonly said: string }> {
  const lines: string[] = [];
  const code = await runNotebooks(
    folder,
    args,
    createProgress((line) => lines.push(line)),
  );
  return { code, said: lines.join("") };
}

describe("npm run notebooks", () => {
  test("keeps the outputs of a run in the files, and leaves a file alone whose outputs are the same", async () => {
    const folder = course("expected-failure");
    const file = join(folder, "expected-failure.ipynb");
    expect(await run(folder)).toMatchObject({ code: 0, said: expect.stringContaining("outputs written") });
    const code = readNotebook(file).cells.flatMap((cell) => (cell.cell_type === "code" ? [cell.execution_count] : []));
    expect(code).toEqual(code.map((_, index) => index + 1));
    const kept = readFileSync(file, "utf8");
    expect(await run(folder)).toMatchObject({ code: 0, said: expect.stringContaining("expected-failure: as kept") });
    expect(readFileSync(file, "utf8")).toBe(kept);
    expect(existsSync(join(folder, "README.md"))).toBe(false);
  });

  test("leaves a notebook alone in which a cell fails, names cell and error, and ends with code 1", async () => {
    const folder = course("failures");
    const before = readFileSync(join(folder, "failures.ipynb"), "utf8");
    const { code, said } = await run(folder, "fail");
    expect([code, said]).toEqual([1, expect.stringMatching(/failures: cell 2: RangeError: negative: -3/)]);
    expect(readFileSync(join(folder, "failures.ipynb"), "utf8")).toBe(before);
  });

  test("says which notebooks there are when none has the name, and explains its options", async () => {
    const folder = course("sample");
    expect(await run(folder, "lab-99")).toEqual({ code: 1, said: expect.stringContaining("There are: sample") });
    expect(await run(folder, "--help")).toEqual({ code: 0, said: expect.stringContaining("npm run notebooks") });
    expect(await run(folder, "--chek")).toEqual({ code: 1, said: expect.stringContaining("--chek") });
  });
});
