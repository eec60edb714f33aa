/** `npm run tables`: prepares a fresh clone, then prints the tables (tables-command.ts). Only they go to stdout. */

import { createProgress } from "../progress.mjs";
import { prepare, runCommand } from "./prepare.mjs";

await runCommand(async () => {
  const error = (text) => process.stderr.write(text);
  await prepare(createProgress(error));
  const { runTables } = await import("../../dist/course/commands/tables-command.js");
  process.exitCode = runTables(process.argv.slice(2), { out: (text) => process.stdout.write(text), error });
});
