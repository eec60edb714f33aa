/**
 * Makes a fresh clone ready: installs the packages that package-lock.json asks for and compiles src into src/dist.
 * Plain JavaScript without dependencies, because it runs before anything is installed.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder that holds package.json. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");

/** Thrown when a step fails; what it printed has been shown. */
export class PreparationError extends Error {}

/** Runs a program without stdin and resolves to its exit code and all it printed. */
function runQuietly(command, args) {
  return new Promise((done, failed) => {
    const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    child.on("error", failed);
    child.on("close", (code) => done({ code, output }));
  });
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
  if (installed()) return;
  // npm names its own script when it runs us; started by hand, the one on the PATH serves.
  const npm = process.env.npm_execpath;
  const [command, args] = npm?.endsWith("js") ? [process.execPath, [npm, "ci"]] : ["npm", ["ci"]];
  progress.say("Installing the packages of package-lock.json (npm ci) ...");
  const { code, output } = await progress.during("npm ci", () =>
    runQuietly(command, [...args, "--no-fund", "--no-audit"]),
  );
  if (code !== 0) {
    progress.say(output.trimEnd());
    throw new PreparationError(`npm ci ended with code ${code}: see its output above.`);
  }
}

const compiled = join(root, "src/dist");
/** It names the sources that src/dist was compiled from. */
const record = join(compiled, ".sources.json");

/** Hash of all that the compiler reads: the sources, its settings, and which packages are installed. */
export function sourcesHash() {
  const files = readdirSync(join(root, "src"), { recursive: true })
    .filter((file) => /\.(m?ts|json)$/.test(file) && !/^(dist|node_modules)[\\/]/.test(file))
    .sort()
    .map((file) => join("src", file));
  const hash = createHash("sha256");
  for (const file of ["package-lock.json", "tsconfig.json", ...files]) {
    hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  }
  return hash.digest("hex");
}

/** When the compiler last wrote: also where somebody calls it by hand, which leaves the record as it was. */
function compiledAt() {
  return statSync(join(compiled, "index.js"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Whether src/dist is what the sources give. */
export function isCompiled(sources) {
  try {
    const known = JSON.parse(readFileSync(record, "utf8"));
    return known.sources === sources && known.compiledAt === compiledAt();
  } catch {
    return false;
  }
}

async function build(progress) {
  const sources = sourcesHash();
  if (isCompiled(sources)) return;
  rmSync(record, { force: true });
  progress.say("Compiling src into src/dist ...");
  const { code, output } = await progress.during("compiling", () =>
    runQuietly(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "src"]),
  );
  if (code !== 0) {
    progress.say(output.trimEnd());
    throw new PreparationError("src does not compile: see the compiler's messages above.");
  }
  writeFileSync(record, JSON.stringify({ sources, compiledAt: compiledAt() }));
}

/** Installs and builds what is missing; says what it does through `progress`. */
export async function prepare(progress) {
  // tslab's cells load the package, an ES module, with require().
  if (!process.features.require_module) {
    throw new PreparationError(`Node ${process.versions.node} is too old: install Node 20.19, 22.12, or a newer one.`);
  }
  await install(progress);
  await build(progress);
}

/** Runs a whole command; an error that says all in its message ends it with that alone, any other with its stack. */
export async function runCommand(command) {
  try {
    await command();
  } catch (error) {
    console.error(error instanceof PreparationError || error?.cure ? error.message : error);
    process.exitCode = 1;
  }
}
