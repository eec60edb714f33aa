/** `npm run site`: prepares a fresh clone, then writes the course as a folder for any static host (site-command.ts). */
import { createProgress } from "../progress.mjs";
import { prepare, root, runCommand, userPath } from "./prepare.mjs";

await runCommand(async () => {
  const progress = createProgress();
  await prepare(progress);
  const { writeSite } = await import("../../dist/node/commands/site-command.js");
  process.exitCode = await writeSite(root, process.argv.slice(2), (path) => userPath(path, "site"), progress);
});
