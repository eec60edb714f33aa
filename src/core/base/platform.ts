/**
 * What the simulator may ask of the machine that it runs on. Node provides it (node/platform.ts). On a web page nobody
 * does: there are no further threads, no files and no environment. Every value and count is the same.
 */

/** A thread that runs a program's text. It neither keeps the process alive nor ends it. */
export interface Thread {
  postMessage(message: unknown): void;
}

export interface Platform {
  /** How many threads can run at once; 1 where a thread cannot wait for another. */
  readonly parallelism: number;
  /**
   * Starts `program`, JavaScript text that finds `data`, `takeMessage()` (undefined where none waits) and `end()` in its scope.
   * @throws Error where no thread can be started
   */
  startThread(program: string, data: unknown, failed: () => void): Thread;
  /** Writes to the program's output. */
  print(text: string): void;
  /** A variable of the environment; undefined where it is not set. */
  environment(name: string): string | undefined;
  /** A file's text, as UTF-8; undefined where it cannot be read. */
  readText(path: string): string | undefined;
}

const NONE: Platform = {
  parallelism: 1,
  startThread: () => {
    throw new Error("There are no threads here.");
  },
  // A console ends each text with a line's end of its own.
  print: (text) => console.log(text.replace(/\n$/, "")),
  environment: () => undefined,
  readText: () => undefined,
};

let provided = NONE;

/** The parts that are not given are those of a web page. */
export function providePlatform(parts: Partial<Platform>): void {
  provided = { ...NONE, ...parts };
}

export function platform(): Platform {
  return provided;
}
