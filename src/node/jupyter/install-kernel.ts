/** Puts the course's kernel where Jupyter looks, so that it is found without JUPYTER_PATH. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { InputError } from "../../core/base/errors.js";
import { courseRoot } from "../course-root.js";
import { replaceFile } from "../setup/replace.js";

interface KernelSpec {
  readonly argv: readonly string[];
  readonly display_name: string;
  readonly language: string;
  readonly interrupt_mode: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The user's folder of Jupyter's data. Source: jupyter_core's paths.py, `jupyter_data_dir`. */
export function jupyterDataFolder(environment: Environment, platform: NodeJS.Platform, home: string): string {
  if (environment.JUPYTER_DATA_DIR) return environment.JUPYTER_DATA_DIR;
  if (platform === "darwin") return join(home, "Library", "Jupyter");
  if (platform === "win32") return join(environment.APPDATA ?? join(home, "AppData", "Roaming"), "jupyter");
  return join(environment.XDG_DATA_HOME || join(home, ".local", "share"), "jupyter");
}

/** The spec with whole paths: Jupyter reads it from another folder, and need not have Node on its PATH. */
function installedSpec(): KernelSpec {
  const kernels = join(courseRoot(), "src/node/jupyter");
  const spec = JSON.parse(readFileSync(join(kernels, "kernels/tslab/kernel.json"), "utf8")) as KernelSpec;
  return { ...spec, argv: [process.execPath, join(kernels, "kernel.cjs"), "{connection_file}"] };
}

/** Whether a spec is the course's, of this clone or another. */
function isCourses(text: string): boolean {
  try {
    const { argv } = JSON.parse(text) as Partial<KernelSpec>;
    return (
      Array.isArray(argv) && argv.some((each) => /(?:course|node)[\\/]jupyter[\\/]kernel\.cjs$/.test(String(each)))
    );
  } catch {
    return false;
  }
}

export interface InstallOptions {
  /** The kernel goes to PREFIX/share/jupyter, where the Jupyter of that environment looks. The user's folder by default. */
  readonly prefix?: string;
  /** Takes the place of another kernel of this name. */
  readonly force?: boolean;
}

/**
 * @returns the path of the kernel.json, and whether it was written
 * @throws InputError where another kernel has the name
 */
export function installKernel({ prefix, force = false }: InstallOptions): {
  readonly path: string;
  readonly written: boolean;
} {
  const data =
    prefix === undefined
      ? jupyterDataFolder(process.env, process.platform, homedir())
      : join(prefix, "share", "jupyter");
  const folder = join(data, "kernels", "tslab");
  const path = join(folder, "kernel.json");
  const text = `${JSON.stringify(installedSpec(), null, 2)}\n`;
  if (existsSync(path)) {
    const present = readFileSync(path, "utf8");
    if (present === text) return { path, written: false };
    if (!isCourses(present) && !force) {
      throw new InputError({
        what: `${path} is a kernel of the same name that is not the course's.`,
        cure: "Keep it, and start Jupyter by npm run jupyter; or replace it: npm run kernel -- --force.",
      });
    }
  }
  mkdirSync(folder, { recursive: true });
  replaceFile(path, text);
  return { path, written: true };
}
