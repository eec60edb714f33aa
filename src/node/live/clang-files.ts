/** The compiler of CUDA C++ as files of the site, in a folder of their own. A page loads them when a cell asks for them. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { build } from "esbuild";
import { CLANG_VERSION, headerInvocation } from "../../core/frontend/cuda-cpp/arguments.js";
import {
  COMPILER_LIST,
  type CompilerList,
  HEADER,
  SCRIPT,
  SCRIPT_GIVES,
  siteName,
} from "../../core/program/clang-run.js";
import { clangFolder, hasClang, keepFile, keptFile, precompiled } from "../clang/clang.js";
import { replaceFile } from "../setup/replace.js";

/** Below the site's folder; the files lie in one more, which bears the version. */
export const CLANG_FOLDER = "assets/clang";

const MODULES = ["llvm.core.wasm", "llvm.core2.wasm", "llvm.core3.wasm", "llvm.core4.wasm"];

/** The package's script without Node's parts. It finds its files below an address that a page's worker answers for. */
async function script(folder: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, "bundle.js")],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    globalName: SCRIPT_GIVES,
    define: { "import.meta.url": '"https://clang.invalid/"' },
    external: ["node:*"],
    legalComments: "inline",
    logLevel: "silent",
  });
  return outputFiles[0]!.contents;
}

/** A name that changes with what the files are made of: browsers keep them by it. */
function versionFolder(): string {
  const made = createHash("sha256").update(JSON.stringify(headerInvocation()));
  return `${CLANG_VERSION}-${made.digest("hex").slice(0, 8)}`;
}

function listIn(out: string): CompilerList | null {
  try {
    return JSON.parse(readFileSync(join(out, CLANG_FOLDER, COMPILER_LIST), "utf8")) as CompilerList;
  } catch {
    return null;
  }
}

/** Packing takes seconds: what is packed is kept for the next time. */
async function packedFile(version: string, name: string, content: Uint8Array): Promise<Uint8Array> {
  const kept = keptFile("deflate", [version, name]);
  if (existsSync(kept)) return readFileSync(kept);
  const bytes = await promisify(deflate)(content);
  keepFile(kept, bytes);
  return bytes;
}

/**
 * Writes them, where the package is installed.
 * @param packed whether they are compressed, which takes seconds: a third of the size, on a host and for a reader
 * @returns whether they are there
 */
export async function writeClang(out: string, packed: boolean): Promise<boolean> {
  if (!hasClang()) return false;
  const folder = versionFolder();
  const before = listIn(out);
  if (before?.folder === folder && before.packed === packed) return true;
  rmSync(join(out, CLANG_FOLDER), { recursive: true, force: true });
  const from = clangFolder();
  const target = join(out, CLANG_FOLDER, folder);
  mkdirSync(target, { recursive: true });
  const contents: Record<string, Uint8Array> = { [SCRIPT]: await script(from) };
  for (const name of MODULES) contents[name] = readFileSync(join(from, name));
  // A worker compiles the header where it has none; here that takes seconds at the first time.
  if (packed) contents[HEADER] = precompiled(headerInvocation());
  const files: Record<string, number> = {};
  for (const [name, content] of Object.entries(contents)) {
    const bytes = packed ? await packedFile(folder, name, content) : content;
    replaceFile(join(target, siteName(name, { packed })), bytes);
    files[name] = bytes.length;
  }
  const list: CompilerList = { folder, packed, files };
  replaceFile(join(out, CLANG_FOLDER, COMPILER_LIST), JSON.stringify(list));
  return true;
}
