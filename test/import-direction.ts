/** Which folder of src may import which, and what breaks the rule; used by imports.test.ts. */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";

/** The storeys, by where their code may run, from the bottom up; tools measure, and nothing imports them. */
export const LEVELS: readonly (readonly string[])[] = [["core"], ["course"], ["live", "node"], ["tools"]];

/**
 * The rooms of a folder, from the bottom up; those of one level do not import each other. A folder's own files are
 * under no rule here: its grammar lies below its rooms, its front above them.
 */
export const ROOMS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "": LEVELS,
  core: [
    ["base"],
    ["ir", "device"],
    ["cuda"],
    ["frontend"],
    ["lower"],
    ["engine"],
    ["timing"],
    ["profile"],
    ["host"],
    ["program"],
    ["show"],
    ["profiler", "sanitizer"],
  ],
  "core/frontend": [["text", "declare"], ["translate"], ["words", "cuda", "cuda-cpp", "cells"]],
  "core/frontend/cuda-cpp": [
    ["headers", "tree"],
    ["messages", "to-ir", "host"],
  ],
  "core/frontend/translate": [["values"], ["calls"], ["names"]],
  "core/lower": [["ssa"], ["machine"], ["analysis", "build"], ["nvvm"], ["ptxas"], ["emit"]],
  "core/lower/nvvm": [["control"], ["memory", "scalar", "loops"]],
  "core/engine": [["semantics"], ["reference"], ["fast"]],
  "core/engine/fast": [["wasm"], ["analysis"], ["emit"]],
  "core/engine/fast/emit": [["library"], ["vector"], ["lane"]],
  "core/engine/reference": [["shadow"], ["operations"], ["schedule"]],
  "core/timing": [["base"], ["trace"], ["program", "memory"], ["sm", "footprint"], ["launch"]],
  "core/host": [["streams"]],
  "core/sanitizer": [["race"], ["streams"]],
  "core/show": [["figures"], ["output"]],
  "core/profiler": [["fidelity"], ["nvprof"], ["ncu"]],
  live: [["cells", "types"], ["page"]],
  course: [["notebook"], ["lesson"], ["reductions"], ["exercises", "tables"]],
  node: [
    ["setup"],
    ["display", "clang"],
    ["tables", "program"],
    ["notebook"],
    ["site", "jupyter"],
    ["live"],
    ["grade"],
    ["scoreboard", "class", "release"],
    ["learn"],
    ["commands"],
  ],
  "node/class": [["submissions"], ["tables", "similar"], ["report"]],
  tools: [["accuracy"], ["bench", "device"]],
  "tools/accuracy": [["validate"], ["calibrate"]],
};

export interface Import {
  /** Path of the file that imports, from src: "core/ir/types.ts". */
  readonly file: string;
  /** As written: "../base/errors.js". */
  readonly specifier: string;
}

interface TypeScript {
  preProcessFile(text: string, readImports: boolean): { importedFiles: readonly { fileName: string }[] };
}

const fromTslab = createRequire(createRequire(import.meta.url).resolve("tslab"));
const typescript = fromTslab("@tslab/typescript-for-tslab") as TypeScript;

/** All that a text imports, types and dynamic imports included, as TypeScript itself reads it. */
export function importsOf(file: string, text: string): Import[] {
  return typescript.preProcessFile(text, true).importedFiles.map(({ fileName }) => ({ file, specifier: fileName }));
}

/** Every import of every source file below `folder`, dist left out. */
export function allImports(folder: string): Import[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (path) => /\.(ts|mjs)$/.test(path) && !path.startsWith("dist") && !path.includes("node_modules"),
  );
  return files.flatMap((file) => importsOf(file.replaceAll("\\", "/"), readFileSync(join(folder, file), "utf8")));
}

/** The file of src that a relative import names, also by what is compiled from it; undefined for a package. */
export function target({ file, specifier }: Import): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  return relative("/src", resolve("/src", dirname(file), specifier))
    .replaceAll("\\", "/")
    .replace(/^dist\//, "")
    .replace(/\.js$/, ".ts");
}

/** The folder right below src; "" for a file of src itself. */
function layer(path: string): string {
  return path.includes("/") ? (path.split("/")[0] ?? "") : "";
}

/** The rooms of one folder that two files lie in, the folder first; null where one of them lies in the folder itself. */
function partedRooms(a: string, b: string): readonly [string, string, string] | null {
  const [from, into] = [a.split("/").slice(0, -1), b.split("/").slice(0, -1)];
  const at = from.findIndex((name, i) => name !== into[i]);
  const [own, other] = [from[at], into[at]];
  return own === undefined || other === undefined ? null : [from.slice(0, at).join("/"), own, other];
}

/** An import from one room to another that does not lead downward, in words; null where it does. */
function wrongRoom(file: string, to: string): string | null {
  const parted = partedRooms(file, to);
  if (parted === null) return null;
  const [folder, from, into] = parted;
  const level = (name: string): number => (ROOMS[folder] ?? []).findIndex((rooms) => rooms.includes(name));
  const pathOf = (name: string): string => (folder === "" ? name : `${folder}/${name}`);
  for (const name of [from, into]) {
    if (level(name) < 0) return `the folder ${pathOf(name)} has no level in test/import-direction.ts`;
  }
  if (level(into) > level(from)) return `${pathOf(from)} lies below ${pathOf(into)}`;
  return level(into) === level(from) ? `${pathOf(from)} and ${pathOf(into)} are siblings` : null;
}

/** Each import that does not lead downward, as a sentence that names file and import. */
export function wrongDirections(imports: readonly Import[]): string[] {
  return imports.flatMap((each): string[] => {
    const to = target(each);
    if (to === undefined) return [];
    const what = `${each.file} imports "${each.specifier}"`;
    if (to.startsWith("../")) return [`${what}: that is outside of src`];
    // src/index.ts is the package's front: it may import every layer, and none imports it.
    if (layer(each.file) === "") return [];
    // npx warplab is the front of the commands, of which some are tools.
    if (each.file === "node/commands/warplab.mjs" && layer(to) === "tools") return [];
    // These are the same fronts with what only Node has, and what only a page has.
    if (layer(to) === "" && !/^(node\/(index|course)|live\/index)\.ts$/.test(each.file))
      return [`${what}: no layer imports the package's front`];
    const wrong = wrongRoom(each.file, to);
    return wrong === null ? [] : [`${what}: ${wrong}`];
  });
}

/** Every cycle of files, as the path around it; each is named once. */
export function cycles(imports: readonly Import[]): string[] {
  const edges = new Map<string, string[]>();
  for (const each of imports) {
    const to = target(each);
    if (to !== undefined) edges.set(each.file, [...(edges.get(each.file) ?? []), to]);
  }
  const found: string[] = [];
  const finished = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) {
      found.push([...path.slice(at), file].join(" -> "));
      return;
    }
    if (finished.has(file)) return;
    for (const next of edges.get(file) ?? []) visit(next, [...path, file]);
    finished.add(file);
  };
  for (const file of edges.keys()) visit(file, []);
  return found;
}
