/** Which files of a folder are whose answers to which exercise, however the folder is laid out and the names are written. */
import { spawnSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { exerciseIds } from "../../../src/course/exercises/exercise.js";
import { exerciseInName, naturalOrder, withoutExercise } from "../../../src/node/class/submissions/exercise-names.js";
import { submissionTree } from "../../../src/node/class/submissions/submission-tree.js";
import { type Survey, survey } from "../../../src/node/class/submissions/survey.js";

const base = mkdtempSync(join(tmpdir(), "class-survey-"));
afterAll(() => rmSync(base, { recursive: true }));

const ids = exerciseIds();
let folders = 0;

/** A folder with these files; a text for each path. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = join(base, `class-${++folders}`);
  mkdirSync(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function surveyed(folder: string, asked: readonly string[] = [], level = 1): Survey {
  return survey(folder, submissionTree(folder, level, ids), asked, ids);
}

/** student, exercise and path of the attempts that count. */
function counted({ attempts }: Survey): readonly (readonly [string, string | null, string])[] {
  return attempts
    .filter(({ superseded }) => !superseded)
    .map((each) => [each.student, each.exercise, each.path] as const);
}

function notebook(...sources: readonly string[]): string {
  return JSON.stringify({ nbformat: 4, cells: sources.map((source) => ({ cell_type: "code", source })) });
}

const CHECK = (id: string): string => `checkExercise("${id}", answer);`;

describe("a folder's layout", () => {
  it.each([
    ["files by students' names", "anna.ts", ["lab-28"], ["anna", "lab-28"]],
    ["files by student and exercise", "anna_lab-28.ts", [], ["anna", "lab-28"]],
    ["files that a browser has numbered", "anna-lab-28 (2).ts", [], ["anna", "lab-28"]],
    ["a folder a student", "anna/my-kernel.ts", ["lab-28"], ["anna", "lab-28"]],
    ["the learners' work folders", "anna/my-work/lab-28.ts", [], ["anna", "lab-28"]],
    ["nbgrader's", "anna/lab-28/answer.ts", [], ["anna", "lab-28"]],
    ["GitHub Classroom's", "lab-28-anna/src/answer.ts", [], ["anna", "lab-28"]],
    ["a folder an exercise", "Lab 28/anna.ts", [], ["anna", "lab-28"]],
    ["a folder an exercise, then students' folders", "lab28/anna/kernel.ts", [], ["anna", "lab-28"]],
    ["numbers for names", "lab-28-4711.ts", [], ["4711", "lab-28"]],
  ] as const)("is understood: %s", (_, path, asked, [student, exercise]) => {
    const found = surveyed(folderOf({ [path]: "x" }), asked);
    expect(counted(found)).toEqual([[student, exercise, path]]);
    expect(found.missing).toEqual([]);
  });

  it("has one student's own files, where these lie in it by exercise", () => {
    const folder = folderOf({ "lab-27.ts": "x", "lab-28.ts": "x" });
    const name = `class-${folders}`;
    expect(counted(surveyed(folder)).map(([student, exercise]) => [student, exercise])).toEqual([
      [name, "lab-27"],
      [name, "lab-28"],
    ]);
  });

  it("keeps students of one name in different sections apart, where it is told that names have two levels", () => {
    const folder = folderOf({ "section-1/anna.ts": "x", "section-2/anna.ts": "x" });
    const students = counted(surveyed(folder, ["lab-28"], 2)).map(([student]) => student);
    expect(students).toEqual(["section-1/anna", "section-2/anna"]);
  });
});

describe("the names of a learning platform's download", () => {
  it("are one learner's, and the last attempt counts: Canvas by its number, Brightspace by its time", () => {
    const found = surveyed(
      folderOf({
        "doejane_LATE_12346_67-1.ts": "x",
        "doejane_12346_66-2.ts": "x",
        "Max Moo_777_assignsubmission_file_/kernel.ts": "x",
        "Ann Lee_778_assignsubmission_file_kernel.ts": "x",
        "12-34 - Bo B - Sep 15, 2026 1159 PM/a.ts": "x",
        "12-34 - Bo B - 16 September, 2026 905 AM - z.ts": "x",
      }),
      ["lab-28"],
    );
    expect(counted(found).map(([student, , path]) => [student, path])).toEqual([
      ["Ann Lee", "Ann Lee_778_assignsubmission_file_kernel.ts"],
      ["Bo B", "12-34 - Bo B - 16 September, 2026 905 AM - z.ts"],
      ["Max Moo", "Max Moo_777_assignsubmission_file_/kernel.ts"],
      ["doejane", "doejane_LATE_12346_67-1.ts"],
    ]);
  });

  it("keep namesakes apart by the platform's number; Moodle's is another one in each assignment", () => {
    const found = surveyed(
      folderOf({
        "lab-27/doejane_12346_67_a.ts": "x",
        "lab-28/doejane_12347_68_a.ts": "x",
        "lab-27/Max Moo_777_assignsubmission_file_/a.ts": "x",
        "lab-28/Max Moo_801_assignsubmission_file_/a.ts": "x",
        "lab-28/Li Li_802_assignsubmission_file_/a.ts": "x",
        "lab-28/Li Li_803_assignsubmission_file_/a.ts": "x",
      }),
    );
    expect(counted(found).map(([student, exercise]) => [student, exercise])).toEqual([
      ["Li Li (802)", "lab-28"],
      ["Li Li (803)", "lab-28"],
      ["Max Moo", "lab-27"],
      ["Max Moo", "lab-28"],
      ["doejane (12346)", "lab-27"],
      ["doejane (12347)", "lab-28"],
    ]);
  });
});

describe("an exercise that the command does not name", () => {
  it("is what a notebook's cells hand in, which may be several; its outputs and its prose say nothing", () => {
    const text = JSON.stringify({
      nbformat: 4,
      cells: [
        { cell_type: "markdown", source: CHECK("lab-25") },
        { cell_type: "code", source: "1;", outputs: [{ text: CHECK("lab-26") }] },
        { cell_type: "code", source: [CHECK("lab-28").slice(0, 10), CHECK("lab-28").slice(10)] },
        { cell_type: "code", source: CHECK("lab-30") },
        { cell_type: "code", source: CHECK("lab-99") },
      ],
    });
    expect(counted(surveyed(folderOf({ "anna/lab-27.ipynb": text })))).toEqual([
      ["anna", "lab-28", "anna/lab-27.ipynb"],
      ["anna", "lab-30", "anna/lab-27.ipynb"],
    ]);
  });

  it("is the one in a notebook's name, where its cells hand nothing in", () => {
    const found = surveyed(folderOf({ "anna/lab-28-last-warp.ipynb": notebook("1;") }));
    expect(counted(found)).toEqual([["anna", "lab-28", "anna/lab-28-last-warp.ipynb"]]);
  });

  it("is asked for where nothing says it, for that submission alone", () => {
    const { attempts } = surveyed(folderOf({ "anna.ts": "x", "ben/lab-28.ts": "x" }));
    expect(attempts.map(({ student, refusal }) => [student, refusal?.what ?? null])).toEqual([
      ["anna", "Nothing says which exercise anna.ts is for."],
      ["ben", null],
    ]);
  });

  it("is not guessed from a name of several, or of a number that goes on", () => {
    expect(exerciseInName("lab-27-and-lab-28.ts", ids)).toBe(null);
    expect(exerciseInName("lab-281.ts", ids)).toBe(null);
    expect(exerciseInName("collab-28.ts", ids)).toBe(null);
    expect(withoutExercise("lab-28", ids)).toBe("lab-28");
  });
});

describe("exercises that the command names", () => {
  it("leave other files out, with the reason, and miss what is not there", () => {
    const folder = folderOf({
      "anna/lab-27.ts": "x",
      "anna/lab-28.ts": "x",
      "ben/lab-27.ts": "x",
      "cleo/notes.txt": "x",
    });
    const found = surveyed(folder, ["lab-28"]);
    expect(counted(found)).toEqual([["anna", "lab-28", "anna/lab-28.ts"]]);
    expect(found.missing).toEqual([
      { student: "ben", exercise: "lab-28" },
      { student: "cleo", exercise: "lab-28" },
    ]);
    expect(found.passed).toContainEqual({ path: "ben/lab-27.ts", why: "for lab-27, which is not asked for" });
    expect(found.passed).toContainEqual({
      path: "cleo/notes.txt",
      why: "neither a .ts file nor a .cu file nor a notebook",
    });
  });

  it("make a helper beside the exercise's file no second answer", () => {
    const found = surveyed(folderOf({ "anna/lab-28.ts": "x", "anna/helper.ts": "y" }), ["lab-28"]);
    expect(counted(found)).toEqual([["anna", "lab-28", "anna/lab-28.ts"]]);
    expect(found.passed).toEqual([{ path: "anna/helper.ts", why: "another file of the student names the exercise" }]);
  });
});

describe("several files of a student for an exercise", () => {
  it("count once, by the last name in the order of readers", () => {
    const folder = folderOf({ "anna/lab-28.ts": "1", "anna/lab-28 (2).ts": "2", "anna/lab-28 (10).ts": "3" });
    const { attempts } = surveyed(folder);
    expect(attempts.map(({ path, superseded }) => [path, superseded])).toEqual([
      ["anna/lab-28.ts", true],
      ["anna/lab-28 (2).ts", true],
      ["anna/lab-28 (10).ts", false],
    ]);
    expect(naturalOrder("a10b2", "a10b10")).toBeLessThan(0);
  });

  it("count by the original, where Jupyter or a system has made a copy; a browser's number is a newer one", () => {
    const found = surveyed(
      folderOf({
        "lab-28/anna copy.ts": "",
        "lab-28/anna.ts": "",
        "ben/lab-28-Copy1.ipynb": notebook(),
        "ben/lab-28.ipynb": notebook(),
        "cleo/lab-28 (1).TS": "",
        "cleo/lab-28.ts": "",
      }),
    );
    expect(counted(found)).toEqual([
      ["anna", "lab-28", "lab-28/anna.ts"],
      ["ben", "lab-28", "ben/lab-28.ipynb"],
      ["cleo", "lab-28", "cleo/lab-28 (1).TS"],
    ]);
  });

  it("are no more than eight; earlier ones are passed over with the reason", () => {
    const files = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`anna/lab-28-v${n}.ts`, "x"]));
    const { attempts, passed } = surveyed(folderOf(files));
    expect(attempts).toHaveLength(8);
    expect(counted({ attempts } as Survey)).toEqual([["anna", "lab-28", "anna/lab-28-v9.ts"]]);
    expect(passed.map(({ path }) => path)).toEqual(["anna/lab-28-v0.ts", "anna/lab-28-v1.ts"]);
  });

  it("are one student's, also where systems write the name's signs differently", () => {
    const folder = folderOf({ "lab-28/Ren\u00e9.ts": "x", "Lab_28/Rene\u0301.ts": "y" });
    const students = surveyed(folder).attempts.map(({ student, superseded }) => [student, superseded]);
    expect(students).toEqual([
      ["Ren\u00e9", true],
      ["Ren\u00e9", false],
    ]);
  });
});

describe("names that are no plain words", () => {
  it("stay apart: line breaks, commas, quotes, formulas, dots and capital letters", () => {
    const names = ["a\nb", 'a,"b"', "=1+1", "..a", "@x", "Anna", "anna", "__proto__", "constructor", "a b"];
    const folder = folderOf(Object.fromEntries(names.map((name) => [`${name}/lab-28.ts`, "x"])));
    const hidden = names.filter((name) => name.startsWith("."));
    const students = counted(surveyed(folder)).map(([student]) => student);
    expect(students).toEqual(names.filter((name) => !hidden.includes(name)).sort());
  });
});

describe("what is no file of a learner", () => {
  it("is passed over with the reason: hidden and tools' folders, declarations, links within a folder", () => {
    const folder = folderOf({
      "anna/lab-28.ts": "x",
      "anna/.git/lab-28.ts": "x",
      "anna/.ipynb_checkpoints/lab-28.ipynb": "x",
      "anna/node_modules/a/lab-28.ts": "x",
      "anna/types.d.ts": "x",
      ".DS_Store": "x",
    });
    symlinkSync("/", join(folder, "anna/root"));
    const found = surveyed(folder);
    expect(counted(found)).toEqual([["anna", "lab-28", "anna/lab-28.ts"]]);
    expect(found.passed).toEqual([
      { path: ".DS_Store", why: "hidden" },
      { path: "anna/.git", why: "hidden" },
      { path: "anna/.ipynb_checkpoints", why: "hidden" },
      { path: "anna/node_modules", why: "a folder of tools" },
      { path: "anna/root", why: "a link" },
      { path: "anna/types.d.ts", why: "neither a .ts file nor a .cu file nor a notebook" },
    ]);
  });

  it("is the course's own in a copy of the whole course, but for the folder that the learner works in", () => {
    const course = {
      "notebooks/course.json": "{}",
      "labs/exercise.schema.json": "{}",
      "labs/lab-28/solution.ts": "x",
      "test/labs/answers/lab-28.ts": "x",
    };
    const copies = ["anna", "ben"].flatMap((student) =>
      Object.entries(course).map(([path, text]) => [`${student}/${path}`, text] as const),
    );
    const found = surveyed(folderOf({ ...Object.fromEntries(copies), "anna/my-work/lab-28.ts": "x" }));
    expect(counted(found)).toEqual([["anna", "lab-28", "anna/my-work/lab-28.ts"]]);
    expect(found.missing).toEqual([{ student: "ben", exercise: null }]);
    expect(found.passed).toContainEqual({ path: "ben/labs", why: "the course's own" });
  });

  it("gets no points and the reason where it is all there is: an archive, another language, a name of the exercise", () => {
    const files = { "anna.zip": "", "ben/lab-28.json": "", "cleo/sum.py": "", "dora/notes.txt": "", "eve.csv": "" };
    const found = surveyed(folderOf({ ...files, "finn/lab-28.ts": "", "finn/lab-28.zip": "" }));
    expect(found.attempts.map(({ student, exercise, refusal }) => [student, exercise, refusal?.what])).toEqual([
      ["anna", null, "anna.zip is neither a .ts file nor a .cu file nor a notebook."],
      ["ben", "lab-28", "lab-28.json is neither a .ts file nor a .cu file nor a notebook."],
      ["cleo", null, "sum.py is neither a .ts file nor a .cu file nor a notebook."],
      ["finn", "lab-28", undefined],
    ]);
    expect(found.missing).toEqual([{ student: "dora", exercise: null }]);
  });

  it("gets no points and the reason, where it stands for a file: links, folders, pipes, large and broken files", () => {
    const folder = folderOf({ "real/lab-28.ts": "x", "deep/lab-28.ts/x": "x", "utf16/lab-28.ts": "\ufeffa\0" });
    symlinkSync(join(folder, "real/lab-28.ts"), join(folder, "link-lab-28.ts"));
    symlinkSync(join(folder, "real"), join(folder, "folder-link"));
    mkdirSync(join(folder, "pipe"));
    expect(spawnSync("mkfifo", [join(folder, "pipe/lab-28.ts")]).status).toBe(0);
    writeFileSync(join(folder, "large-lab-28.ts"), Buffer.alloc(300 * 1024));
    const found = surveyed(folder, ["lab-28"]);
    expect(found.attempts.map(({ student, refusal }) => [student, refusal?.what ?? null])).toEqual([
      ["deep", "lab-28.ts is no file."],
      ["folder-link", "folder-link is a link to another file."],
      ["large", "large-lab-28.ts has 300 KiB; 256 KiB are read."],
      ["link", "link-lab-28.ts is a link to another file."],
      ["pipe", "lab-28.ts is no file."],
      // Its check says that it is no text.
      ["real", null],
      ["utf16", null],
    ]);
  });

  it("takes a student with more files than a learner has out, and no other", () => {
    const folder = folderOf({ "anna/lab-28.ts": "x", "many/0.txt": "" });
    for (let n = 1; n <= 5000; n++) linkSync(join(folder, "many/0.txt"), join(folder, `many/${n}.txt`));
    const { attempts, missing } = surveyed(folder, ["lab-28"]);
    expect(attempts.map(({ student, refusal }) => [student, refusal?.what ?? null])).toEqual([
      ["anna", null],
      ["many", "It has more than 5000 files and folders."],
    ]);
    expect(missing).toEqual([]);
  });
});
