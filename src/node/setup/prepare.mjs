/**
 * Makes a fresh clone ready: installs the packages that package-lock.json asks for and compiles src into src/dist.
 * Plain JavaScript without dependencies, because it runs before anything is installed.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { childEnd, startChild } from "./children.mjs";
import { compileSources, useCompiled } from "./compiled.mjs";
import { failureText, PreparationError } from "./failure.mjs";
import { withLock } from "./lock.mjs";

export { PreparationError };

/** The folder that holds package.json. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");

/** An installed package brings what it needs, compiled. */
const IS_CLONE = existsSync(join(dirname(fileURLToPath(import.meta.url)), "../../tsconfig.json"));

/** Runs a program without stdin and resolves to its exit code and all it printed. */
async function runQuietly(command, args, endSignal = "SIGKILL") {
  const child = startChild(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"], endSignal });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk) => {
      output += chunk;
    });
  }
  const { code, signal } = await childEnd(child);
  return { code: code ?? signal, output };
}

/** The packages of a lock file that every machine must have, by path: version (links have none). */
function requiredPackages(lockPath) {
  const packages = JSON.parse(readFileSync(lockPath, "utf8")).packages;
  return Object.entries(packages).filter(([path, entry]) => path !== "" && entry.optional !== true);
}

/** Whether node_modules holds what package-lock.json asks for, by npm's own record of what it installed. */
function installed() {
  const record = join(root, "node_modules/.package-lock.json");
  if (!existsSync(record)) return false;
  const present = new Map(requiredPackages(record));
  return requiredPackages(join(root, "package-lock.json")).every(
    ([path, entry]) =>
      present.has(path) && present.get(path).version === entry.version && existsSync(join(root, path, "package.json")),
  );
}

async function install(progress) {
  // npm names its own script when it runs us; started by hand, the one on the PATH serves.
  const npm = process.env.npm_execpath;
  const [command, args] = npm?.endsWith("js") ? [process.execPath, [npm, "ci"]] : ["npm", ["ci"]];
  progress.say("Installing the packages of package-lock.json (npm ci) ...");
  const { code, output } = await progress.during("npm ci", () =>
    runQuietly(command, [...args, "--no-fund", "--no-audit"], "SIGTERM"),
  );
  if (code !== 0) {
    progress.say(output.trimEnd());
    throw new PreparationError(`npm ci ended with code ${code}: see its output above.`);
  }
}

async function compile(progress, folder) {
  progress.say("Compiling src into src/dist ...");
  const { code, output } = await progress.during("compiling", () =>
    runQuietly(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "src", "--outDir", folder]),
  );
  if (code !== 0) {
    progress.say(output.trimEnd());
    throw new PreparationError("src does not compile: see the compiler's messages above.");
  }
}

/** Installs and builds what is missing; says what it does through `progress`. */
export async function prepare(progress) {
  if (!IS_CLONE) return;
  // tslab's cells load the package, an ES module, with require().
  if (!process.features.require_module) {
    throw new PreparationError(`Node ${process.versions.node} is too old: install Node 20.19, 22.12, or a newer one.`);
  }
  const sayWaits = (what) => () => progress.say(`Another command ${what} just now; this one goes on after it.`);
  if (!installed()) {
    await withLock(
      join(root, ".cache/install.lock"),
      async () => (installed() ? undefined : install(progress)),
      sayWaits("installs packages"),
    );
  }
  await compileSources(root, (folder) => compile(progress, folder), sayWaits("compiles"));
  useCompiled(root);
}

/**
 * The full path of a file that the command's user names. npm runs scripts in the course's folder; its user stands elsewhere.
 * @param script the command's name in package.json: another script that starts it runs where it means to
 */
export function userPath(path, script) {
  const from = process.env.npm_lifecycle_event === script ? (process.env.INIT_CWD ?? ".") : ".";
  return resolve(from, path);
}

/** Columns for a command's text: those of the terminal. */
export function terminalWidth() {
  return Math.max(20, process.stdout.columns ?? 80);
}

/** A reader that has seen enough (`| head`) closes the pipe: no fault of the command. A full disk is one. */
function endWithOutput() {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error) => {
      if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
      const named = Object.assign(error, { path: error.path ?? "the command's output" });
      if (stream === process.stdout) process.stderr.write(`${failureText(named)}\n`);
      process.exit(1);
    });
  }
}

const WATCH = `
  const { workerData } = require("node:worker_threads");
  setInterval(() => {
    if (process.ppid !== workerData) process.kill(process.pid, "SIGTERM");
  }, 500);
`;

/**
 * A signal to npm ends npm and its shell, which pass it to nobody. The command learns of it when it has another parent.
 * A thread of its own looks: a command may compute for long without a pause.
 */
function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  new Worker(WATCH, { eval: true, workerData: process.ppid }).unref();
}

/** Runs a whole command; an error ends it with a sentence. */
export async function runCommand(command) {
  endWithOutput();
  endWithNpm();
  try {
    await command();
  } catch (error) {
    console.error(failureText(error));
    // A server or another notebook that goes on ends with it.
    process.exit(1);
  }
}
