/** `npm run notebooks`: prepares a fresh clone, then runs the notebooks and keeps their outputs (notebooks.ts). */
import { join } from "node:path";
import { createProgress } from "../progress.mjs";
import { prepare, root, runCommand } from "../setup/prepare.mjs";

await runCommand(async () => {
  const progress = createProgress();
  await prepare(progress);
  const { runNotebooks } = await import("../../dist/node/commands/notebooks.js");
  process.exitCode = await runNotebooks(join(root, "notebooks"), process.argv.slice(2), progress);
});
