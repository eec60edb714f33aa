/** A file's versions in git, read from its objects: nothing is checked out, and nothing of the repository is run. */
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { basename, dirname } from "node:path";
import { harmless, oneLine } from "../grade/report.js";
import { MOST_TEXT_BYTES } from "../grade/submission-file.js";

/** One commit that changed the file. */
export interface Commit {
  readonly hash: string;
  /** As git writes it: 2026-11-26T09:37:53+00:00. */
  readonly date: string;
  /** The first line of its message. */
  readonly message: string;
  readonly isMerge: boolean;
  /** The id of the file's text; null where the commit deletes it or makes it a link. */
  readonly blob: string | null;
}

export interface History {
  /** The oldest stands first. */
  readonly commits: readonly Commit[];
  /** Why there are none, or not all. */
  readonly notes: readonly string[];
}

/** The repository's settings may name programs, and a partial clone would ask its server: neither is wanted. */
const SAFE = [
  "--no-pager",
  "--literal-pathspecs",
  ...["core.fsmonitor=false", "protocol.allow=never", "i18n.logOutputEncoding=UTF-8", "core.quotePath=false"].flatMap(
    (setting) => ["-c", setting],
  ),
];
const LOG = [
  "log",
  "--follow",
  "-c",
  "--raw",
  "--no-abbrev",
  "-z",
  "--no-color",
  "--no-show-signature",
  "--no-mailmap",
];
/** The message can hold anything but NUL. */
const FORMAT = "--format=%H%x00%P%x00%cI%x00%s";
const HASH = /^[0-9a-f]{40}([0-9a-f]{24})?$/;
/** `:100644 100644 1234... 5678... M` */
const RAW = /^:+[0-7]{6} [0-7]{6} /;
const TIME_MS = 30_000;
const MOST_LOG_BYTES = 2 ** 24;

interface Output {
  readonly text: string;
  /** null for success. */
  readonly failure: "no git" | "too much" | "refused" | null;
  readonly errors: string;
}

/** The user's environment without what would lead git to another repository. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name));
  const own = { GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", GIT_NO_LAZY_FETCH: "1", LC_ALL: "C" };
  return { ...Object.fromEntries(kept), ...own };
}

function spawned(folder: string, args: readonly string[], maxBuffer: number): SpawnSyncReturns<Buffer> {
  return spawnSync("git", [...SAFE, ...args], {
    cwd: folder,
    env: environment(),
    maxBuffer,
    timeout: TIME_MS,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function git(folder: string, args: readonly string[], maxBuffer: number = MOST_LOG_BYTES): Output {
  const { error, status, stdout, stderr } = spawned(folder, args, maxBuffer);
  const code = error === undefined ? null : (error as NodeJS.ErrnoException).code;
  const failure =
    code === "ENOENT" ? "no git" : code !== null ? "too much" : status === 0 ? null : ("refused" as const);
  return { text: stdout?.toString("utf8") ?? "", errors: stderr?.toString("utf8") ?? "", failure };
}

/** The mode and id of the file after a commit, from a line of `--raw`: one colon for each parent. */
function blobAfter(raw: string): string | null {
  const colons = /^:+/.exec(raw)?.[0].length ?? 1;
  const fields = raw.slice(colons).split(" ");
  const [mode, id] = [fields[colons], fields[2 * colons + 1]];
  return mode?.startsWith("100") === true && id !== undefined && HASH.test(id) ? id : null;
}

function commitsOf(log: string): readonly Commit[] {
  const tokens = log.split("\0").map((token) => token.replace(/^\n/, ""));
  const commits: Commit[] = [];
  for (let at = 0; at < tokens.length; ) {
    const [hash = "", parents = "", date = "", message = ""] = tokens.slice(at, at + 4);
    if (!HASH.test(hash)) {
      at += 1;
      continue;
    }
    at += 4;
    let blob: string | null | undefined;
    for (; at < tokens.length && !HASH.test(tokens[at] ?? ""); at++) {
      const token = tokens[at] ?? "";
      // The first token behind the commit's own; a file's name may look like it.
      if (blob === undefined && RAW.test(token)) blob = blobAfter(token);
    }
    const isMerge = parents.includes(" ");
    commits.push({ hash, date, message: oneLine(message), isMerge, blob: blob ?? null });
  }
  return commits;
}

/** Commands that keep the file: in the repository that it is in, or in one of its own where that one leaves it out. */
function keepText(path: string): string {
  const [folder, name] = [dirname(path), basename(path)];
  const kept = git(folder, ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", `./${name}`]);
  const commit = `git add ${name} and git commit after each try.`;
  return kept.text === ""
    ? `To keep your tries, give the folder a repository of its own: in ${folder}, git init; then ${commit}`
    : `To keep your tries: in ${folder}, ${commit}`;
}

function nothing(...notes: readonly string[]): History {
  return { commits: [], notes };
}

function firstLine(errors: string): string {
  return harmless(errors).trim().split("\n")[0] ?? "";
}

/** The commits that changed a file, under the names that it had, up to so many. */
export function historyOf(path: string, most: number): History {
  const folder = dirname(path);
  const name = `./${basename(path)}`;
  const tracked = git(folder, ["ls-files", "-z", "--error-unmatch", "--", name]);
  if (tracked.failure === "no git") return nothing("git is not installed, so only the file as it is now is shown.");
  if (/safe\.directory|dubious ownership/.test(tracked.errors)) {
    return nothing(`git does not read this repository: ${firstLine(tracked.errors)}`);
  }
  if (tracked.failure !== null) return nothing(`git does not track ${basename(path)}. ${keepText(path)}`);
  const log = git(folder, [...LOG, FORMAT, `--max-count=${most + 1}`, "--", name]);
  if (log.failure === "too much") return nothing("The history is too long to be read in half a minute.");
  if (log.failure !== null) return nothing(`There is no commit yet. ${keepText(path)}`);
  const found = commitsOf(log.text);
  const isShallow = git(folder, ["rev-parse", "--is-shallow-repository"]).text.trim() === "true";
  const notes = [
    ...(found.length > most ? [`Only the last ${most} commits are shown; --last ${4 * most} shows more.`] : []),
    ...(isShallow ? ["The clone is shallow: commits before its first one are missing (git fetch --unshallow)."] : []),
  ];
  return { commits: found.slice(0, most).reverse(), notes };
}

/** The file's text in a commit; null where it is missing or has more bytes than a submission may. */
export function textOf(path: string, blob: string): Buffer | null {
  const { error, status, stdout } = spawned(dirname(path), ["cat-file", "blob", blob], MOST_TEXT_BYTES + 1);
  return error === undefined && status === 0 && stdout.length <= MOST_TEXT_BYTES ? stdout : null;
}
