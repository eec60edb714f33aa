/** Grades a submission in a child process that is ended from outside where it takes too long. */
import { spawn } from "node:child_process";
import { compiledProgram } from "../course-root.js";
import type { Grade, GradeRequest } from "./grade.js";

export interface GradeLimits {
  readonly timeMs: number;
  readonly memoryBytes: number;
}

/** A check takes some seconds, and a slow machine with other work ten times as many. */
export const GRADE_LIMITS: GradeLimits = { timeMs: 120_000, memoryBytes: 2 ** 30 };

/** A verdict has some KiB. */
const MOST_OUTPUT_BYTES = 2 ** 20;

const MEBIBYTE = 2 ** 20;

export interface RunningGrade {
  readonly grade: Promise<Grade>;
  /** Ends the child; `grade` resolves to "stopped". */
  readonly cancel: () => void;
}

function stopped(what: string, cure: string): Grade {
  return { kind: "stopped", what, cure };
}

/** How the child has ended, where it gave no grade. */
function reasonOf(errors: string, { memoryBytes }: GradeLimits): Grade {
  if (/over memory|heap out of memory|allocation failed/i.test(errors)) {
    const what = `The check took more than ${Math.round(memoryBytes / MEBIBYTE)} MiB of memory.`;
    return stopped(what, "Take smaller arrays, fewer variables, and fewer or shorter loops.");
  }
  const last = errors.trim().split("\n").slice(-3).join("; ").slice(0, 300);
  return stopped(
    `The check has ended without a result${last === "" ? "" : `: ${last}`}.`,
    "Tell the course's authors.",
  );
}

/** Starts the grading. `grade` rejects only where no process can be started. */
export function startGrade(request: GradeRequest, limits: GradeLimits = GRADE_LIMITS): RunningGrade {
  const heap = Math.max(64, Math.floor((limits.memoryBytes * 3) / 4 / MEBIBYTE));
  const child = spawn(
    process.execPath,
    [
      `--max-old-space-size=${heap}`,
      compiledProgram("course/grade/grade-child.js"),
      JSON.stringify({ ...request, memoryBytes: limits.memoryBytes }),
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let ended: Grade | undefined;
  const end = (grade: Grade): void => {
    ended ??= grade;
    child.kill("SIGKILL");
  };
  const grade = new Promise<Grade>((done, failed) => {
    const seconds = limits.timeMs / 1000;
    const timer = setTimeout(
      () =>
        end(
          stopped(`The check took more than ${seconds} s.`, "Look for a loop that goes on much longer than it has to."),
        ),
      limits.timeMs,
    );
    let [output, errors] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
      if (output.length > MOST_OUTPUT_BYTES) end(stopped("The check put out too much.", "Shorten the kernel's lines."));
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      errors = (errors + chunk).slice(-4096);
    });
    child.on("error", failed);
    child.on("close", (code) => {
      clearTimeout(timer);
      done(ended ?? (code === 0 ? (JSON.parse(output) as Grade) : reasonOf(errors, limits)));
    });
  });
  return { grade, cancel: () => end(stopped("The check was cancelled.", "Start it again.")) };
}
