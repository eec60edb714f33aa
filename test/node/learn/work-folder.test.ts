/** A learner's file is made from the starter once, and never written over. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Kernel } from "../../../src/core/frontend/index.js";
import { handedIn } from "../../../src/course/exercises/answer.js";
import { courseRoot } from "../../../src/node/course-root.js";
import { answerOfFile } from "../../../src/node/grade/file-answer.js";
import { type CourseExercise, courseExercises, hintsOf } from "../../../src/node/learn/course-exercises.js";
import { startText, WorkFolder } from "../../../src/node/learn/work-folder.js";

let work: WorkFolder;
beforeEach(() => {
  work = new WorkFolder(mkdtempSync(join(tmpdir(), "work-")));
});
afterEach(() => rmSync(work.folder, { recursive: true }));

const exercises = courseExercises();
const [first] = exercises as [CourseExercise];

it("is begun once: what is there stays as it is", () => {
  expect(work.begin(first)).toBe(true);
  writeFileSync(work.pathOf(first.id), "mine");
  expect(work.begin(first)).toBe(false);
  expect(readFileSync(work.pathOf(first.id), "utf8")).toBe("mine");
});

it("is kept beside the new one at each reset, under the next number that is free", () => {
  expect(work.reset(first)).toBeNull();
  for (const text of ["one", "two"]) {
    writeFileSync(work.pathOf(first.id), text);
    const kept = work.reset(first) ?? "";
    expect(readFileSync(kept, "utf8")).toBe(text);
    expect(readFileSync(work.pathOf(first.id), "utf8")).toBe(startText(first));
  }
  expect(readdirSync(work.folder).sort()).toEqual(["lab-25.1.ts", "lab-25.2.ts", "lab-25.ts"]);
});

describe.each(exercises.map((each) => [each.id, each] as const))("the exercise of %s", (id, exercise) => {
  it("begins with its task as a comment and the starter's kernel, which can be handed in", () => {
    const text = startText(exercise);
    expect(text.split("*/")[0]?.replace(/\s*\n \*\s?/g, " ")).toContain(exercise.spec.task.replace(/\s+/g, " "));
    expect(handedIn(exercise.spec, answerOfFile(`${id}.ts`, text))).toBeInstanceOf(Kernel);
  });

  it("has three hints, those of its page, and nothing of the page's markup in them", () => {
    const hints = hintsOf(exercise);
    expect(hints).toHaveLength(3);
    for (const { title, text } of hints) {
      expect(title).not.toBe("");
      expect(text).not.toMatch(/<\/?(details|summary)/);
      expect(text.length).toBeGreaterThan(40);
    }
  });
});

it("comes in the order in which the course's README lists its pages", () => {
  const readme = readFileSync(join(courseRoot(), "notebooks/README.md"), "utf8");
  const pages = [...readme.matchAll(/^- \*\*\[[^\]]*\]\(([^)]+\.ipynb)\)/gm)].map(([, file]) =>
    join("notebooks", file!),
  );
  expect(exercises.map(({ notebook }) => notebook)).toEqual(pages);
});
