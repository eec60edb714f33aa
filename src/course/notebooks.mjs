/** `npm run notebooks`: prepares a fresh clone, then runs the notebooks and keeps their outputs (notebooks-cli.ts). */
import { join } from "node:path";
import { prepare, root, runCommand } from "./prepare.mjs";
import { createProgress } from "./progress.mjs";

await runCommand(async () => {
  const progress = createProgress();
  await prepare(progress);
  const { runNotebooks } = await import("../dist/course/notebooks-cli.js");
  process.exitCode = await runNotebooks(join(root, "notebooks"), process.argv.slice(2), progress);
});
