/** `npm run grade -- lab-28 my-kernel.ts`: the points of a submission, with the reason of each. */
import "../files-on-disk.js";
import "../platform.js";
import { parseArgs } from "node:util";
import { InputError } from "../../core/base/errors.js";
import { exercise, exerciseIds, isExercisePath } from "../../course/exercises/exercise.js";
import type { ExerciseSpec } from "../../course/exercises/spec.js";
import { DRAWS_ALONE, type GradeRequest } from "../grade/grade.js";
import { startGrade } from "../grade/grade-run.js";
import { GRADE_LIMITS, type Limits } from "../grade/limited-child.js";
import { EXIT, exercismResult, exitCodeOf, gradeText } from "../grade/report.js";
import { usageRefusal } from "../grade/usage-problem.js";
import { wholeNumber } from "../grade/whole-number.js";

const USAGE = `npm run grade -- EXERCISE FILE
  EXERCISE      such as lab-28, or the folder of one of your own, such as ./my-exercise
  FILE          a .ts file whose kernel is const answer, a .cu file whose
                kernel is answer, or a notebook (.ipynb)
  --json        Exercism's results.json on stdout
  --seed 1      repeats a grade; else the text itself draws three times
  --time 120    seconds after which the check is ended
  --memory 1024 MiB that it may take
  --class DIR   grades a folder of submissions instead;
                --class . --help tells all
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
  const { timeMs, memoryBytes } = GRADE_LIMITS;
  const seconds = wholeNumber("time", values.time, timeMs / 1000, { least: 1, most: MOST_SECONDS });
  const name = isExercisePath(id) ? file(id) : id;
  return {
    request: {
      exercise: name,
      path: file(path),
      seed: wholeNumber("seed", values.seed, "text" as const, { least: 0 }),
      draws: DRAWS_ALONE,
    },
    spec: exercise(name),
    json: values.json === true,
    limits: {
      timeMs: seconds * 1000,
      memoryBytes: wholeNumber("memory", values.memory, memoryBytes / 2 ** 20, { least: 256 }) * 2 ** 20,
    },
  };
}

/** @returns the exit code: 0 for all points, 1 for fewer, 2 for a file that cannot be graded or wrong options. */
export async function runGrade(args: readonly string[], { out, error, width, file }: CommandOutput): Promise<number> {
  if (args.some((arg) => arg === "--class" || arg.startsWith("--class="))) {
    // A grade of one file does without its modules, whose loading takes as long as a part of the checks.
    const { runClass } = await import("../class/class-command.js");
    return runClass(args, { out, error, file });
  }
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
