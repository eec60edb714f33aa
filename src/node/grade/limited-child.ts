/** Programs of the course in processes of their own, which are ended from outside where a request takes too much time or memory. */
import { type ChildProcess, spawn } from "node:child_process";
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
  /** The result as JSON. Rejects only where no process can be started. */
  readonly output: Promise<string | Stopped>;
  readonly cancel: () => void;
}

function stopped(by: Stopped["by"], what: string, cure: string): Stopped {
  return { kind: "stopped", by, what, cure };
}

/** How the child has ended, where it gave no result. */
function reasonOf(errors: string, signal: NodeJS.Signals | null, memoryBytes: number): Stopped {
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

/** A process that answers requests one by one, until one breaks a limit. */
export class LimitedChild {
  private readonly child: ChildProcess;
  /** Ends the request that runs. */
  private settle: ((result: string | Stopped) => void) | null = null;
  private fail: ((problem: Error) => void) | null = null;
  private ended: Stopped | undefined;
  private text = "";
  private errors = "";
  private open = true;
  /** Requests so far. */
  asked = 0;

  /** @param program a compiled file, named from src on, that begins with `serveRequests` */
  constructor(
    program: string,
    readonly memoryBytes: number,
  ) {
    const heap = Math.max(64, Math.floor((memoryBytes * 3) / 4 / MEBIBYTE));
    const flags = [`--max-old-space-size=${heap}`];
    const args = [...flags, compiledProgram(program), String(memoryBytes)];
    this.child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "pipe"] });
    const { stdin, stdout, stderr } = this.child;
    // A child that has ended says why by itself.
    stdin?.on("error", () => {});
    stdout?.setEncoding("utf8").on("data", (chunk: string) => this.hear(chunk));
    stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      this.errors = (this.errors + chunk).slice(-4096);
    });
    this.child.on("error", (problem) => {
      this.open = false;
      this.fail?.(problem);
    });
    this.child.on("close", (_, signal) => {
      this.open = false;
      this.settle?.(this.ended ?? reasonOf(this.errors, signal, memoryBytes));
    });
  }

  /** Whether it takes another request. */
  get isOpen(): boolean {
    return this.open && this.ended === undefined;
  }

  private hear(chunk: string): void {
    this.text += chunk;
    const end = this.text.indexOf("\n");
    if (this.text.length > MOST_OUTPUT_BYTES) {
      this.end(stopped("output", "The check put out too much.", "Shorten the kernel's lines."));
    } else if (end >= 0) {
      const result = this.text.slice(0, end);
      this.text = "";
      this.settle?.(result);
    }
  }

  private end(reason: Stopped): void {
    this.ended ??= reason;
    this.child.kill("SIGKILL");
  }

  /** The result as JSON. Rejects only where the process cannot be started. */
  async ask(request: object, timeMs: number): Promise<string | Stopped> {
    this.asked += 1;
    const late = stopped(
      "time",
      `The check took more than ${timeMs / 1000} s.`,
      "Look for a loop that goes on much longer than it has to.",
    );
    const timer = setTimeout(() => this.end(late), timeMs);
    try {
      return await new Promise<string | Stopped>((done, failed) => {
        this.settle = done;
        this.fail = failed;
        this.child.stdin?.write(`${JSON.stringify(request)}\n`);
      });
    } finally {
      clearTimeout(timer);
      this.settle = null;
    }
  }

  cancel(): void {
    this.end(stopped("killed", "The check was cancelled.", "Start it again."));
  }

  /** It ends by itself, as there are no more requests. */
  close(): void {
    this.child.stdin?.end();
  }
}

/** One request in a process of its own. */
export function startLimited(program: string, request: object, { timeMs, memoryBytes }: Limits): RunningChild {
  const child = new LimitedChild(program, memoryBytes);
  const output = child.ask(request, timeMs).finally(() => child.close());
  return { output, cancel: () => child.cancel() };
}
