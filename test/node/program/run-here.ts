/** Runs a text as a whole program in a folder of its own, and gives what it has written. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ProgramOutput } from "../../../src/dist/node/program/program-output.js";
import { type ProgramOptions, runProgram } from "../../../src/dist/node/program/run-program.js";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Both, in the order of writing. */
  readonly all: string;
}

const PLAIN: Omit<ProgramOptions, "files"> = {
  args: [],
  device: "v100",
  sanitize: false,
  profile: null,
  root: null,
  include: [],
  write: null,
};

/** `files` beside the program are there before it starts, `sources` among them belong to it; `include` and `write` are below its folder. `inspect` sees the folder before it is removed. */
export function runText(
  text: string,
  options: Partial<ProgramOptions> & { readonly sources?: readonly string[] } = {},
  files: Readonly<Record<string, string>> = {},
  inspect: (folder: string) => void = () => undefined,
): Ran {
  const outer = mkdtempSync(join(tmpdir(), "warplab-program-"));
  const folder = join(outer, "inner");
  const parts = { stdout: "", stderr: "", all: "" };
  const decoder = new TextDecoder();
  const output = new ProgramOutput((descriptor, bytes) => {
    const own = decoder.decode(bytes);
    if (descriptor === 1) parts.stdout += own;
    else parts.stderr += own;
    parts.all += own;
  });
  try {
    mkdirSync(folder);
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    const file = join(folder, "program.cu");
    writeFileSync(file, text);
    const write = options.write === undefined || options.write === null ? null : join(folder, options.write);
    const { sources = [], include = [], ...own } = options;
    const more = sources.map((name) => join(folder, name));
    const searched = include.map((name) => join(folder, name));
    const all: ProgramOptions = { ...PLAIN, ...own, files: [file, ...more], include: searched, write };
    const code = runProgram(all, () => undefined, output);
    inspect(folder);
    return { code, ...parts };
  } finally {
    rmSync(outer, { recursive: true });
  }
}
