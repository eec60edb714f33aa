/** The progress file outlives updates of the course, and whatever happens to it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { LearnCourse } from "../../../src/node/learn/learn-course.js";
import { LearnProgress } from "../../../src/node/learn/progress-file.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "progress-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const path = (): string => join(folder, "progress.json");

it("keeps exercises and fields of another version of the course as they are", () => {
  const other = {
    exercises: { "lab-99": { points: 3, passed: "x", medal: "gold" }, "lab-25": { hints: 2 } },
    theme: "dark",
  };
  writeFileSync(path(), JSON.stringify(other));
  const progress = new LearnProgress(path());
  progress.note("lab-25", { points: 8 });
  progress.choose("lab-26");
  expect(JSON.parse(readFileSync(path(), "utf8"))).toEqual({
    exercises: { "lab-99": { points: 3, passed: "x", medal: "gold" }, "lab-25": { hints: 2, points: 8 } },
    theme: "dark",
    current: "lab-26",
  });
  expect(readdirSync(folder)).toEqual(["progress.json"]);
});

it.each(["", "{", "null", "[]", '{"exercises": 3}', '{"exercises": {"lab-25": 10}}'])(
  "puts a file that is no progress aside, and begins anew: %j",
  (text) => {
    writeFileSync(path(), text);
    const progress = new LearnProgress(path());
    expect(progress.putAside).toBe(join(folder, "progress.1.json"));
    progress.note("lab-25", { points: 1 });
    expect(readFileSync(join(folder, "progress.1.json"), "utf8")).toBe(text);
    expect(new LearnProgress(path()).of("lab-25")).toEqual({ points: 1 });
  },
);

it("has no progress of names that every object has", () => {
  expect(new LearnProgress(path()).of("constructor")).toEqual({});
});

it("leaves an exercise passed that an update has changed, and goes on with the first that is open", () => {
  const [first, second] = new LearnCourse(folder).exercises;
  if (first === undefined || second === undefined) throw new Error("no exercises");
  new LearnProgress(path()).note(first.id, { points: 10, passed: "of an older version" });
  const course = new LearnCourse(folder);
  expect(course.stateOf(first)).toBe("passed before a change");
  expect([course.passedCount, course.next?.id]).toEqual([1, second.id]);
});
