/**
 * `npm run fuzz -- --minutes 10 --capability all`: random kernels on every compute capability, in both engines, against
 * a direct interpretation of their text. A kernel that fails is cut down and written to out/fuzz; the first seed is
 * printed, and `--seed` replays it.
 */
import { fork } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createProgress } from "../../../src/node/progress.mjs";
import { PreparationError, prepare, root, runCommand } from "../../../src/node/setup/prepare.mjs";

const USAGE = `npm run fuzz -- [options]
  --minutes 10       how long
  --kernels N        at most N kernels for each capability and process
  --capability all   or one of 2.0 3.5 6.0 7.0 7.5 8.0 8.6 8.9 9.0
  --seed N           the first seed; drawn from the time unless given
  --verify-each      tries each kernel behind each pass, too: slower
  --workers N        processes; as many as cores unless given
  --coverage         prints what the kernels reach instead: shapes of data flow by loops, operations by types;
                     of --kernels N (10000 unless given) from --seed N (1 unless given) on; --json as data`;

function optionsOf(args) {
  const text = { type: "string" };
  const { values } = parseArgs({
    args,
    options: {
      minutes: text,
      kernels: text,
      capability: text,
      seed: text,
      workers: text,
      "verify-each": { type: "boolean" },
      coverage: { type: "boolean" },
      json: { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  const whole = (name, fallback) => {
    const value = values[name] === undefined ? fallback : Number(values[name]);
    if (value !== null && !(value > 0 && (name === "minutes" || Number.isSafeInteger(value)))) {
      throw new PreparationError(`--${name} ${values[name]} is no positive number.\n${USAGE}`);
    }
    return value;
  };
  const capability = values.capability ?? "all";
  if (!["all", "2.0", "3.5", "6.0", "7.0", "7.5", "8.0", "8.6", "8.9", "9.0"].includes(capability)) {
    throw new PreparationError(`There is no capability ${capability} here.\n${USAGE}`);
  }
  return {
    help: values.help === true,
    coverage: values.coverage === true,
    json: values.json === true,
    minutes: whole("minutes", 10),
    kernels: whole("kernels", null),
    seed: whole("seed", values.coverage === true ? 1 : (Date.now() % 1_000_000_000) + 1),
    workers: whole("workers", availableParallelism()),
    capability,
    verifyEach: values["verify-each"] === true,
  };
}

/** Prints the tables; gives the exit code. */
function coverage({ kernels, seed, json }) {
  const task = JSON.stringify({ kernels: kernels ?? 10_000, seed, json });
  const child = fork(join(root, "test/run.mjs"), ["test/random/fuzz/coverage.ts", task], { cwd: root });
  return new Promise((done, failed) => {
    child.on("error", failed);
    child.on("exit", (code) => done(code ?? 1));
  });
}

await runCommand(async () => {
  let options;
  try {
    options = optionsOf(process.argv.slice(2));
  } catch (error) {
    throw error instanceof PreparationError ? error : new PreparationError(`${error.message}\n${USAGE}`);
  }
  if (options.help) {
    console.log(USAGE);
    return;
  }
  const progress = createProgress();
  await prepare(progress);
  if (options.coverage) {
    process.exitCode = await coverage(options);
    return;
  }
  const { seed, minutes, workers, capability, kernels, verifyEach } = options;
  const counts = new Map();
  const failures = [];
  const folder = join(root, "out/fuzz");
  const summary = () => [...counts].map(([name, number]) => `${name}: ${number}`).join("  ");
  const take = (message) => {
    if (message.kind === "count") {
      counts.set(message.capability, (counts.get(message.capability) ?? 0) + message.kernels);
      return;
    }
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `${message.capability.replaceAll(",", "-")}-seed-${message.seed}.txt`);
    writeFileSync(file, `${message.text}\n`);
    failures.push(file);
    progress.say(`A kernel for ${message.capability} fails at seed ${message.seed}: ${file}`);
  };
  progress.say(`First seed ${seed}, ${workers} processes, ${minutes} minutes, capability ${capability}.`);
  const children = [];
  const stop = () => {
    for (const child of children) child.kill();
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  const run = (index) =>
    new Promise((done, failed) => {
      const task = JSON.stringify({ first: seed + index, step: workers, minutes, kernels, capability, verifyEach });
      const child = fork(join(root, "test/run.mjs"), ["test/random/fuzz/slice.ts", task], { cwd: root });
      children.push(child);
      child.on("message", take);
      child.on("error", failed);
      child.on("exit", (code, signal) =>
        code === 0 ? done() : failed(new PreparationError(`A process of the fuzzing ended with ${signal ?? code}.`)),
      );
    });
  try {
    const all = Promise.all(Array.from({ length: workers }, (_, index) => run(index)));
    const tell = setInterval(() => progress.say(`  ${summary() || "starting"}`), 10_000);
    await all.finally(() => clearInterval(tell));
  } finally {
    stop();
  }
  progress.say(`Kernels tried: ${summary()}`);
  progress.say(failures.length === 0 ? "None failed." : `${failures.length} failed:\n${failures.join("\n")}`);
  if (failures.length > 0) process.exitCode = 1;
});
