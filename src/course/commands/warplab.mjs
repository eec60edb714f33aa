#!/usr/bin/env node
/** `npx warplab nvprof ...`: the profiler's commands. Prepares a fresh clone first. */
import { createProgress } from "../progress.mjs";
import { prepare, runCommand } from "./prepare.mjs";

const USAGE = "npx warplab nvprof [options] FILE    (npx warplab nvprof --help tells all)";

await runCommand(async () => {
  const [command, ...args] = process.argv.slice(2);
  if (command !== "nvprof") {
    process.stderr.write(`${USAGE}\n`);
    process.exitCode = command === "--help" ? 0 : 2;
    return;
  }
  await prepare(createProgress((text) => process.stderr.write(text)));
  const { runNvprof } = await import("../../dist/course/commands/nvprof-command.js");
  // A notebook may leave timers behind.
  process.exit(await runNvprof(args));
});
