/** `npm run grade`: prepares a fresh clone, then grades a submission (grade-command.ts). Only the grade goes to stdout. */
import { createProgress } from "../progress.mjs";
import { prepare, runCommand, terminalWidth, userPath } from "../setup/prepare.mjs";

await runCommand(async () => {
  const error = (text) => process.stderr.write(text);
  await prepare(createProgress(error));
  const { runGrade } = await import("../../dist/node/commands/grade-command.js");
  process.exitCode = await runGrade(process.argv.slice(2), {
    out: (text) => process.stdout.write(text),
    error,
    width: terminalWidth(),
    file: (path) => userPath(path, "grade"),
  });
});
