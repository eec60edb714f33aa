/** `npm test`: prepares a fresh clone, then runs vitest with the arguments given (`npm test -- test/base`). */
import { spawn } from "node:child_process";
import { createProgress } from "../progress.mjs";
import { prepare, root, runCommand } from "./prepare.mjs";

await runCommand(async () => {
  await prepare(createProgress());
  const vitest = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...process.argv.slice(2)], {
    cwd: root,
    env: { ...process.env, WARPLAB_PREPARED: "yes" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => vitest.kill(signal));
  process.exitCode = await new Promise((done, failed) => {
    vitest.on("error", failed);
    vitest.on("close", (code) => done(code ?? 1));
  });
});
