/** The page for instructors: its example is run as it is written, and its tables are whole. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runGrade } from "../../../src/node/commands/grade-command.js";
import { hardSentences } from "../../prose.js";

const root = join(import.meta.dirname, "../../..");
const path = "notebooks/INSTRUCTORS.md";
const page = readFileSync(join(root, path), "utf8");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: Readonly<Record<string, string>> };

const folder = mkdtempSync(join(tmpdir(), "warplab-instructors-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A section's text, without its heading. */
const section = (title: string): string => page.split(/^## /m).find((each) => each.startsWith(title)) ?? "";

function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

/** Runs a command of the page, without npm around it. */
async function run(command: string): Promise<{ readonly code: number | null; readonly said: string }> {
  const [, , word = "", , ...args] = command.split(" ");
  let said = "";
  const hear = (text: string): void => {
    said += text;
  };
  if (word === "grade") {
    const place = { out: hear, error: hear, width: 80, file: (name: string) => resolve(folder, name) };
    return { code: await runGrade(args, place), said };
  }
  const [program = "", script = ""] = (scripts[word] ?? "").split(" ");
  const { status, stdout } = spawnSync(program, [join(root, script), ...args], { cwd: folder, encoding: "utf8" });
  return { code: status, said: stdout };
}

describe("the page for instructors", () => {
  it("has an exercise that works as it is written: each command ends with the code that the page says", async () => {
    const files = [...page.matchAll(/<!-- file: (\S+) -->\n```\w+\n(.*?)```/gs)];
    expect(files.map(([, file]) => file)).toEqual([
      "my-class/three-each/exercise.json",
      "my-class/three-each/solution.ts",
    ]);
    for (const [, file = "", text = ""] of files) write(file, text);
    const solution = files[1]?.[2] ?? "";
    const loop = "sdata[tid] += sdata[tid + s];\n";
    const barrier = `${loop}      syncthreads();\n`;
    expect(solution).toContain(barrier);
    write("my-class/no-barrier.ts", solution.replace(barrier, loop));
    write("my-class/host-code.ts", `${solution}process.exit(0);\n`);

    const commands =
      /```sh\n(npm run starters.*?)```/s.exec(section("Write an exercise"))?.[1]?.trim().split("\n") ?? [];
    expect(commands).toHaveLength(5);
    const codes: (readonly [string, string])[] = [];
    for (const line of commands) {
      const [command = "", comment = ""] = line.split(/\s+# /);
      const wanted = Number(/exit code (\d)/.exec(comment)?.[1] ?? 0);
      const { code, said } = await run(command);
      codes.push([line, code === wanted ? "as said" : `${code}: ${said}`]);
    }
    expect(codes).toEqual(commands.map((line) => [line, "as said"]));
    const starter = readFileSync(join(folder, "my-class/three-each/starter.ts"), "utf8");
    expect(starter).toContain("    const sum = i < n ? input[i] : 0;\n");
    expect(starter).not.toMatch(/for \(let k|SOLUTION/);
  });

  it("explains a lost point of every kind of check that an exercise may have, each once", () => {
    const schema = JSON.parse(read("labs/exercise.schema.json")) as unknown;
    const kinds = new Set<string>();
    const collect = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      const { kind } = value as { readonly kind?: { readonly enum?: readonly string[]; readonly const?: string } };
      for (const each of kind?.enum ?? []) kinds.add(each);
      if (kind?.const !== undefined) kinds.add(kind.const);
      for (const each of Object.values(value)) collect(each);
    };
    collect(schema);
    const rows = [...section("Why did I lose").matchAll(/^\| `([\w-]+)` \| (.+) \|$/gm)];
    expect(rows.map(([, kind]) => kind).sort()).toEqual([...kinds].sort());
    for (const [, , cells = ""] of rows) expect(cells.split(" | ")).toHaveLength(3);
  });

  it("names commands that exist, and files that are there", () => {
    for (const [, word = ""] of page.matchAll(/npm run ([a-z]+)/g)) expect(Object.keys(scripts)).toContain(word);
    for (const [, to = ""] of page.matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
      expect(existsSync(join(root, "notebooks", to)), to).toBe(true);
    }
    for (const text of [read("README.md"), read("notebooks/README.md")]) expect(text).toContain("INSTRUCTORS.md");
  });

  it("has no sentence that must be read twice", () => {
    expect(hardSentences(path, page)).toEqual([]);
  });
});

describe("binder/", () => {
  it("asks for a Node that the course takes, and builds with commands that there are", () => {
    const [, major, minor] = /nodejs>=(\d+)\.(\d+)/.exec(read("binder/environment.yml")) ?? [];
    const { engines } = JSON.parse(read("package.json")) as { readonly engines: { readonly node: string } };
    expect(engines.node).toContain(`>=${major}.${minor}.0`);
    const build = read("binder/postBuild");
    // repo2docker runs the file itself, and goes on after a failure unless the script ends there.
    expect(build).toMatch(/^#!\/bin\/bash\n/);
    expect(build).toContain("set -euo pipefail");
    expect(statSync(join(root, "binder/postBuild")).mode & 0o111).toBe(0o111);
    const words = [...build.matchAll(/npm run (\w+)/g)].map(([, word = ""]) => word);
    expect(words).toEqual(["build", "kernel"]);
    for (const word of words) expect(Object.keys(scripts)).toContain(word);
  });
});
