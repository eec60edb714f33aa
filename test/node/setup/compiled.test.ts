/** Compilations of a small project, whose compiler is a function of the test. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { compileSources, isCompiled, sourcesHash, useCompiled } from "../../../src/node/setup/compiled.mjs";
import { processMark, withLock } from "../../../src/node/setup/lock.mjs";

const roots: string[] = [];
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true });
});

function project(text = "first"): string {
  // A path that is hard on those who take it for an address.
  const root = mkdtempSync(join(tmpdir(), "warplab build #1 é%20-"));
  roots.push(root);
  mkdirSync(join(root, "src/node/setup"), { recursive: true });
  writeFileSync(join(root, "package-lock.json"), "{}");
  writeFileSync(join(root, "tsconfig.json"), "{}");
  writeFileSync(join(root, "src/node/setup/plain.mjs"), "export const plain = 1;");
  write(root, text);
  return root;
}

const write = (root: string, text: string): void => writeFileSync(join(root, "src/index.ts"), text);
const built = (root: string): string => readFileSync(join(root, "src/dist/index.js"), "utf8");
/** Compiles the file as it is, and counts. */
function compiler(root: string): { count: number; readonly compile: (folder: string) => Promise<void> } {
  const made = {
    count: 0,
    compile: async (folder: string): Promise<void> => {
      made.count++;
      writeFileSync(join(folder, "index.js"), readFileSync(join(root, "src/index.ts")));
    },
  };
  return made;
}

/** A process that has ended, or never was: above the largest number that a system gives. */
const ENDED = { ...processMark(), pid: 2 ** 30, begun: "" };

describe("the compiled package", () => {
  test("is made once, and anew where what a source holds has changed, not where its time alone has", async () => {
    const root = project();
    const made = compiler(root);
    await compileSources(root, made.compile);
    await compileSources(root, made.compile);
    expect([made.count, built(root), isCompiled(root)]).toEqual([1, "first", true]);
    expect(existsSync(join(root, "src/dist/node/setup/plain.mjs"))).toBe(true);
    utimesSync(join(root, "src/index.ts"), 1, 1);
    expect(isCompiled(root)).toBe(true);
    write(root, "second");
    expect(isCompiled(root)).toBe(false);
    await compileSources(root, made.compile);
    expect([made.count, built(root)]).toEqual([2, "second"]);
  });

  test.each(["package-lock.json", "tsconfig.json", "src/node/setup/plain.mjs"])("is of %s, too", (file) => {
    const root = project();
    const before = sourcesHash(root);
    writeFileSync(join(root, file), "{ }");
    expect(sourcesHash(root)).not.toBe(before);
  });

  test("stays as it was, whole, where the compiler fails", async () => {
    const root = project();
    await compileSources(root, compiler(root).compile);
    write(root, "wrong");
    const failing = async (folder: string): Promise<void> => {
      writeFileSync(join(folder, "index.js"), "half");
      throw new Error("does not compile");
    };
    await expect(compileSources(root, failing)).rejects.toThrow("does not compile");
    expect(built(root)).toBe("first");
    expect(readdirSync(join(root, ".cache"))).toEqual(["builds"]);
    expect(readdirSync(join(root, ".cache/builds"))).toHaveLength(1);
  });

  test("is compiled by one of two commands that begin at once; the other waits and says so", async () => {
    const root = project();
    const made = compiler(root);
    const said: string[] = [];
    const slow = async (folder: string): Promise<void> => {
      while (said.length === 0) await new Promise((done) => setTimeout(done, 10));
      await made.compile(folder);
    };
    await Promise.all([1, 2].map(() => compileSources(root, slow, () => said.push("waits"))));
    expect([made.count, said]).toEqual([1, ["waits"]]);
  });

  test("is compiled again where a source changes meanwhile", async () => {
    const root = project();
    const made = compiler(root);
    await compileSources(root, async (folder) => {
      await made.compile(folder);
      if (made.count === 1) write(root, "changed");
    });
    expect([made.count, built(root)]).toEqual([2, "changed"]);
  });

  test("leaves the folder alone in which a command runs, and removes what nobody runs", async () => {
    const root = project();
    const made = compiler(root);
    await compileSources(root, made.compile);
    const running = realpathSync(join(root, "src/dist"));
    useCompiled(root);
    const abandoned = join(root, `.cache/builds/0123456789ab-${ENDED.pid}-1`);
    mkdirSync(abandoned);
    for (const text of ["2", "3", "4", "5", "6"]) {
      write(root, text);
      await compileSources(root, made.compile);
    }
    expect(readFileSync(join(running, "index.js"), "utf8")).toBe("first");
    expect(existsSync(abandoned)).toBe(false);
    // The present one, the two before it, and the one that runs.
    expect(readdirSync(join(root, ".cache/builds"))).toHaveLength(4);
  });

  test("takes the place of a folder src/dist, as older versions made it", async () => {
    const root = project();
    mkdirSync(join(root, "src/dist"));
    writeFileSync(join(root, "src/dist/index.js"), "old");
    await compileSources(root, compiler(root).compile);
    expect(built(root)).toBe("first");
  });

  test("serves where the checkout cannot be written, and the files have other times", async () => {
    const root = project();
    await compileSources(root, compiler(root).compile);
    utimesSync(join(root, "src/index.ts"), 1, 1);
    // Even the superuser cannot write there: a file stands for a folder, and a folder for a file.
    const folder = realpathSync(join(root, "src/dist"));
    writeFileSync(join(folder, ".users"), "");
    mkdirSync(join(folder, `.sources.json.${process.pid}`));
    expect(isCompiled(root)).toBe(true);
    expect(() => useCompiled(root)).not.toThrow();
  });
});

describe("a lock", () => {
  const file = (): string => join(project(), ".cache/some.lock");

  test.each([
    ["has ended", JSON.stringify(ENDED)],
    ["had the number of a process that began later", JSON.stringify({ ...processMark(), begun: "1" })],
  ])("of a process that %s is taken over", async (_, text) => {
    const lock = file();
    mkdirSync(join(lock, ".."));
    writeFileSync(lock, text);
    expect(await withLock(lock, async () => readFileSync(lock, "utf8"))).toBe(JSON.stringify(processMark()));
    expect(existsSync(lock)).toBe(false);
  });

  test("is given back where the work fails", async () => {
    const lock = file();
    await expect(withLock(lock, () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
    expect(existsSync(lock)).toBe(false);
  });
});
