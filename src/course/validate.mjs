/**
 * `npm run validate`: prepares a fresh clone, compiles the reader of CUDA text that the tests have, and compares the
 * model with the measured and published tables (validate-cli.ts). Only the errors, or the JSON, go to stdout.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PreparationError, prepare, root, runCommand } from "./prepare.mjs";
import { createProgress } from "./progress.mjs";

/** The kernels measured in CUDA C++, from the very texts that were measured. */
async function readProbes() {
  const compiler = ["node_modules/typescript/bin/tsc", "-p", "test/lower/cuda-text.tsconfig.json"];
  const { status, stdout } = spawnSync(process.execPath, compiler, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new PreparationError(`test/lower/cuda-text.ts does not compile:\n${stdout}`);
  const { readCuda } = await import(pathToFileURL(join(root, ".cache/cuda-text/test/lower/cuda-text.js")).href);
  return new Map(
    [
      "probes/probes.cu",
      "holdout/holdout.cu",
      "holdout-2/textbook.cu",
      "holdout-3/judge.cu",
      "holdout-4/census.cu",
      "holdout-5/roster.cu",
      "holdout-6/sweep.cu",
      "holdout-7/sizes.cu",
      "holdout-8/examined.cu",
      "holdout-9/forms.cu",
      "holdout-10/plain.cu",
      "holdout-11/lessons.cu",
      "holdout-12/primer.cu",
      "holdout-13/shelf.cu",
      "holdout-14/atelier.cu",
      "holdout-15/workshop.cu",
      "holdout-16/bazaar.cu",
      "holdout-17/language.cu",
      "uneven/uneven.cu",
      "published-cuda/nvbench.cu",
      "published-cuda/doubles.cu",
      "published-cuda/notes.cu",
    ].flatMap((file) => [...readCuda(readFileSync(join(root, "test/reference", file), "utf8"), file)]),
  );
}

await runCommand(async () => {
  const error = (text) => process.stderr.write(text);
  await prepare(createProgress(error));
  const { runValidation } = await import("../dist/course/validate-cli.js");
  const probes = await readProbes();
  process.exitCode = runValidation(process.argv.slice(2), probes, { out: (text) => process.stdout.write(text), error });
});
