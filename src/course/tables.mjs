/** `npm run tables`: prepares a fresh clone, then prints the tables (tables-cli.ts). Only they go to stdout. */
import { prepare, runCommand } from "./prepare.mjs";
import { createProgress } from "./progress.mjs";

await runCommand(async () => {
  const error = (text) => process.stderr.write(text);
  await prepare(createProgress(error));
  const { runTables } = await import("../dist/course/tables-cli.js");
  process.exitCode = runTables(process.argv.slice(2), { out: (text) => process.stdout.write(text), error });
});
