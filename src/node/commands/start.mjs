/** `npm start`: prepares a fresh clone, then runs the compiled course (start.ts). */

import { createProgress } from "../progress.mjs";
import { prepare, root, runCommand } from "../setup/prepare.mjs";

await runCommand(async () => {
  const progress = createProgress();
  await prepare(progress);
  const { start } = await import("../../dist/node/commands/start.js");
  process.exitCode = await start(root, process.argv.slice(2), progress);
});
