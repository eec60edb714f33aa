/** `npm run grade`: prepares a fresh clone, then grades a submission (grade-command.ts). Only the grade goes to stdout. */
import { resolve } from "node:path";
import { createProgress } from "../progress.mjs";
import { prepare, runCommand } from "./prepare.mjs";

await runCommand(async () => {
  const error = (text) => process.stderr.write(text);
  await prepare(createProgress(error));
  const { runGrade } = await import("../../dist/course/commands/grade-command.js");
  const width = Math.max(20, process.stdout.columns ?? 80);
  // npm runs scripts in the course's folder; files are named from where its user stands.
  const from = process.env.npm_lifecycle_event === "grade" ? (process.env.INIT_CWD ?? ".") : ".";
  const file = (path) => resolve(from, path);
  process.exitCode = await runGrade(process.argv.slice(2), {
    out: (text) => process.stdout.write(text),
    error,
    width,
    file,
  });
});
