/** Problems that the user of a command has caused. */
import { InputError } from "../../base/errors.js";

/** An InputError, or an option that `parseArgs` refuses. */
export function isUsageProblem(problem: unknown): problem is Error {
  const code = problem instanceof Error && "code" in problem ? String(problem.code) : "";
  return problem instanceof InputError || code.startsWith("ERR_PARSE_ARGS");
}
