/**
 * Threads of the machine, where there are any: Node's worker_threads, asked for when they are needed and not imported,
 * so that the package also loads where there is no Node.
 */

import type * as OperatingSystem from "node:os";
import type * as WorkerThreads from "node:worker_threads";

export interface Threads {
  readonly Worker: typeof WorkerThreads.Worker;
  /** How many threads can run at once. */
  readonly parallelism: number;
}

/** null where there are none, and where the calling thread may not wait (a browser's main thread). */
export function findThreads(): Threads | null {
  const node = (globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } }).process;
  if (typeof SharedArrayBuffer === "undefined" || typeof node?.getBuiltinModule !== "function") return null;
  const threads = node.getBuiltinModule("node:worker_threads") as typeof WorkerThreads | undefined;
  const system = node.getBuiltinModule("node:os") as typeof OperatingSystem | undefined;
  if (threads === undefined || system === undefined) return null;
  return { Worker: threads.Worker, parallelism: system.availableParallelism() };
}
