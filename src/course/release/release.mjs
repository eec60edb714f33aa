/** `npm run release`: prepares a fresh clone, then writes what a teacher hands out (release-command.ts). */
import { resolve } from "node:path";
import { prepare, runCommand } from "../commands/prepare.mjs";
import { createProgress } from "../progress.mjs";

await runCommand(async () => {
  await prepare(createProgress());
  const { runRelease } = await import("../../dist/course/release/release-command.js");
  // npm runs scripts in the course's folder; folders are named from where its user stands.
  const from = process.env.npm_lifecycle_event === "release" ? (process.env.INIT_CWD ?? ".") : ".";
  process.exitCode = runRelease(process.argv.slice(2), {
    say: (text) => process.stdout.write(text),
    place: (path) => resolve(from, path),
  });
});
