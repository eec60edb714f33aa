/** `npm run calibrate`: prepares a fresh clone, then runs the microbenchmarks (command.ts). */

import { createProgress } from "../../../node/progress.mjs";
import { prepare, runCommand } from "../../../node/setup/prepare.mjs";

await runCommand(async () => {
  const error = (text) => process.stderr.write(text);
  const progress = createProgress(error);
  await prepare(progress);
  const { runCalibration } = await import("../../../dist/tools/accuracy/calibrate/command.js");
  process.exitCode = await runCalibration(process.argv.slice(2), {
    out: (text) => process.stdout.write(text),
    error,
    progress,
  });
});
