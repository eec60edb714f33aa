/**
 * `npm run validate`: prepares a fresh clone, compiles the reader of CUDA text that the tests have, and compares the
 * model with the measured and published tables (validate-cli.ts). Only the errors, or the JSON, go to stdout.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { measuredKernels } from "./measured-texts.mjs";
import { PreparationError, prepare, root, runCommand } from "./prepare.mjs";
import { createProgress } from "./progress.mjs";

async function cudaReader() {
  const compiler = ["node_modules/typescript/bin/tsc", "-p", "test/lower/cuda-text.tsconfig.json"];
  const { status, stdout } = spawnSync(process.execPath, compiler, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new PreparationError(`test/lower/cuda-text.ts does not compile:\n${stdout}`);
  const { readCuda } = await import(pathToFileURL(join(root, ".cache/cuda-text/test/lower/cuda-text.js")).href);
  return readCuda;
}

await runCommand(async () => {
  const error = (text) => process.stderr.write(text);
  const progress = createProgress(error);
  await prepare(progress);
  const { runValidation } = await import("../dist/course/validate-cli.js");
  process.exitCode = await runValidation(process.argv.slice(2), measuredKernels(await cudaReader()), {
    out: (text) => process.stdout.write(text),
    error,
    progress,
  });
});
