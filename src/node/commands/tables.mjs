/** `npm run tables`: prepares a fresh clone, then prints the tables (tables-command.ts). Only they go to stdout. */

import { createProgress } from "../progress.mjs";
import { prepare, runCommand, userPath } from "../setup/prepare.mjs";

/** The words of the command line, with a device file's path as its user means it. */
function words() {
  const args = process.argv.slice(2);
  const placed = (ids) => ids.replaceAll(/[^,=]+\.json(?=,|$)/gi, (path) => userPath(path.trim(), "tables"));
  return args.map((arg, index) => (args[index - 1] === "--device" || arg.startsWith("--device=") ? placed(arg) : arg));
}

await runCommand(async () => {
  const error = (text) => process.stderr.write(text);
  await prepare(createProgress(error));
  if (process.argv.includes("--help")) {
    // Without the simulator, which takes longer to load than the usage to read.
    const { TABLES_USAGE } = await import("../../dist/node/tables/tables-options.js");
    process.stdout.write(`${TABLES_USAGE}\n`);
    return;
  }
  const { runTables } = await import("../../dist/node/commands/tables-command.js");
  const out = (text) => process.stdout.write(text);
  process.exitCode = runTables(words(), { out, error, columns: process.stdout.columns });
});
