/** `npm run bench`: prepares a fresh clone, then measures what the simulator costs here (command.ts). */

import { createProgress } from "../../node/progress.mjs";
import { prepare, runCommand } from "../../node/setup/prepare.mjs";

await runCommand(async () => {
  const error = (text) => process.stderr.write(text);
  await prepare(createProgress(error));
  const { runBench } = await import("../../dist/tools/bench/command.js");
  process.exitCode = runBench(process.argv.slice(2), { out: (text) => process.stdout.write(text), error });
});
