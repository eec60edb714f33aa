/** How clang is called, and what a compilation is given and gives. */
import { headerFiles, PACKED_FILE, PRECOMPILED } from "./headers/files.js";
import { PACKED_NAMES } from "./headers/packed.js";

/** The version whose tree this reader knows; the precompiled header holds for it alone. */
export const CLANG_VERSION = "22.0.0-git20542-10";

const COMMON: readonly string[] = [
  "clang",
  "-cc1",
  "-triple",
  "nvptx64-nvidia-cuda",
  "-aux-triple",
  "x86_64-unknown-linux-gnu",
  "-target-cpu",
  "sm_90",
  "-target-sdk-version=12.4",
  "-fcuda-is-device",
  "-fgpu-rdc",
  "-std=c++17",
  "-fdeprecated-macro",
  "-fgnuc-version=4.2.1",
  "-nobuiltininc",
  "-nostdsysteminc",
  "-fno-builtin",
  "-ftemplate-depth=128",
  "-fconstexpr-steps=100000",
];

/** What is C++, and hardly meant. */
const WARNINGS: readonly string[] = [
  "format",
  "parentheses",
  "return-stack-address",
  "tautological-unsigned-zero-compare",
  "empty-body",
  "array-bounds",
  "shift-count-overflow",
];

const HEADER = "warplab_cuda.pch";

/** A folder of files by their names, folders nested. */
export interface Tree {
  readonly [name: string]: Tree | string | Uint8Array;
}

/** Puts a file into a tree by its path. */
export function withFile(tree: Tree, path: string, content: string | Uint8Array): Tree {
  const [first = "", ...rest] = path.split("/");
  if (rest.length === 0) return { ...tree, [first]: content };
  const inner = tree[first];
  const folder: Tree = typeof inner === "object" && !(inner instanceof Uint8Array) ? inner : {};
  return { ...tree, [first]: withFile(folder, rest.join("/"), content) };
}

const system = (unknown: readonly string[]): Tree => {
  let tree: Tree = {};
  for (const [path, text] of Object.entries(headerFiles())) tree = withFile(tree, path, text);
  for (const path of unknown) tree = withFile(tree, path, "");
  return tree;
};

/** Whether a text of the tree holds what the pattern finds. */
function names(tree: Tree, pattern: RegExp): boolean {
  return Object.values(tree).some((each) =>
    typeof each === "string" ? pattern.test(each) : !(each instanceof Uint8Array) && names(each, pattern),
  );
}

/** The arguments and files of one run of clang. */
export interface Invocation {
  readonly args: readonly string[];
  readonly files: Tree;
  /** The file that the run is to leave. */
  readonly makes?: string;
}

/** A program's host has a `long` of 32 bits, where `int64_t` is no `long`. */
const OF_PROGRAM: readonly string[] = ["-D__WARPLAB_LONG=long long"];

export function headerInvocation(ofProgram: boolean = false): Invocation {
  return {
    args: [
      ...COMMON,
      ...(ofProgram ? OF_PROGRAM : []),
      "-emit-pch",
      "-x",
      "cuda-header",
      "-o",
      HEADER,
      PRECOMPILED.name,
    ],
    files: { [PRECOMPILED.name]: PRECOMPILED.text },
    makes: HEADER,
  };
}

/** Compiles `main`, a path in the tree of files, for its syntax tree. Headers that are `unknown` are empty. */
export function fileInvocation(
  header: Uint8Array,
  main: string,
  files: Tree,
  unknown: readonly string[],
  ofProgram: boolean = false,
): Invocation {
  return {
    args: [
      ...COMMON,
      ...(ofProgram ? OF_PROGRAM : []),
      "-include-pch",
      HEADER,
      "-iquote",
      ".",
      "-isystem",
      "system",
      ...(names(files, PACKED_NAMES) ? ["-include", `system/${PACKED_FILE}`] : []),
      "-Wno-everything",
      ...WARNINGS.map((name) => `-W${name}`),
      "-ferror-limit",
      "1000",
      "-fno-caret-diagnostics",
      "-fsyntax-only",
      "-ast-dump=json",
      "-x",
      "cuda",
      main,
    ],
    files: { ...files, [HEADER]: header, [PRECOMPILED.name]: PRECOMPILED.text, system: system(unknown) },
  };
}
