/** Grades a submission in a process with limits. */
import type { Grade, GradeRequest } from "./grade.js";
import { GRADE_LIMITS, type Limits, startLimited } from "./limited-child.js";

export interface RunningGrade {
  readonly grade: Promise<Grade>;
  /** Ends it; `grade` resolves to "stopped". */
  readonly cancel: () => void;
}

/** Starts the grading. `grade` rejects only where no process can be started. */
export function startGrade(request: GradeRequest, limits: Limits = GRADE_LIMITS): RunningGrade {
  const { output, cancel } = startLimited("node/grade/grade-child.js", request, limits);
  return {
    grade: output.then((result) => (typeof result === "string" ? (JSON.parse(result) as Grade) : result)),
    cancel,
  };
}
