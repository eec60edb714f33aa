#!/usr/bin/env node
/** `npx warplab run ...`, `nvprof`, `sanitize`, `what-if`, and the commands of a GPU of one's own. Prepares a fresh clone first. */
import { writeSync } from "node:fs";
import { createProgress } from "../progress.mjs";
import { prepare, runCommand } from "../setup/prepare.mjs";

const USAGE = `npx warplab run [options] FILE.cu      compiles and runs a CUDA program
npx warplab nvprof [options] FILE      nvprof's report on a program's launches
npx warplab sanitize [options] FILE    compute-sanitizer's report
npx warplab what-if [options] FILE     the launches on a GPU and on variants of it
npx warplab measure [FILE]             writes the CUDA program that measures a GPU
npx warplab device OUTPUT              makes a device file of what that program printed
npx warplab predict --device GPU       times of the course's kernels on a GPU
--help after either tells all`;

const OUTPUT = { out: (text) => writeSync(1, text), error: (text) => writeSync(2, text) };

const ownGpu = async (run, args) => (await import("../../dist/tools/device/command.js"))[run](args, OUTPUT);

const COMMANDS = {
  run: async (args) => (await import("../../dist/node/commands/program/run-command.js")).runCudaProgram(args),
  nvprof: async (args) => (await import("../../dist/node/commands/nvprof-command.js")).runNvprof(args),
  sanitize: async (args) => (await import("../../dist/node/commands/sanitize-command.js")).runSanitize(args),
  "what-if": async (args) => (await import("../../dist/node/commands/what-if/what-if-command.js")).runWhatIf(args),
  measure: (args) => ownGpu("runMeasure", args),
  device: (args) => ownGpu("runDevice", args),
  predict: (args) => ownGpu("runPredict", args),
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
