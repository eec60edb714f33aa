/** A teacher hands out a release: it has no solution, and nbgrader's own steps make the release of the source. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import type { Kernel } from "../../../src/core/frontend/index.js";
import { handedIn } from "../../../src/course/exercises/answer.js";
import { exercise, exerciseIds } from "../../../src/course/exercises/exercise.js";
import type { Cell, Notebook } from "../../../src/course/notebook/notebook.js";
import { answerOfFile } from "../../../src/node/grade/file-answer.js";
import { answerOfNotebook } from "../../../src/node/grade/notebook-answer.js";
import { releaseFiles } from "../../../src/node/release/release-command.js";
import { withSolution } from "../../../src/node/release/released-notebook.js";

const root = join(import.meta.dirname, "../../..");
const read = (...path: readonly string[]): string => readFileSync(join(root, ...path), "utf8");
const pages = readdirSync(join(root, "notebooks"));

const joined = (source: unknown): string => (Array.isArray(source) ? source.join("") : String(source));
const sources = (notebook: Notebook): readonly string[] => notebook.cells.map((cell) => joined(cell.source));
const isRole = (cell: Cell, role: "grade" | "solution"): boolean =>
  (cell.metadata.nbgrader as Record<string, unknown> | undefined)?.[role] === true;

/** Lines that hold more than a bracket. */
const lines = (text: string): readonly string[] =>
  text.split("\n").flatMap((line) => (/\w/.test(line) ? [line.trim()] : []));

describe.each(exerciseIds())("the release of %s", (id) => {
  const files = releaseFiles(id);
  const page = pages.find((name) => name.startsWith(`${id}-`) && name.endsWith(".ipynb")) ?? "";
  const text = (step: "source" | "release"): string => files.get(`${step}/${id}/${page}`) ?? "";
  const [source, release] = [JSON.parse(text("source")), JSON.parse(text("release"))] as [Notebook, Notebook];
  const spec = exercise(id);
  const cuda = (answer: Parameters<typeof handedIn>[1]): string =>
    (handedIn(spec, answer) as Kernel).toCuda({ comments: false });

  it("has the solution's kernel in source/ and the starter's in release/", () => {
    const kernelOf = (name: string): string => cuda(answerOfFile(name, read("labs", id, name)));
    expect(cuda(answerOfNotebook(page, text("source"), id))).toBe(kernelOf("solution.ts"));
    expect(cuda(answerOfNotebook(page, text("release"), id))).toBe(kernelOf("starter.ts"));
  });

  it("has no line of the solution in release/ that its page does not have elsewhere", () => {
    const answer = source.cells.find((cell) => isRole(cell, "solution"))!;
    const region = /BEGIN SOLUTION\n(.*?)\n\/\/ STARTER/s.exec(joined(answer.source))?.[1] ?? "";
    const starter = joined(release.cells.find((cell) => isRole(cell, "solution"))?.source);
    const own = lines(region).filter((line) => !lines(starter).includes(line));
    expect(own.length).toBeGreaterThan(0);
    // Kernels of the page that the exercise goes on from may have such a line; its exercise's text and cells may not.
    const at = release.cells.findIndex((cell) => isRole(cell, "solution"));
    const end = sources(release).slice(at).flatMap(lines);
    expect(own.filter((line) => end.includes(line))).toEqual([]);
    for (const part of sources(release)) expect(part).not.toMatch(/SOLUTION|A solution<|\/\/ STARTER|\/\/\|/);
  });

  it("leads to pages of its course only by folders that lie beside it", () => {
    for (const [, to = ""] of sources(release)
      .join("\n")
      .matchAll(/\]\((?!https?:|#)([^)]+)\)/g)) {
      expect(to).toMatch(/^\.\.\/([a-z]+(-\d+)?)\/\1-[\w-]+\.ipynb(#.*)?$/);
    }
  });

  it("keeps the page's outputs, has none for the exercise, and locks its two cells", () => {
    const at = release.cells.findIndex((cell) => isRole(cell, "solution"));
    const [answer, check] = release.cells.slice(at, at + 2);
    expect(answer).toMatchObject({ outputs: [], execution_count: null, metadata: { deletable: false } });
    expect(check).toMatchObject({
      outputs: [],
      execution_count: null,
      metadata: { deletable: false, editable: false },
    });
    const kept = JSON.parse(read("notebooks", page)) as Notebook;
    const outputs = (notebook: Notebook): unknown =>
      notebook.cells.slice(0, at).map((cell) => (cell.cell_type === "code" ? cell.outputs : null));
    expect(outputs(release)).toEqual(outputs(kept));
  });
});

test("a solution takes the place of what it declares anew, and the rest of the cell stays", () => {
  const starter = "const a = 1;\n// Slow.\nconst answer = f(a);\nshow(answer);";
  expect(withSolution(starter, "const b = 2;\nconst answer = g(b);\n")).toBe(
    [
      "const a = 1;",
      "// Slow.",
      "// BEGIN SOLUTION",
      "const b = 2;",
      "const answer = g(b);",
      "// STARTER",
      "//|const answer = f(a);",
      "// END SOLUTION",
      "show(answer);",
    ].join("\n"),
  );
  expect(() => withSolution("const other = 1;", "const answer = 2;")).toThrow(/declare anew/);
});
