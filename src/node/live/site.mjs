/** `npm run site`: prepares a fresh clone, then writes the course as a folder for any static host (write-site.ts). */

import { createProgress } from "../progress.mjs";
import { prepare, root, runCommand, userPath } from "../setup/prepare.mjs";

await runCommand(async () => {
  const progress = createProgress();
  await prepare(progress);
  const { writeSite } = await import("../../dist/node/live/write-site.js");
  process.exitCode = await writeSite(root, process.argv.slice(2), (path) => userPath(path, "site"), progress);
});
