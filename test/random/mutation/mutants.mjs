/**
 * `npm run mutants -- --seed 7 --mutants 200`: small changes of the compiler, each of which the random kernels or the
 * code of known kernels should find. The table and the survivors are written to out/mutants.md.
 */
import { fork } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createProgress } from "../../../src/node/progress.mjs";
import { PreparationError, prepare, root, runCommand } from "../../../src/node/setup/prepare.mjs";

const USAGE = `npm run mutants -- [options]
  --mutants 200              how many changes are tried
  --seed N                   draws them; drawn from the time unless given
  --seconds-per-mutant 5     the processor's time for each
  --kernels 150              random kernels that each may be tried on`;

function optionsOf(args) {
  const text = { type: "string" };
  const options = { mutants: text, seed: text, "seconds-per-mutant": text, kernels: text, help: { type: "boolean" } };
  const { values } = parseArgs({ args, options });
  const whole = (name, fallback) => {
    const value = Number(values[name] ?? fallback);
    if (Number.isSafeInteger(value) && value > 0) return value;
    throw new PreparationError(`--${name} ${values[name]} is no positive whole number.\n${USAGE}`);
  };
  return {
    help: values.help === true,
    mutants: whole("mutants", 200),
    seed: whole("seed", (Date.now() % 1_000_000_000) + 1),
    seconds: whole("seconds-per-mutant", 5),
    kernels: whole("kernels", 150),
  };
}

await runCommand(async () => {
  let options;
  try {
    options = optionsOf(process.argv.slice(2));
  } catch (error) {
    throw error instanceof PreparationError ? error : new PreparationError(`${error.message}\n${USAGE}`);
  }
  const { help, ...asked } = options;
  if (help) {
    console.log(USAGE);
    return;
  }
  await prepare(createProgress());
  mkdirSync(join(root, "out"), { recursive: true });
  const task = JSON.stringify({ root, out: join(root, "out/mutants.md"), ...asked });
  const child = fork(join(root, "test/run.mjs"), ["test/random/mutation/run-mutants.ts", task], { cwd: root });
  const stop = () => child.kill();
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  const code = await new Promise((done) => child.once("exit", done));
  if (code !== 0) throw new PreparationError(`The process of the mutants ended with ${code}.`);
});
