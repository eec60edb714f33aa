#!/usr/bin/env node
/** `npx warplab run ...`, `npx warplab nvprof ...` and `npx warplab sanitize ...`. Prepares a fresh clone first. */
import { createProgress } from "../progress.mjs";
import { prepare, runCommand } from "./prepare.mjs";

const USAGE = `npx warplab run [options] FILE.cu      compiles and runs a CUDA program
npx warplab nvprof [options] FILE      nvprof's report on a program's launches
npx warplab sanitize [options] FILE    compute-sanitizer's report
--help after either tells all`;

const COMMANDS = {
  run: async (args) => (await import("../../dist/node/commands/program/run-command.js")).runCudaProgram(args),
  nvprof: async (args) => (await import("../../dist/node/commands/nvprof-command.js")).runNvprof(args),
  sanitize: async (args) => (await import("../../dist/node/commands/sanitize-command.js")).runSanitize(args),
};

await runCommand(async () => {
  const [command, ...args] = process.argv.slice(2);
  const run = Object.hasOwn(COMMANDS, command ?? "") ? COMMANDS[command] : undefined;
  if (run === undefined) {
    process.stderr.write(`${USAGE}\n`);
    process.exitCode = command === "--help" ? 0 : 2;
    return;
  }
  await prepare(createProgress((text) => process.stderr.write(text)));
  // A notebook may leave timers behind.
  process.exit(await run(args));
});
