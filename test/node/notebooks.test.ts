import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { exerciseIds } from "../../src/course/exercises/exercise.js";
import { type CodeCell, expectsError, type Notebook } from "../../src/course/notebook/notebook.js";
import { cellComplaints } from "./notebook-compiler.js";

const folder = join(import.meta.dirname, "../../notebooks");
const names = readdirSync(folder).filter((file) => file.endsWith(".ipynb"));

function read(name: string): Notebook {
  return JSON.parse(readFileSync(join(folder, name), "utf8")) as Notebook;
}

const textOf = (source: string | readonly string[]): string => (typeof source === "string" ? source : source.join(""));

function cellsOf(name: string, type: "code" | "markdown"): string[] {
  return read(name)
    .cells.filter((cell) => cell.cell_type === type)
    .map((cell) => textOf(cell.source));
}

/** The exercise of a page: "lab-28" of "lab-28-last-warp-unrolled.ipynb". */
function exerciseOf(name: string): string {
  return exerciseIds().find((id) => name.startsWith(`${id}-`)) ?? name;
}

test("each exercise has its notebook, and each notebook its exercise", () => {
  expect(names.map(exerciseOf)).toEqual(exerciseIds());
});

describe.each(names)("%s", (name) => {
  test("is kept with the outputs of a run, for the kernel of this course: no error that is not expected, no warning", () => {
    const notebook = read(name);
    expect(notebook.nbformat).toBe(4);
    expect(notebook.metadata.kernelspec).toMatchObject({ name: "tslab", language: "typescript" });
    const code = notebook.cells.filter((cell): cell is CodeCell => cell.cell_type === "code");
    expect(code.map((cell) => cell.execution_count)).toEqual(code.map((_, index) => index + 1));
    for (const cell of code) {
      const kinds = cell.outputs.map((output) => (output.output_type === "stream" ? output.name : output.output_type));
      if (!expectsError(cell)) expect(kinds).not.toContain("error");
      expect(kinds).not.toContain("stderr");
    }
  });

  test("imports from warplab alone", () => {
    const modules = cellsOf(name, "code").flatMap((text) =>
      [...text.matchAll(/\bfrom "([^"]+)"/g)].map(([, from]) => from),
    );
    expect([...new Set(modules)]).toEqual(["warplab"]);
  });

  test("has cells of at most 40 lines", () => {
    for (const text of cellsOf(name, "code")) expect(text.split("\n").length, text).toBeLessThanOrEqual(40);
  });

  test("type-checks under the compiler of tslab's cells", () => {
    expect(cellComplaints(folder, cellsOf(name, "code").join("\n"))).toEqual([]);
  });

  test("asks a question, lets the learner predict, compares, and ends with its exercise", () => {
    const prose = cellsOf(name, "markdown").join("\n");
    expect(prose).toContain("**The question.**");
    expect(prose).toContain("## Predict");
    const code = cellsOf(name, "code");
    expect(code.filter((text) => text.includes("predict("))).toHaveLength(1);
    expect(code.filter((text) => text.includes("guess.compare("))).toHaveLength(1);
    expect(code.at(-1)).toContain(`checkExercise("${exerciseOf(name)}", answer)`);
  });

  test("says minutes and what is needed before, puts right, folds three hints and a solution, and leads on", () => {
    const prose = cellsOf(name, "markdown").join("\n");
    for (const part of ["**After this page you can**", "**Before:**", "minutes", "> **Put right.**"]) {
      expect(prose).toContain(part);
    }
    expect(prose).toContain("## What to remember");
    const folded = [...prose.matchAll(/<details><summary>(.*?)<\/summary>/g)].map(([, summary]) => summary);
    expect(folded).toEqual([
      expect.stringMatching(/^Hint 1/),
      expect.stringMatching(/^Hint 2/),
      expect.stringMatching(/^Hint 3/),
      "A solution",
    ]);
    expect(prose).toContain("**Next:**");
  });

  test("claims about the minutes that it takes: 200 words a minute, two minutes a cell of code, and the exercise", () => {
    const prose = cellsOf(name, "markdown").join("\n");
    const [, claimed, exercise] = /\*\*Time:\*\*\s+(\d+)\s+minutes.*?exercise (?:takes )?(\d+)/s.exec(prose) ?? [];
    const words = prose.replace(/<details>.*?<\/details>|```.*?```/gs, "").split(/\s+/).length;
    const read = words / 200 + 2 * (cellsOf(name, "code").length - 2);
    expect(Math.abs(Number(claimed) - read - Number(exercise))).toBeLessThan(15);
  });

  test("folds away a solution that passes its exercise", () => {
    const id = exerciseOf(name);
    const file = readFileSync(join(folder, `../labs/${id}/solution.ts`), "utf8");
    // The starter that is made of it stands in its comments.
    const solution = file.replace(/^ *\/\/.*$/gm, "");
    const [, shown = ""] =
      /<summary>A solution<\/summary>\s*```ts\n(.*?)```/s.exec(cellsOf(name, "markdown").join("\n")) ?? [];
    // The same statements: the file of labs/, which passes, declares its types and takes the words as arguments.
    const statements = (text: string): string[] =>
      text.split("\n").flatMap((line) => (/^ {2,}\S.*;$|^ {2,}(for|if|while).*\{$/.test(line) ? [line.trim()] : []));
    const wanted = statements(solution).filter((line) => !/^(readonly |"answer"|\{)/.test(line));
    expect(statements(shown).filter((line) => !/^(readonly |"answer"|\{)/.test(line))).toEqual(wanted);
    expect(wanted.length).toBeGreaterThan(5);
  });

  test("types no measured number into its text: times, bandwidths and shares come from cells", () => {
    for (const text of cellsOf(name, "markdown")) {
      expect(text).not.toMatch(/\d\s*(ms|us|µs|%|percent|times as fast)(?![\w(])/);
      // The one rate in the texts is the published table's own word on its GPU.
      expect(text.replaceAll("432 GB/s", "")).not.toMatch(/\d\s*GB\/s/);
    }
  });
});
