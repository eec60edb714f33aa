/** The folder of a program: the texts that it includes, and the files that it may read and write. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, posix, relative, resolve } from "node:path";
import { CompileError, InputError, type SourceText } from "../../core/base/errors.js";
import { helperHeader } from "../../core/frontend/cuda-cpp/host/helper-headers.js";
import type { ProgramFiles } from "../../core/program/program-files.js";

/** The largest text that is read. */
const MOST_BYTES = 1 << 20;

/** clang sees the folder so deep that an include of `../common/common.h` still has a place. */
export const PREFIX = "p/p/p/p/";

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

function readText(path: string): string {
  const bytes = readFileSync(path);
  if (bytes.length > MOST_BYTES) {
    throw new InputError({
      what: `${path} has ${bytes.length} bytes.`,
      cure: `Split it: a file of CUDA C++ has ${MOST_BYTES} at most.`,
    });
  }
  return bytes.toString("utf8");
}

/** The text of a file for messages, with its name as the user knows it. */
export function sourceOf(texts: ReadonlyMap<string, string>, file: string): SourceText {
  const path = posix.normalize(file);
  const name = path.startsWith(PREFIX) ? path.slice(PREFIX.length) : path;
  const text = texts.get(path) ?? "";
  const lines = text.split("\n").map((_, index) => index + 1);
  return { name, text, firstLine: 1, where: name, lines };
}

/** A program's source files and all that they include by "...", by their paths as clang sees them. */
export class ProgramTexts {
  /** The paths of the source files themselves. */
  readonly mains: readonly string[];
  /** Texts by clang's paths. */
  readonly texts: Map<string, string> = new Map();
  readonly #root: string;
  readonly #searched: readonly string[];

  /** `searched`: further folders for includes, below the root. */
  constructor(paths: readonly string[], root: string, searched: readonly string[]) {
    this.#root = resolve(root);
    this.#searched = searched.map((each) => {
      const below = relative(this.#root, resolve(each));
      if (!below.startsWith("..")) return below;
      const cure = "Name a folder around it and the program as --root.";
      throw new InputError({ what: `-I ${each} lies outside of ${this.#root}.`, cure });
    });
    this.mains = paths.map((path) => this.#main(path));
  }

  #main(path: string): string {
    if (!isFile(path))
      throw new InputError({ what: `There is no file ${path}.`, cure: "Give the path of a .cu file." });
    const below = relative(this.#root, resolve(path)).replaceAll("\\", "/");
    if (below.startsWith("..")) {
      throw new InputError({
        what: `${path} lies outside of ${this.#root}.`,
        cure: "Give a folder around the file as --root.",
      });
    }
    const main = `${PREFIX}${below}`;
    this.#add(main, readText(path));
    return main;
  }

  /** The text of a file for messages. */
  source(file: string): SourceText {
    return sourceOf(this.texts, file);
  }

  #add(path: string, text: string): void {
    this.texts.set(path, text);
    let own = text;
    for (const found of text.matchAll(/^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]/gm)) {
      const [whole, mark, name = ""] = found;
      const line = text.slice(0, found.index).split("\n").length;
      const place = this.#include(path, name, mark === "<", line);
      // clang's files know no `..`, and what stands beside the file is found by quotes.
      if (place !== null && (mark === "<" || name.includes(".."))) {
        own = own.replace(whole, whole.replace(/["<][^">]+[">]/, `"${place}"`));
      }
    }
    this.texts.set(path, own);
  }

  /** The place of an included file, or of the stand-in for one that is not there; null where clang has to look itself. */
  #include(from: string, name: string, isSystem: boolean, line: number): string | null {
    const here = posix.join(posix.dirname(from), name);
    // Quotes search the file's own folder first, angle brackets do not.
    const searched = this.#searched.map((folder) => posix.join(PREFIX, folder, name));
    if (this.texts.has(here)) return here;
    for (const path of isSystem ? searched : [here, ...searched]) {
      const inside = path.startsWith(PREFIX);
      const disk = inside ? join(this.#root, path.slice(PREFIX.length)) : this.#outside(from, name);
      if (!isFile(disk)) continue;
      if (!inside || !this.#holds(disk)) this.#refuse(from, name, line);
      this.#add(here, readText(disk));
      return here;
    }
    const helper = helperHeader(name);
    if (helper === undefined) return null;
    this.#add(here, helper);
    return here;
  }

  #outside(from: string, name: string): string {
    return resolve(this.#root, dirname(from.slice(PREFIX.length)), name);
  }

  /** A link may lead out of the folder, too. */
  #holds(path: string): boolean {
    return !relative(realpathSync(this.#root), realpathSync(path)).startsWith("..");
  }

  #refuse(from: string, name: string, line: number): never {
    throw new CompileError({
      what: `"${name}" is included from outside of the program's folder.`,
      cure: "Copy it into that folder, or name a folder around both: --root DIR.",
      source: { ...this.source(from), kind: "program" },
      span: { line, column: 0, length: 1 },
    });
  }
}

/** The files of a folder for a running program; it writes below `writable` alone, where such a folder is given. */
export class FolderFiles implements ProgramFiles {
  readonly #root: string;
  readonly #writable: string | null;
  readonly #refused: (path: string) => void;

  constructor(root: string, writable: string | null, refused: (path: string) => void) {
    this.#root = realpathSync(root);
    this.#writable = writable === null ? null : resolve(writable);
    this.#refused = refused;
  }

  /** Where a path lies on the disk; null where it is not there, or a link leads elsewhere. */
  #find(path: string): string | null {
    for (const folder of [this.#writable, this.#root]) {
      if (folder === null || !existsSync(join(folder, path))) continue;
      const real = realpathSync(join(folder, path));
      if (!relative(realpathSync(folder), real).startsWith("..")) return real;
    }
    return null;
  }

  facts(path: string): { readonly kind: "file" | "folder"; readonly bytes: number } | null {
    const found = this.#find(path);
    if (found === null) return null;
    const facts = statSync(found);
    return { kind: facts.isDirectory() ? "folder" : "file", bytes: facts.size };
  }

  read(path: string): Uint8Array | null {
    const found = this.#find(path);
    return found === null || !statSync(found).isFile() ? null : new Uint8Array(readFileSync(found));
  }

  list(path: string): readonly string[] {
    const found = this.#find(path);
    return found === null ? [] : readdirSync(found);
  }

  write(path: string, content: Uint8Array): boolean {
    if (this.#writable === null) {
      this.#refused(path);
      return false;
    }
    const target = join(this.#writable, path);
    mkdirSync(dirname(target), { recursive: true });
    if (existsSync(target) && relative(realpathSync(this.#writable), realpathSync(target)).startsWith(".."))
      return false;
    writeFileSync(target, content);
    return true;
  }

  remove(path: string): boolean {
    if (this.#writable === null || !existsSync(join(this.#writable, path))) return false;
    rmSync(join(this.#writable, path));
    return true;
  }
}
