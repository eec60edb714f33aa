/** Starters are made from the solutions, and the notebooks' exercise cells are the same kernels: none of the three drifts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Kernel } from "../../src/core/frontend/index.js";
import { handedIn } from "../../src/course/exercises/answer.js";
import { starterOf } from "../../src/course/exercises/starter.js";
import { answerOfFile } from "../../src/node/grade/file-answer.js";
import { answerOfNotebook } from "../../src/node/grade/notebook-answer.js";
import { courseExercises } from "../../src/node/learn/course-exercises.js";

const root = join(import.meta.dirname, "../..");
const read = (...path: readonly string[]): string => readFileSync(join(root, ...path), "utf8");

describe.each(courseExercises().map((each) => [each.id, each] as const))("the starter of %s", (id, exercise) => {
  it("is what npm run starters makes of the solution", () => {
    expect(read("labs", id, "starter.ts")).toBe(starterOf(read("labs", id, "solution.ts")));
  });

  it("is, in CUDA, the kernel of the notebook's exercise cell", () => {
    const cudaOf = (answer: Parameters<typeof handedIn>[1]): string => {
      const kernel = handedIn(exercise.spec, answer);
      expect(kernel).toBeInstanceOf(Kernel);
      return (kernel as Kernel).toCuda({ comments: false });
    };
    const path = exercise.notebook ?? "";
    const cell = answerOfNotebook(path, read(path), id);
    expect(cudaOf(answerOfFile("starter.ts", read("labs", id, "starter.ts")))).toBe(cudaOf(cell));
  });
});

const solution = (...lines: readonly string[]): string => ["/** Lab: one solution. */", ...lines].join("\n");

it("has the lines of both, and its own lines for those of the solution", () => {
  const text = solution("a", "  // BEGIN SOLUTION", "  b", "  // STARTER", "  //|  c", "//|", "  // END SOLUTION", "d");
  expect(starterOf(text)).toBe("/** Lab: where it starts: not yet what is asked for. */\na\n  c\n\nd");
  expect(starterOf(solution("// BEGIN SOLUTION", "b", "// STARTER", "// END SOLUTION"))).toBe(
    "/** Lab: where it starts: not yet what is asked for. */",
  );
});

it.each([
  ["no mark", solution("a"), /marks nothing/],
  ["no end", solution("// BEGIN SOLUTION", "b", "// STARTER"), /END SOLUTION is missing/],
  ["no lines of a starter", solution("// BEGIN SOLUTION", "b", "// END SOLUTION"), /Line 4 .* wrong place/],
  ["a mark within", solution("// BEGIN SOLUTION", "// BEGIN SOLUTION"), /Line 3 .* wrong place/],
  ["code among the starter's lines", solution("// BEGIN SOLUTION", "// STARTER", "b"), /Line 4 .*begins with no/],
  ["another title", "/** Lab. */\na", /Line 1 .*does not end with/],
])("is not made of a solution with %s", (_, text, problem) => {
  expect(() => starterOf(text)).toThrow(problem);
});
