/** `npm run release`: prepares a fresh clone, then writes what a teacher hands out (release-command.ts). */

import { createProgress } from "../progress.mjs";
import { prepare, runCommand, userPath } from "../setup/prepare.mjs";

await runCommand(async () => {
  await prepare(createProgress());
  const { runRelease } = await import("../../dist/node/release/release-command.js");
  process.exitCode = runRelease(process.argv.slice(2), {
    say: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
    place: (path) => userPath(path, "release"),
  });
});
