/** `npm run calibrate`: prepares a fresh clone, then runs the microbenchmarks (command.ts). */
import { prepare, runCommand } from "../../../node/commands/prepare.mjs";
import { createProgress } from "../../../node/progress.mjs";

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
