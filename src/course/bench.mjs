/** `npm run bench`: prepares a fresh clone, then measures what the simulator costs here (bench-cli.ts). */
import { prepare, runCommand } from "./prepare.mjs";
import { createProgress } from "./progress.mjs";

await runCommand(async () => {
  const error = (text) => process.stderr.write(text);
  await prepare(createProgress(error));
  const { runBench } = await import("../dist/course/bench-cli.js");
  process.exitCode = runBench(process.argv.slice(2), { out: (text) => process.stdout.write(text), error });
});
