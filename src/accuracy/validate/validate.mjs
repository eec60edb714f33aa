/**
 * `npm run validate`: prepares a fresh clone, then compares the model with the measured and published tables
 * (command.ts). Only the errors, or the JSON, go to stdout.
 */
import { prepare, runCommand } from "../../course/commands/prepare.mjs";
import { createProgress } from "../../course/progress.mjs";

await runCommand(async () => {
  const error = (text) => process.stderr.write(text);
  const progress = createProgress(error);
  await prepare(progress);
  const { runValidation } = await import("../../dist/accuracy/validate/command.js");
  const { measuredKernels } = await import("../../dist/accuracy/measured-kernels.js");
  process.exitCode = await runValidation(process.argv.slice(2), measuredKernels(), {
    out: (text) => process.stdout.write(text),
    error,
    progress,
  });
});
