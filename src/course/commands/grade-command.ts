/** `npm run grade -- lab-28 my-kernel.ts`: the points of a submission, with the reason of each. */
import { parseArgs } from "node:util";
import { InputError } from "../../base/errors.js";
import { exercise, exerciseIds, isExercisePath } from "../exercises/exercise-files.js";
import type { ExerciseSpec } from "../exercises/spec.js";
import type { GradeRequest } from "../grade/grade.js";
import { startGrade } from "../grade/grade-run.js";
import { GRADE_LIMITS, type Limits } from "../grade/limited-child.js";
import { EXIT, exercismResult, exitCodeOf, gradeText } from "../grade/report.js";
import { usageRefusal } from "../grade/usage-problem.js";

const USAGE = `npm run grade -- EXERCISE FILE
  EXERCISE      such as lab-28, or the folder of one of your own, such as ./my-exercise
  FILE          a .ts file whose kernel is const answer, or a notebook (.ipynb)
  --json        Exercism's results.json on stdout
  --seed 1      repeats a grade; else the text itself draws sizes and data
  --time 120    seconds after which the check is ended
  --memory 1024 MiB that it may take
The file is read and its kernel compiled; its text is never run.
Exit code: 0 all points, 1 not all, 2 the file cannot be graded.`;

export interface CommandOutput {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  /** Columns of the terminal. */
  readonly width: number;
  /** The full path of a file that the user names. */
  readonly file: (path: string) => string;
}

interface Options {
  readonly request: GradeRequest;
  readonly spec: ExerciseSpec;
  readonly json: boolean;
  readonly limits: Limits;
}

function refuse(what: string): never {
  throw new InputError({ what, cure: USAGE });
}

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isSafeInteger(value) || value < least) {
    return refuse(`--${name} ${text}: give a whole number from ${least} on.`);
  }
  return value;
}

/** The longest time that a timer holds, in seconds. */
const MOST_SECONDS = 2_000_000;

/** null where the usage is asked for. */
function readOptions(args: readonly string[], file: CommandOutput["file"]): Options | null {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: "boolean" },
      seed: { type: "string" },
      time: { type: "string" },
      memory: { type: "string" },
      help: { type: "boolean" },
    },
  });
  if (values.help === true) return null;
  const [id, path, ...others] = positionals;
  if (id === undefined || path === undefined || others.length > 0) {
    return refuse(`Name an exercise and one file. Exercises: ${exerciseIds().join(", ")}.`);
  }
  const { time, memory } = values;
  const seconds = time === undefined ? null : wholeNumber("time", time, 1);
  if (seconds !== null && seconds > MOST_SECONDS) refuse(`--time ${time}: give at most ${MOST_SECONDS} seconds.`);
  const name = isExercisePath(id) ? file(id) : id;
  return {
    request: {
      exercise: name,
      path: file(path),
      seed: values.seed === undefined ? "text" : wholeNumber("seed", values.seed, 0),
    },
    spec: exercise(name),
    json: values.json === true,
    limits: {
      timeMs: seconds === null ? GRADE_LIMITS.timeMs : seconds * 1000,
      memoryBytes: memory === undefined ? GRADE_LIMITS.memoryBytes : wholeNumber("memory", memory, 256) * 2 ** 20,
    },
  };
}

/** @returns the exit code: 0 for all points, 1 for fewer, 2 for a file that cannot be graded or wrong options. */
export async function runGrade(args: readonly string[], { out, error, width, file }: CommandOutput): Promise<number> {
  let options: Options | null;
  try {
    options = readOptions(args, file);
  } catch (problem) {
    error(usageRefusal(problem, USAGE));
    return EXIT.refused;
  }
  if (options === null) {
    out(`${USAGE}\n`);
    return EXIT.all;
  }
  const { request, spec, json, limits } = options;
  const grade = await startGrade(request, limits).grade;
  out(json ? `${JSON.stringify(exercismResult(spec, grade), null, 2)}\n` : gradeText(spec, grade, width));
  return exitCodeOf(grade);
}
