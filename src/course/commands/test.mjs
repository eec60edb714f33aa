/** `npm test`: prepares a fresh clone, then runs vitest with the arguments given (`npm test -- test/base`). */
import { createProgress } from "../progress.mjs";
import { childEnd, startChild } from "../setup/children.mjs";
import { prepare, root, runCommand } from "./prepare.mjs";

await runCommand(async () => {
  await prepare(createProgress());
  const vitest = startChild(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...process.argv.slice(2)], {
    cwd: root,
    env: { ...process.env, WARPLAB_PREPARED: "yes" },
    stdio: ["ignore", "inherit", "inherit"],
    endSignal: "SIGTERM",
  });
  process.exitCode = (await childEnd(vitest)).code ?? 1;
});
