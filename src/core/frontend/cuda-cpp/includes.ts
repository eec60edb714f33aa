/** The `#include` lines of a text's files: paths that go upwards, and headers of libraries that are not here. */
import { type Tree, withFile } from "./arguments.js";
import { joinedBrackets } from "./launch-brackets.js";

/** Libraries for the host, and those for kernels that this compiler does not have; their headers are read as empty. */
const LIBRARIES: RegExp = new RegExp(
  [
    "^(cublas|cusparse|cusolver|cufft|curand|cudnn|cutensor|nccl|npp|nvml|nvrtc|nvToolsExt|cudaProfiler|cuda_gl|helper_)\\w*\\.h$",
    "^(thrust|cub|cuda|torch|ATen|c10|bits|boost|opencv\\w*|GL|glm|nvtx3|pybind11|cutlass|cute)/",
    "^(GL/\\w+|mpi|gtest/gtest|benchmark/benchmark|cutil\\w*|omp|pthread|fcntl|io|conio)\\.h$",
    "^[a-z_]+$",
  ].join("|"),
);

const INCLUDE = /^([ \t]*#[ \t]*include[ \t]*)(?:<([^>\n]+)>|"([^"\n]+)")/gm;

export interface Included {
  readonly files: Tree;
  /** Headers that are read as empty. */
  readonly unknown: readonly string[];
  /** Those among them that are of no known library: the author's own, or misspelt. */
  readonly missing: readonly MissingHeader[];
}

export interface MissingHeader {
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

/** The path without `.` and `..`; null where it leaves the tree. */
function normal(path: string): string | null {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return null;
    } else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

/** The texts of a tree by their paths. */
export function textsOf(tree: Tree, folder: string): readonly (readonly [path: string, text: string])[] {
  return Object.entries(tree).flatMap(([name, content]) => {
    const path = `${folder}${name}`;
    if (typeof content === "string") return [[path, content] as const];
    return content instanceof Uint8Array ? [] : textsOf(content, `${path}/`);
  });
}

/**
 * clang's file system knows no `..`: such a path is written from the tree's root on. `has`: a header of ours. A header that
 * is not there is put among those of the system, empty.
 */
export function withIncludes(files: Tree, has: (header: string) => boolean): Included {
  const texts = textsOf(files, "");
  const known = new Set(texts.map(([path]) => path));
  const unknown = new Set<string>();
  const missing = new Map<string, MissingHeader>();
  let made = files;
  for (const [path, text] of texts) {
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    const changed = joinedBrackets(text).replace(
      INCLUDE,
      (line, start: string, header: string | undefined, own: string | undefined, at: number) => {
        const name = header ?? own ?? "";
        const upwards = name.includes("..") ? normal(`${folder}${name}`) : null;
        if (own !== undefined && upwards !== null && known.has(upwards)) return `${start}"${upwards}"`;
        const beside = own !== undefined && (known.has(`${folder}${name}`) || known.has(name));
        if (beside || has(name) || normal(name) !== name) return line;
        unknown.add(name);
        if (!LIBRARIES.test(name)) missing.set(name, { name, file: path, line: text.slice(0, at).split("\n").length });
        return line;
      },
    );
    if (changed !== text) made = withFile(made, path, changed);
  }
  return { files: made, unknown: [...unknown], missing: [...missing.values()] };
}
