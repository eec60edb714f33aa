/** The learner's files: one an exercise, made from its starter. A file that is there is never written over. */
import { constants, copyFileSync, existsSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { wrap } from "../../core/show/output/plain-text.js";
import { courseRoot } from "../course-root.js";
import type { CourseExercise } from "./course-exercises.js";
import { freeName } from "./free-name.js";
import { LANGUAGES, type Language } from "./progress-file.js";

const HEADER_COLUMNS = 96;

/** So that an editor finds the package's types. */
const TSCONFIG = {
  extends: "../labs/tsconfig.json",
  compilerOptions: { isolatedDeclarations: false, declaration: false },
  include: ["*.ts"],
};

/** The task as a comment. */
function header({ id, spec: { title, task } }: CourseExercise): string {
  const lines = [
    `${id}: ${title}`,
    "",
    // The comment must not end within the text.
    ...wrap(task.replaceAll("*/", "* /").replace(/\s+/g, " "), HEADER_COLUMNS),
    "",
    "Each time that you save this file, npm run learn checks it.",
  ];
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}

/** The starter with the task in place of its first comment. */
export function startText(exercise: CourseExercise, language: Language = "typescript"): string {
  const name = `starter${LANGUAGES[language]}`;
  const starter = readFileSync(join(courseRoot(), "labs", exercise.id, name), "utf8");
  return header(exercise) + starter.replace(/^\/\*\*[\s\S]*?\*\/\n/, "");
}

export class WorkFolder {
  /** That of the files, which another part of the program may change. */
  language: Language = "typescript";

  constructor(readonly folder: string) {}

  pathOf(id: string): string {
    return this.#path(id, this.language);
  }

  /** The file in the language of now; or that in the other one, where there is no such file. */
  foundPath(id: string): string {
    const own = this.pathOf(id);
    const all = Object.keys(LANGUAGES).map((language) => this.#path(id, language as Language));
    return existsSync(own) ? own : (all.find((path) => existsSync(path)) ?? own);
  }

  #path(id: string, language: Language): string {
    return join(this.folder, `${id}${LANGUAGES[language]}`);
  }

  get progressPath(): string {
    return join(this.folder, "progress.json");
  }

  /** Makes the exercise's file, unless there is one. @returns whether it is new */
  begin(exercise: CourseExercise): boolean {
    mkdirSync(this.folder, { recursive: true });
    const settings = join(this.folder, "tsconfig.json");
    if (!existsSync(settings) && join(courseRoot(), "work") === this.folder) {
      writeFileSync(settings, `${JSON.stringify(TSCONFIG, null, 2)}\n`, { flag: "wx" });
    }
    try {
      writeFileSync(this.pathOf(exercise.id), startText(exercise, this.language), { flag: "wx" });
      return true;
    } catch (problem) {
      if ((problem as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw problem;
    }
  }

  /** Begins the exercise anew. @returns the path under which the file that was there is kept; null where there was none */
  reset(exercise: CourseExercise): string | null {
    const path = this.pathOf(exercise.id);
    let kept: string | null = null;
    if (existsSync(path)) {
      kept = freeName(path);
      // Fails where another file has taken the name meanwhile.
      copyFileSync(path, kept, constants.COPYFILE_EXCL);
      unlinkSync(path);
    }
    this.begin(exercise);
    return kept;
  }
}
