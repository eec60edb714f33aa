/**
 * `npm run package`: writes out/warplab-<version>.tgz, which npm installs anywhere: the compiled modules, the command
 * `warplab`, and the exercises and published tables.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createProgress } from "../progress.mjs";
import { prepare, root, runCommand } from "../setup/prepare.mjs";

/** What a build keeps for itself. */
const OWN = /\/\.(users|sources\.json|live-assets)/;

function copy(from, folder, to) {
  mkdirSync(dirname(join(folder, to)), { recursive: true });
  cpSync(from, join(folder, to), { recursive: true, dereference: true, filter: (path) => !OWN.test(path) });
}

/** The package's files as they lie in the archive. */
function assemble(folder) {
  const src = join(root, "src");
  copy(realpathSync(join(src, "dist")), folder, "dist");
  const programs = readdirSync(join(src, "node/setup")).filter((file) => file.endsWith(".mjs"));
  const commands = ["commands/warplab.mjs", "progress.mjs"];
  for (const file of [...commands, ...programs.map((name) => `setup/${name}`)]) {
    copy(join(src, "node", file), folder, `node/${file}`);
  }
  copy(join(root, "labs/exercise.schema.json"), folder, "labs/exercise.schema.json");
  for (const name of readdirSync(join(root, "labs"))) {
    const spec = join(root, "labs", name, "exercise.json");
    if (existsSync(spec)) copy(spec, folder, `labs/${name}/exercise.json`);
  }
  copy(join(root, "labs/published"), folder, "labs/published");
  copy(join(src, "tools/device/measure.cu"), folder, "tools/device/measure.cu");
  copy(join(src, "package.json"), folder, "package.json");
  copy(join(src, "PACKAGE.md"), folder, "README.md");
  copy(join(root, "LICENSE"), folder, "LICENSE");
}

await runCommand(async () => {
  const progress = createProgress();
  await prepare(progress);
  const folder = mkdtempSync(join(tmpdir(), "warplab-package-"));
  try {
    assemble(folder);
    const out = join(root, "out");
    mkdirSync(out, { recursive: true });
    const npm = process.env.npm_execpath;
    const [command, ...first] = npm?.endsWith("js") ? [process.execPath, npm] : ["npm"];
    const packed = execFileSync(command, [...first, "pack", folder, "--pack-destination", out, "--json"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [{ filename, size, entryCount }] = JSON.parse(packed);
    progress.say(`out/${filename}: ${entryCount} files, ${Math.ceil(size / 1024)} KiB`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
