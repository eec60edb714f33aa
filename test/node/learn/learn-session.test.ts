/** A learner at work, with checks that end when the test says so. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { exercise } from "../../../src/course/exercises/exercise.js";
import { verdictOf } from "../../../src/course/exercises/verdict.js";
import type { Grade } from "../../../src/node/grade/grade.js";
import { LearnCourse } from "../../../src/node/learn/learn-course.js";
import { LearnSession } from "../../../src/node/learn/learn-session.js";

interface Check {
  readonly id: string;
  readonly cancelled: () => boolean;
  readonly end: (passed: boolean) => void;
}

let folder: string;
let said: string;
let checks: Check[];
let course: LearnCourse;
let session: LearnSession;

function verdict(id: string, passed: boolean): Grade {
  const spec = exercise(id);
  const finding = { passed, sentence: passed ? "It holds." : "Line 3 is wrong." };
  return { kind: "verdict", verdict: verdictOf(spec, { seed: 1, devices: ["v100"] }, () => finding) };
}

function begin(): void {
  course = new LearnCourse(folder);
  session = new LearnSession({
    course,
    write: (text) => {
      said += text;
    },
    width: () => 60,
    grade: ({ id }) => {
      let [isCancelled, done] = [false, (_: Grade): void => {}];
      const grade = new Promise<Grade>((resolve) => {
        done = resolve;
      });
      checks.push({ id, cancelled: () => isCancelled, end: (passed) => done(verdict(id, passed)) });
      return {
        grade,
        cancel: () => {
          isCancelled = true;
          done({ kind: "stopped", by: "killed", what: "cancelled", cure: "" });
        },
      };
    },
    end: async () => "THE END\n",
  });
}

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "learn-")), "work");
  [said, checks] = ["", []];
  begin();
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true }));

const write = (id: string, text: string): void => writeFileSync(course.work.pathOf(id), text);
const lastCheck = (): Check => checks.at(-1)!;

it("greets once, begins the first exercise and says why it is not passed", async () => {
  const started = session.start();
  expect(checks.map(({ id }) => id)).toEqual(["lab-25"]);
  lastCheck().end(false);
  await started;
  expect(said).toMatch(/^Welcome!/);
  expect(said).toMatch(/Edit \S+lab-25\.ts and save it/);
  expect(said).toContain("Line 3 is wrong.");
  for (const line of said.split("\n")) expect(line.length).toBeLessThanOrEqual(60 + folder.length);
  said = "";
  begin();
  const again = session.start();
  lastCheck().end(false);
  await again;
  expect(said).not.toContain("Welcome");
});

it("goes on to the next exercise by itself, where it was left", async () => {
  const started = session.start();
  lastCheck().end(true);
  await Promise.resolve();
  await new Promise(setImmediate);
  expect(checks.map(({ id }) => id)).toEqual(["lab-25", "lab-26"]);
  lastCheck().end(false);
  await started;
  expect(said).toContain("lab-25 is passed.");
  begin();
  void session.start();
  expect(lastCheck().id).toBe("lab-26");
  expect(course.passedCount).toBe(1);
});

it("checks again when the text has changed, once for each text, in place of the check that goes on", async () => {
  void session.start();
  const [first] = checks;
  await session.saved();
  expect(checks).toHaveLength(1);
  write("lab-25", "changed");
  const second = session.saved();
  expect(checks).toHaveLength(2);
  expect(first?.cancelled()).toBe(true);
  await session.saved();
  expect(checks).toHaveLength(2);
  lastCheck().end(false);
  await second;
  expect(said.match(/Line 3 is wrong/g)).toHaveLength(1);
  expect(said).not.toContain("cancelled");
});

it("waits where the file is gone for a moment, as some editors replace it", async () => {
  void session.start();
  rmSync(course.work.pathOf("lab-25"));
  await session.saved();
  expect(checks).toHaveLength(1);
});

it("gives one more hint at each key, and starts with the first again for another exercise", async () => {
  void session.start();
  for (const of of ["Hint 1 of 3", "Hint 2 of 3", "Hint 3 of 3"]) {
    said = "";
    await session.key("h");
    expect(said).toContain(of);
  }
  expect(said).toContain("That was the last hint.");
  void session.key("n");
  said = "";
  await session.key("h");
  expect(said).toContain("Ask again for the next hint.");
});

it("resets only after a second key, and keeps the file", async () => {
  void session.start();
  write("lab-25", "mine");
  await session.key("x");
  await session.key("l");
  await session.key("y");
  expect(readFileSync(course.work.pathOf("lab-25"), "utf8")).toBe("mine");
  await session.key("x");
  void session.key("y");
  await new Promise(setImmediate);
  expect(readFileSync(join(folder, "lab-25.1.ts"), "utf8")).toBe("mine");
  expect(readFileSync(course.work.pathOf("lab-25"), "utf8")).toContain('kernel(\n  "answer"');
});

it("skips to the next open exercise and comes back after the last", async () => {
  void session.start();
  const ids = course.exercises.map(({ id }) => id);
  for (let index = 1; index <= ids.length; index++) {
    void session.key("n");
    expect(session.exercise?.id).toBe(ids[index % ids.length]);
  }
  expect(checks.slice(0, -1).every((check) => check.cancelled())).toBe(true);
});

it("stays at an exercise that was passed before and is chosen by its name", async () => {
  course.progress.note("lab-25", { points: 10, passed: course.named("lab-25").version });
  course.goTo(course.named("lab-25"));
  const started = session.start();
  lastCheck().end(true);
  await started;
  expect(session.exercise?.id).toBe("lab-25");
  void session.key("n");
  expect(session.exercise?.id).toBe("lab-26");
});

it("ends after the last exercise, and only q, Ctrl+C and Ctrl+D leave", async () => {
  for (const { id, version } of course.exercises.slice(1)) course.progress.note(id, { points: 10, passed: version });
  const started = session.start();
  lastCheck().end(true);
  await started;
  const count = course.exercises.length;
  expect(said.endsWith(`${count} of ${count} passed\nTHE END\n`)).toBe(true);
  expect(await session.key("h")).toBe(true);
  for (const key of ["q", "\u0003", "\u0004"]) expect(await session.key(key)).toBe(false);
});
