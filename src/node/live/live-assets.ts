/**
 * The scripts that make pages live: the editor and buttons of a page, and the worker that runs its cells. They are made of
 * the compiled package once, and kept beside it.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parse } from "acorn";
import { build, type Plugin } from "esbuild";
import { devices } from "../../core/device/index.js";
import { courseFiles } from "../../course/course-files.js";
import { courseRoot } from "../course-root.js";
import { replaceFile } from "../setup/replace.js";
import { SESSION_PAGE, sessionPolicy, withoutHeaderOnly } from "../site/content-policy.js";
import { packageWords } from "./package-words.js";
import { typeFiles } from "./type-files.js";

/** The compiled package. */
const PACKAGE = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
/** Of the package, below which it keeps what was made. */
const KEPT = ".live-assets";
const WORKER = "worker.js";

/** Takes the program with a port to the page, says that it is there, starts the worker, and hands the port on. */
export const START_WORKER = `addEventListener("message", ({ source, data, ports }) => {
  if (source !== parent) return;
  const [page] = ports;
  page.postMessage({ kind: "opened" });
  const refuse = ({ message }) => page.postMessage({ kind: "failed", what: message || "The worker cannot be started." });
  try {
    const worker = new Worker(URL.createObjectURL(new Blob([data.program], { type: "text/javascript" })));
    worker.onerror = refuse;
    worker.postMessage(null, [page]);
  } catch (error) {
    refuse(error);
  }
});`;

const SESSION_HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${withoutHeaderOnly(sessionPolicy())}">
<title>Runs the page's cells</title>
<script>${START_WORKER}</script>
</head>
<body></body>
</html>
`;

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly callee?: { readonly name?: string };
  readonly arguments?: readonly SyntaxNode[];
}

/** The functions that are kernels' text, in a module of kernels. */
function kernelBodies(node: unknown): readonly SyntaxNode[] {
  if (typeof node !== "object" || node === null) return [];
  const { type, callee, arguments: given = [] } = node as SyntaxNode;
  const last = given.at(-1);
  const isKernel = type === "CallExpression" && /^(kernel|device)$/.test(callee?.name ?? "");
  if (isKernel && /Function/.test(last?.type ?? "")) return [last!];
  return Object.values(node).flatMap(kernelBodies);
}

/** A kernel is its function's text, which a bundler would rewrite: the text goes along as it is. */
const keepKernels: Plugin = {
  name: "keep-kernels",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]course[\\/](reductions[\\/][\w-]*kernels|lesson[\\/]detective-case)\.js$/ }, ({ path }) => {
      let text = readFileSync(path, "utf8");
      for (const { start, end } of [
        ...kernelBodies(parse(text, { ecmaVersion: "latest", sourceType: "module" })),
      ].reverse()) {
        text = `${text.slice(0, start)}__keptText(${JSON.stringify(text.slice(start, end))})${text.slice(end)}`;
      }
      const from = join(PACKAGE, "core/frontend/text/kept-text.js");
      return { contents: `import { keptText as __keptText } from ${JSON.stringify(from)};\n${text}`, loader: "js" };
    });
  },
};

function courseData(): string {
  const { exerciseIds, exercise, publishedIds, published } = courseFiles();
  return JSON.stringify({
    exercises: Object.fromEntries(exerciseIds.map((id) => [id, exercise(id)])),
    published: Object.fromEntries(publishedIds.map((id) => [id, published(id)])),
  });
}

async function make(folder: string): Promise<void> {
  const common = { bundle: true, minify: true, platform: "browser", target: "es2022", logLevel: "silent" } as const;
  await build({
    ...common,
    entryPoints: [join(PACKAGE, "live/worker.js")],
    outfile: join(folder, WORKER),
    format: "iife",
    // Errors and values are shown by the names of their classes.
    keepNames: true,
    define: { COURSE_FILES: courseData() },
    plugins: [keepKernels],
  });
  const names = Object.keys(await import(pathToFileURL(join(PACKAGE, "live/index.js")).href));
  await build({
    ...common,
    define: {
      PACKAGE_WORDS: JSON.stringify(packageWords(PACKAGE, names)),
      GPUS: JSON.stringify(devices.map(({ id, name }) => ({ id, name }))),
    },
    entryPoints: [join(courseRoot(), "src/live/page/main.ts")],
    outdir: folder,
    format: "esm",
    splitting: true,
    chunkNames: "[name]-[hash]",
  });
  await build({
    ...common,
    entryPoints: [join(PACKAGE, "live/types/worker.js")],
    outfile: join(folder, "types.js"),
    format: "iife",
    // TypeScript looks for them where it finds Node.
    external: ["fs", "path", "os", "crypto", "inspector", "perf_hooks", "source-map-support"],
  });
  writeFileSync(join(folder, "types.json"), JSON.stringify(typeFiles(PACKAGE)));
  writeFileSync(join(folder, SESSION_PAGE), SESSION_HTML);
}

/** The folder that holds the assets; made where an earlier command has not. */
async function madeAssets(): Promise<string> {
  const kept = join(PACKAGE, KEPT);
  try {
    if (readdirSync(kept).includes(SESSION_PAGE)) return kept;
  } catch {
    // Nobody has asked for them yet.
  }
  const part = mkdtempSync(join(tmpdir(), "warplab-live-"));
  await make(part);
  try {
    rmSync(kept, { recursive: true, force: true });
    const beside = `${kept}.${process.pid}`;
    mkdirSync(beside);
    for (const name of readdirSync(part)) writeFileSync(join(beside, name), readFileSync(join(part, name)));
    renameSync(beside, kept);
    rmSync(part, { recursive: true });
    return kept;
  } catch {
    // A package that cannot be written, or another process that was quicker: these serve as well.
    return part;
  }
}

/** Writes `<folder>/assets/live/`. */
export async function writeLiveAssets(folder: string): Promise<void> {
  const from = await madeAssets();
  const target = join(folder, "assets/live");
  mkdirSync(target, { recursive: true });
  const names = readdirSync(from);
  for (const name of names) replaceFile(join(target, name), readFileSync(join(from, name)));
  // Parts of another version bear other names.
  for (const name of readdirSync(target)) if (!names.includes(name)) rmSync(join(target, name), { recursive: true });
}
