/** A program of the course in a process of its own, which is ended from outside where it takes too much time or memory. */
import { spawn } from "node:child_process";
import { compiledProgram } from "../course-root.js";

export interface Limits {
  readonly timeMs: number;
  readonly memoryBytes: number;
}

/** A check takes some seconds, and a slow machine with other work ten times as many. */
export const GRADE_LIMITS: Limits = { timeMs: 120_000, memoryBytes: 2 ** 30 };

/** A verdict has some KiB. */
const MOST_OUTPUT_BYTES = 2 ** 20;

const MEBIBYTE = 2 ** 20;

/** Why there is no output. */
export interface Stopped {
  readonly kind: "stopped";
  /**
   * The limit that it met. "failure": it ended by itself, without a result. "killed": a signal ended it, which says nothing of
   * what it was given.
   */
  readonly by: "time" | "memory" | "output" | "failure" | "killed";
  readonly what: string;
  readonly cure: string;
}

export interface RunningChild {
  /** All that it has written to stdout. Rejects only where no process can be started. */
  readonly output: Promise<string | Stopped>;
  readonly cancel: () => void;
}

function stopped(by: Stopped["by"], what: string, cure: string): Stopped {
  return { kind: "stopped", by, what, cure };
}

/** How the child has ended, where it gave no result. */
function reasonOf(errors: string, signal: NodeJS.Signals | null, { memoryBytes }: Limits): Stopped {
  if (/over memory|heap out of memory|allocation failed/i.test(errors)) {
    const what = `The check took more than ${Math.round(memoryBytes / MEBIBYTE)} MiB of memory.`;
    return stopped("memory", what, "Take smaller arrays, fewer variables, and fewer or shorter loops.");
  }
  if (signal !== null && signal !== "SIGABRT" && signal !== "SIGSEGV") {
    return stopped("killed", `The check was ended from outside, by ${signal}.`, "Start it again.");
  }
  const last = errors.trim().split("\n").slice(-3).join("; ").slice(0, 300);
  return stopped(
    "failure",
    `The check has ended without a result${last === "" ? "" : `: ${last}`}.`,
    "Tell the course's authors.",
  );
}

/**
 * @param program a compiled file, named from src on, that begins with `limitedRequest()`
 * @param request what that gives it
 */
export function startLimited(program: string, request: object, limits: Limits): RunningChild {
  const heap = Math.max(64, Math.floor((limits.memoryBytes * 3) / 4 / MEBIBYTE));
  const argument = JSON.stringify({ ...request, memoryBytes: limits.memoryBytes });
  const child = spawn(process.execPath, [`--max-old-space-size=${heap}`, compiledProgram(program), argument], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let ended: Stopped | undefined;
  const end = (reason: Stopped): void => {
    ended ??= reason;
    child.kill("SIGKILL");
  };
  const output = new Promise<string | Stopped>((done, failed) => {
    const late = stopped(
      "time",
      `The check took more than ${limits.timeMs / 1000} s.`,
      "Look for a loop that goes on much longer than it has to.",
    );
    const timer = setTimeout(() => end(late), limits.timeMs);
    let [text, errors] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (text.length > MOST_OUTPUT_BYTES)
        end(stopped("output", "The check put out too much.", "Shorten the kernel's lines."));
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      errors = (errors + chunk).slice(-4096);
    });
    child.on("error", failed);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      done(ended ?? (code === 0 ? text : reasonOf(errors, signal, limits)));
    });
  });
  return { output, cancel: () => end(stopped("killed", "The check was cancelled.", "Start it again.")) };
}
