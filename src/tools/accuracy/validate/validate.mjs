/**
 * `npm run validate`: prepares a fresh clone, then compares the model with the measured and published tables
 * (command.ts). Only the errors, or the JSON, go to stdout.
 */

import { createProgress } from "../../../node/progress.mjs";
import { prepare, runCommand } from "../../../node/setup/prepare.mjs";

await runCommand(async () => {
  const error = (text) => process.stderr.write(text);
  const progress = createProgress(error);
  await prepare(progress);
  const { runValidation } = await import("../../../dist/tools/accuracy/validate/command.js");
  const { measuredKernels } = await import("../../../dist/tools/accuracy/measured-kernels.js");
  process.exitCode = await runValidation(process.argv.slice(2), measuredKernels(), {
    out: (text) => process.stdout.write(text),
    error,
    progress,
  });
});
