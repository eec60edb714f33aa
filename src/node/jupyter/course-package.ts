/**
 * The package `warplab` for notebooks outside the course, such as a grader's folders. tslab looks for modules from the
 * working folder up, as Node does. Where none of these folders has the package, cells import the course's own.
 */
import { existsSync } from "node:fs";
import Module from "node:module";
import { dirname, join } from "node:path";
import { courseRoot } from "../course-root.js";
import { ts } from "../typescript.js";

const NAME = "warplab";

function isAbove(folder: string): boolean {
  if (existsSync(join(folder, "node_modules", NAME, "package.json"))) return true;
  const parent = dirname(folder);
  return parent !== folder && isAbove(parent);
}

/** For TypeScript the package lies in the working folder; tslab does the same for its own one (dist/converter.js). */
function forTypes(cwd: string, modules: string): void {
  const slashes = (path: string): string => path.replaceAll("\\", "/");
  const [seen, real] = [cwd, dirname(modules)].map((folder) => slashes(join(folder, "node_modules", NAME)));
  const place = (path: string): string =>
    path === seen || path.startsWith(`${seen}/`) ? `${real}${path.slice(seen!.length)}` : path;
  const { fileExists, readFile, directoryExists, realpath } = ts.sys;
  ts.sys.fileExists = (path) => fileExists(place(path));
  ts.sys.readFile = (path, encoding) => readFile(place(path), encoding);
  ts.sys.directoryExists = (path) => directoryExists(place(path));
  if (realpath !== undefined) ts.sys.realpath = (path) => realpath(place(path));
}

/** `require` looks here last. Node reads NODE_PATH again for that, by a function that its types leave out; it stays as it was. */
function forRequire(modules: string): void {
  const before = process.env.NODE_PATH;
  process.env.NODE_PATH =
    before === undefined ? modules : `${before}${process.platform === "win32" ? ";" : ":"}${modules}`;
  (Module as unknown as { _initPaths: () => void })._initPaths();
  if (before === undefined) delete process.env.NODE_PATH;
  else process.env.NODE_PATH = before;
}

/** Lets the cells of this process import the course's package where its working folder has none. Call it before a session starts. */
export function findCoursePackage(): void {
  const cwd = process.cwd();
  if (isAbove(cwd)) return;
  const modules = join(courseRoot(), "node_modules");
  forTypes(cwd, modules);
  forRequire(modules);
}
