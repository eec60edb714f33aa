/** A file's versions in git; the truth is what the test has committed itself. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { type History, historyOf, textOf } from "../../../src/node/scoreboard/git-history.js";

const root = mkdtempSync(join(tmpdir(), "history-"));
afterAll(() => rmSync(root, { recursive: true }));
const LINES = Array.from({ length: 12 }, (_, line) => `const line${line} = ${line};`).join("\n");

class Repository {
  readonly folder: string;

  constructor(name: string, ...options: readonly string[]) {
    this.folder = join(root, name);
    execFileSync("git", ["init", "-q", "-b", "main", ...options, this.folder]);
  }

  git(...args: readonly string[]): string {
    const who = ["-c", "user.name=n", "-c", "user.email=e@example.org"];
    return execFileSync("git", [...who, ...args], { cwd: this.folder, stdio: ["ignore", "pipe", "ignore"] }).toString();
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  commit(name: string, text: string, message: string): void {
    writeFileSync(this.path(name), text);
    this.git("add", "--", `./${name}`);
    this.git("commit", "-q", "-m", message);
  }
}

const messages = ({ commits }: History): readonly string[] => commits.map(({ message }) => message);
const texts = (path: string, { commits }: History): readonly (string | undefined)[] =>
  commits.map(({ blob }) => (blob === null ? undefined : textOf(path, blob)?.toString()));

describe("a file's history", () => {
  it("has each commit that changed the file, the oldest first, with its text, through renames and beside other files", () => {
    const repository = new Repository("renamed");
    repository.commit("a.ts", `${LINES}\n`, "first");
    repository.commit("other.ts", "other", "another file");
    repository.git("mv", "a.ts", "b.ts");
    repository.git("commit", "-q", "-m", "renamed");
    repository.commit("b.ts", `${LINES}\nlast`, "longer");
    const found = historyOf(repository.path("b.ts"), 50);
    expect(messages(found)).toEqual(["first", "renamed", "longer"]);
    expect(texts(repository.path("b.ts"), found)).toEqual([`${LINES}\n`, `${LINES}\n`, `${LINES}\nlast`]);
    expect(found.commits.at(-1)?.hash).toBe(repository.git("rev-parse", "HEAD").trim());
    expect(found.commits[0]?.date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/);
    expect(found.notes).toEqual([]);
  });

  it("has both sides of a merge, and the merge where its text is that of no side", () => {
    const repository = new Repository("merged");
    repository.commit("a.ts", "1", "first");
    repository.git("checkout", "-q", "-b", "side");
    repository.commit("a.ts", "2", "side");
    repository.git("checkout", "-q", "main");
    repository.commit("a.ts", "3", "main");
    expect(() => repository.git("merge", "-q", "side")).toThrow();
    repository.commit("a.ts", "4", "both");
    const found = historyOf(repository.path("a.ts"), 50);
    expect([...messages(found)].sort()).toEqual(["both", "first", "main", "side"]);
    expect(found.commits.at(-1)).toMatchObject({ message: "both", isMerge: true });
    expect(texts(repository.path("a.ts"), found).at(-1)).toBe("4");
  });

  it("keeps control characters of a message from the terminal, and is not led astray by one that imitates git", () => {
    const repository = new Repository("messages");
    const hash = "0".repeat(40);
    repository.commit("a.ts", "1", `\u001b[31mred\u001e${hash}\u001f:100644 x\u0007`);
    const found = historyOf(repository.path("a.ts"), 50);
    expect(found.commits).toHaveLength(1);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them is to be left
    expect(found.commits[0]?.message).not.toMatch(/[\u0000-\u001f\u007f]/);
    expect(found.commits[0]?.hash).not.toBe(hash);
  });

  it("takes a name that begins with a minus, or holds a pattern, for a name", () => {
    const repository = new Repository("names");
    for (const name of ["-p.ts", "--output=x.ts", "[ab]*.ts", ":(top)a.ts"]) {
      repository.commit(name, name, `adds ${name}`);
      const found = historyOf(repository.path(name), 50);
      expect(messages(found)).toEqual([`adds ${name}`]);
      expect(texts(repository.path(name), found)).toEqual([name]);
    }
  });

  it("has no text for a commit that deletes the file, makes it a link, or holds too much", () => {
    const repository = new Repository("gone");
    repository.commit("a.ts", "1", "first");
    unlinkSync(repository.path("a.ts"));
    repository.git("commit", "-q", "-a", "-m", "gone");
    symlinkSync("/etc/passwd", repository.path("a.ts"));
    repository.git("add", "a.ts");
    repository.git("commit", "-q", "-m", "link");
    unlinkSync(repository.path("a.ts"));
    repository.commit("a.ts", "x".repeat(300_000), "long");
    const found = historyOf(repository.path("a.ts"), 50);
    expect(messages(found)).toEqual(["first", "gone", "link", "long"]);
    expect(found.commits.map(({ blob }) => blob === null)).toEqual([false, true, true, false]);
    expect(textOf(repository.path("a.ts"), found.commits[3]?.blob ?? "")).toBeNull();
  });

  it("shows the last commits of a long history, and says so", () => {
    const repository = new Repository("long");
    for (let k = 0; k < 5; k++) repository.commit("a.ts", String(k), `try ${k}`);
    const { commits, notes } = historyOf(repository.path("a.ts"), 2);
    expect(commits.map(({ message }) => message)).toEqual(["try 3", "try 4"]);
    expect(notes).toEqual(["Only the last 2 commits are shown; --last 8 shows more."]);
  });

  it("says that a shallow clone has not all", () => {
    const repository = new Repository("deep");
    for (let k = 0; k < 3; k++) repository.commit("a.ts", String(k), `try ${k}`);
    const clone = join(root, "shallow");
    execFileSync("git", ["clone", "-q", "--depth", "1", `file://${repository.folder}`, clone]);
    const { commits, notes } = historyOf(join(clone, "a.ts"), 50);
    expect(commits).toHaveLength(1);
    expect(notes[0]).toMatch(/shallow/);
  });

  it("says how to begin one where git does not track the file: ignored, outside, in a bare repository", () => {
    const repository = new Repository("ignored");
    writeFileSync(repository.path(".gitignore"), "work/\n");
    mkdirSync(repository.path("work"));
    const bare = new Repository("bare", "--bare");
    const outside = join(root, "outside");
    mkdirSync(outside);
    for (const path of [repository.path("work/a.ts"), bare.path("a.ts"), join(outside, "a.ts")]) {
      writeFileSync(path, "1");
      const { commits, notes } = historyOf(path, 50);
      expect(commits).toEqual([]);
      expect(notes[0]).toMatch(/git init; then git add a\.ts and git commit/);
    }
  });

  it("asks for no second repository where the file is new to one, or has no commit yet", () => {
    const repository = new Repository("begun");
    const path = repository.path("a.ts");
    writeFileSync(path, "1");
    for (const told of [/^git does not track a\.ts\. /, /^There is no commit yet\. /]) {
      const [note = ""] = historyOf(path, 50).notes;
      expect(note).toMatch(told);
      expect(note).toMatch(/git add a\.ts and git commit/);
      expect(note).not.toContain("git init");
      repository.git("add", "a.ts");
    }
  });

  it("says that git is not installed", () => {
    vi.stubEnv("PATH", join(root, "nowhere"));
    try {
      expect(historyOf(join(root, "a.ts"), 50).notes[0]).toMatch(/^git is not installed/);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it("starts no program that the repository names, and minds no GIT_ variable", () => {
    const repository = new Repository("hostile");
    repository.commit("a.ts", "1", "first");
    const ran = repository.path("ran");
    const program = repository.path("program.sh");
    writeFileSync(program, `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
    writeFileSync(repository.path(".gitattributes"), "*.ts diff=evil filter=evil\n");
    for (const setting of [
      "core.fsmonitor",
      "core.pager",
      "diff.external",
      "diff.evil.textconv",
      "filter.evil.smudge",
    ]) {
      repository.git("config", setting, program);
    }
    repository.git("config", "log.showSignature", "true");
    repository.git("config", "gpg.program", program);
    vi.stubEnv("GIT_DIR", join(root, "nowhere"));
    vi.stubEnv("GIT_EXTERNAL_DIFF", program);
    try {
      const found = historyOf(repository.path("a.ts"), 50);
      expect(texts(repository.path("a.ts"), found)).toEqual(["1"]);
      expect(existsSync(ran)).toBe(false);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
