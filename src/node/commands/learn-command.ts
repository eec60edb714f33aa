/** `npm run learn`: the exercises on files, one after the other. */
import "../files-on-disk.js";
import "../platform.js";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { InputError } from "../../core/base/errors.js";
import { wrap } from "../../core/show/output/plain-text.js";
import { toSvg } from "../../core/show/output/svg.js";
import { DRAWS_ALONE } from "../grade/grade.js";
import { startGrade } from "../grade/grade-run.js";
import { EXIT, exitCodeOf, gradeText } from "../grade/report.js";
import { usageRefusal } from "../grade/usage-problem.js";
import { wholeNumber } from "../grade/whole-number.js";
import type { CourseExercise } from "../learn/course-exercises.js";
import { endText } from "../learn/end-text.js";
import { LearnCourse } from "../learn/learn-course.js";
import { KEYS_TEXT, LearnSession, resetText } from "../learn/learn-session.js";
import { hintText, listText, shownPath } from "../learn/learn-text.js";
import { isLanguage, LANGUAGES, type Language } from "../learn/progress-file.js";
import { watchFolder } from "../learn/watch-folder.js";
import { exerciseOfFile, scoreboardOf } from "../scoreboard/scoreboard.js";
import { scoreboardFigure, scoreboardText } from "../scoreboard/scoreboard-text.js";
import { replaceFile } from "../setup/replace.js";

const USAGE = `npm run learn                     the next exercise: checked when you save it
npm run learn -- lab-28           goes to this one
npm run learn -- hint [1] [ID]    the next hint, or up to a level
npm run learn -- list             what is passed
npm run learn -- reset [ID]       begins it anew; your file is kept
npm run learn -- check [ID|all]   checks once
npm run learn -- scoreboard [FILE] your tries by git commit; default the capstone's
  --last 50 commits that the scoreboard has at the most
  --language cuda   your files in CUDA C++ from now on; or typescript
  --watch   waits for saves; the default in a terminal
  --once    checks once and ends; the default elsewhere
  --work F  the folder of your files; default work
Exit code: 0 passed (or left by q), 1 not yet, 2 a wrong command.`;

/** Keys as they are pressed, or characters of a pipe. */
export interface KeySource {
  /** @returns what ends it */
  listen(pressed: (key: string) => void): () => void;
}

export interface LearnIo {
  readonly write: (text: string) => void;
  readonly error: (text: string) => void;
  readonly width: () => number;
  readonly isTerminal: boolean;
  readonly keys: KeySource;
  /** The folder of the learner's files, unless --work names one. */
  readonly work: string;
  /** The folder of results: known scores, the scoreboard's picture. */
  readonly out: string;
  readonly file: (path: string) => string;
}

interface Options {
  readonly words: readonly string[];
  readonly watch: boolean;
  readonly work: string;
  /** Of the learner's files from now on. */
  readonly language?: Language;
  /** Commits of a scoreboard. */
  readonly last: number;
}

const MOST_COMMITS = 50;

/** null where the usage is asked for. */
function readOptions(args: readonly string[], io: LearnIo): Options | null {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      watch: { type: "boolean" },
      once: { type: "boolean" },
      work: { type: "string" },
      last: { type: "string" },
      language: { type: "string" },
      help: { type: "boolean" },
    },
  });
  if (values.help === true) return null;
  if (values.watch === true && values.once === true) {
    throw new InputError({ what: "--watch and --once exclude each other.", cure: "Give one of them." });
  }
  const watch = values.watch ?? (values.once !== true && io.isTerminal);
  const { language } = values;
  if (language !== undefined && !isLanguage(language)) {
    const cure = `Name one of: ${Object.keys(LANGUAGES).join(", ")}.`;
    throw new InputError({ what: `--language does not know "${language}".`, cure });
  }
  return {
    ...(language === undefined ? {} : { language }),
    words: positionals,
    watch,
    work: values.work === undefined ? io.work : io.file(values.work),
    last: wholeNumber("last", values.last, MOST_COMMITS, { least: 1, most: 10_000 }),
  };
}

function refuseWords(words: readonly string[]): never {
  throw new InputError({ what: `npm run learn does not know "${words.join(" ")}".`, cure: USAGE });
}

/** The exercise that is named, else the next one. @throws InputError where all are passed and none is named */
function chosen(course: LearnCourse, id: string | undefined): CourseExercise {
  const exercise = id === undefined ? course.next : course.named(id);
  if (exercise !== null) return exercise;
  throw new InputError({ what: "All exercises are passed.", cure: "Name one, such as lab-28." });
}

async function checkOnce(course: LearnCourse, exercises: readonly CourseExercise[], io: LearnIo): Promise<number> {
  let code: number = EXIT.all;
  for (const exercise of exercises) {
    course.work.begin(exercise);
    const path = course.work.pathOf(exercise.id);
    const grade = await startGrade({ exercise: exercise.id, path, seed: "new", draws: DRAWS_ALONE }).grade;
    course.graded(exercise, grade);
    io.write(gradeText(exercise.spec, grade, io.width(), "brief"));
    if (exitCodeOf(grade) !== EXIT.all) code = EXIT.some;
  }
  return code;
}

function check(course: LearnCourse, words: readonly string[], io: LearnIo): Promise<number> {
  const [id, ...others] = words;
  if (others.length > 0) refuseWords(["check", ...words]);
  if (id !== "all") return checkOnce(course, [chosen(course, id)], io);
  const begun = course.exercises.filter((each) => existsSync(course.work.pathOf(each.id)));
  if (begun.length === 0) io.write("No exercise is begun yet.\n");
  return checkOnce(course, begun, io);
}

function hint(course: LearnCourse, words: readonly string[], io: LearnIo): number {
  const level = words.find((word) => /^-?\d+$/.test(word));
  const [id, ...others] = words.filter((word) => word !== level);
  if (others.length > 0) refuseWords(["hint", ...words]);
  const exercise = chosen(course, id);
  const { shown, count } = course.hints(exercise, level === undefined ? undefined : Number(level));
  io.write(hintText(exercise, shown, count, io.width()));
  return EXIT.all;
}

const scoresIn = ({ out }: LearnIo): string => join(out, "scoreboard/scores.json");

async function scoreboard(course: LearnCourse, file: string | undefined, last: number, io: LearnIo): Promise<number> {
  const path = file === undefined ? course.work.foundPath("capstone") : io.file(file);
  const ids = course.exercises.map(({ id }) => id);
  const { id, spec, version } = course.named(exerciseOfFile(path, ids));
  const onGrade = (done: number, all: number): void => io.error(`Grading try ${done + 1} of ${all} ...\n`);
  const board = await scoreboardOf({ spec, version, path, cache: scoresIn(io), mostCommits: last, onGrade });
  io.write(scoreboardText(board, io.width()));
  const figure = scoreboardFigure(board);
  if (figure === null) return EXIT.all;
  const picture = join(io.out, `scoreboard/${id}.svg`);
  mkdirSync(join(io.out, "scoreboard"), { recursive: true });
  replaceFile(picture, toSvg(figure));
  io.write(`The shares as a picture: ${shownPath(picture)}\n`);
  return EXIT.all;
}

/** Runs until the learner ends it. */
async function watched(course: LearnCourse, io: LearnIo): Promise<number> {
  const session = new LearnSession({
    course,
    write: io.write,
    width: io.width,
    grade: ({ id }, path) => startGrade({ exercise: id, path, seed: "new", draws: DRAWS_ALONE }),
    end: () => endText(course, io.width(), scoresIn(io)),
  });
  // Each event waits for none before: a save ends the check that is going on.
  return new Promise<number>((done, failed) => {
    let stopWatching = (): void => {};
    const stopKeys = io.keys.listen((key) => {
      session.key(key).then((goesOn) => (goesOn ? undefined : end()), fail);
    });
    const end = (): void => {
      stopKeys();
      stopWatching();
      session.stop();
      done(EXIT.all);
    };
    const fail = (problem: unknown): void => {
      end();
      failed(problem);
    };
    session.start().catch(fail);
    stopWatching = watchFolder(course.work.folder, () => {
      session.saved().catch(fail);
    });
  });
}

async function learnNext(course: LearnCourse, watch: boolean, io: LearnIo): Promise<number> {
  if (watch) return watched(course, io);
  const { next } = course;
  if (next !== null) {
    if (course.work.begin(next)) io.write(`Made ${shownPath(course.work.pathOf(next.id))}.\n`);
    const code = await checkOnce(course, [next], io);
    const after = course.openAfter(next);
    const more = after === null ? "npm run learn shows the end." : `npm run learn goes on with ${after.id}.`;
    io.write(`${code === EXIT.all ? more : "npm run learn -- hint gives a hint."}\n`);
    return code;
  }
  io.write(await endText(course, io.width(), scoresIn(io)));
  return EXIT.all;
}

async function run({ words, watch, work, last, language }: Options, io: LearnIo): Promise<number> {
  const course = new LearnCourse(work, language);
  const [word, ...rest] = words;
  if (word === "check") return check(course, rest, io);
  if (word === "scoreboard" && rest.length <= 1) return scoreboard(course, rest[0], last, io);
  if (word === "hint") return hint(course, rest, io);
  if (word === "list" && rest.length === 0) {
    io.write(listText(course, io.width()));
    return EXIT.all;
  }
  if (word === "reset" && rest.length <= 1) {
    const exercise = chosen(course, rest[0]);
    io.write(`${wrap(resetText(exercise, course.work.reset(exercise)), io.width()).join("\n")}\n`);
    return EXIT.all;
  }
  if (rest.length > 0) refuseWords(words);
  if (word !== undefined) course.goTo(course.named(word));
  return learnNext(course, watch, io);
}

/** @returns the exit code: 0 for a passed exercise, 1 for one that is not, 2 for a wrong command. */
export async function runLearn(args: readonly string[], io: LearnIo): Promise<number> {
  try {
    const options = readOptions(args, io);
    if (options !== null) return await run(options, io);
    io.write(`${USAGE}\nKeys: ${KEYS_TEXT}\n`);
    return EXIT.all;
  } catch (problem) {
    io.error(usageRefusal(problem, USAGE));
    return EXIT.refused;
  }
}
