/** Problems that the user of a command has caused. */
import { InputError } from "../../core/base/errors.js";

/** An InputError, or an option that `parseArgs` refuses. */
function isUsageProblem(problem: unknown): problem is Error {
  const code = problem instanceof Error && "code" in problem ? String(problem.code) : "";
  return problem instanceof InputError || code.startsWith("ERR_PARSE_ARGS");
}

/** The text for such a problem, an option's with the usage. Throws any other one on. */
export function usageRefusal(problem: unknown, usage: string): string {
  if (!isUsageProblem(problem)) throw problem;
  return `${problem.message}${problem instanceof InputError ? "" : `\n${usage}`}\n`;
}
