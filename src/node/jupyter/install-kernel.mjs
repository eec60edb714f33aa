/** `npm run kernel`: prepares a fresh clone, then installs the course's kernel where Jupyter finds it. */
import { parseArgs } from "node:util";
import { createProgress } from "../progress.mjs";
import { prepare, runCommand, userPath } from "../setup/prepare.mjs";

const USAGE = `npm run kernel -- [--prefix FOLDER] [--force]
  --prefix FOLDER   for the Jupyter of that environment (FOLDER/share/jupyter), not for this user
  --force           replaces a kernel of the same name that is not the course's`;

await runCommand(async () => {
  let values;
  try {
    const options = { prefix: { type: "string" }, force: { type: "boolean" }, help: { type: "boolean" } };
    ({ values } = parseArgs({ options }));
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  if (values.help === true) {
    console.log(USAGE);
    return;
  }
  await prepare(createProgress());
  const { installKernel } = await import("../../dist/node/jupyter/install-kernel.js");
  const prefix = values.prefix === undefined ? {} : { prefix: userPath(values.prefix, "kernel") };
  const { path, written } = installKernel({ ...prefix, force: values.force === true });
  console.log(`${path}: ${written ? "written" : "as it was"}. Jupyter lists it as "TypeScript (warplab)".`);
});
