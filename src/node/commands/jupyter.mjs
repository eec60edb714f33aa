/** `npm run jupyter`: opens notebooks/ in Jupyter with the project's own kernel, where Jupyter is installed. */
import { spawn, spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { createProgress } from "../progress.mjs";
import { prepare, root, runCommand } from "../setup/prepare.mjs";

const HOW_TO_GET_IT = `Jupyter is not installed (there is no "jupyter notebook" nor "jupyter lab" on the PATH). Get one of:
  Debian, Ubuntu   sudo apt-get install jupyter-notebook
  any system       pip install notebook
  VS Code          open notebooks/ with its Jupyter extension; set JUPYTER_PATH to src/node/jupyter first
Or do without: "npm start" runs all notebooks with Node alone and shows them as web pages.`;

const answers = (application) => spawnSync("jupyter", [application, "--version"], { stdio: "ignore" }).status === 0;

await runCommand(async () => {
  const application = ["notebook", "lab"].find(answers);
  if (application === undefined) {
    console.error(HOW_TO_GET_IT);
    process.exitCode = 1;
    return;
  }
  await prepare(createProgress());
  const kernels = [join(root, "src/node/jupyter"), process.env.JUPYTER_PATH].filter(Boolean).join(delimiter);
  const jupyter = spawn("jupyter", [application, join(root, "notebooks"), ...process.argv.slice(2)], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, JUPYTER_PATH: kernels },
  });
  // Ctrl+C at a terminal reaches Jupyter too, which asks before it ends; this process waits for its answer.
  process.on("SIGINT", () => process.stdin.isTTY || jupyter.kill("SIGINT"));
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => jupyter.kill(signal));
  process.exitCode = await new Promise((done, failed) => {
    jupyter.on("error", failed);
    jupyter.on("exit", (code) => done(code ?? 1));
  });
});
