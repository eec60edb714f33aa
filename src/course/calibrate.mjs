/** `npm run calibrate`: prepares a fresh clone, then runs the microbenchmarks (calibrate-cli.ts). */
import { prepare, runCommand } from "./prepare.mjs";
import { createProgress } from "./progress.mjs";

await runCommand(async () => {
  const error = (text) => process.stderr.write(text);
  const progress = createProgress(error);
  await prepare(progress);
  const { runCalibration } = await import("../dist/course/calibrate-cli.js");
  process.exitCode = await runCalibration(process.argv.slice(2), {
    out: (text) => process.stdout.write(text),
    error,
    progress,
  });
});
