/** The other side of `startLimited`: a program that is given a request, and that ends itself where it takes too much memory. */
import { writeSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { endWithParent } from "../parent-watch.js";

/** A thread of its own looks: the check keeps this one busy. Memory of the simulated GPU lies outside of the heap. */
const WATCH = `
  const { workerData } = require("node:worker_threads");
  const { writeSync } = require("node:fs");
  setInterval(() => {
    if (process.memoryUsage.rss() <= workerData) return;
    writeSync(2, "over memory");
    process.kill(process.pid, "SIGKILL");
  }, 50);
`;

/** The request of this process; from now on it has its limit of memory, and ends with its parent. */
export function limitedRequest<T>(): T {
  const request = JSON.parse(process.argv[2] ?? "{}") as T & { readonly memoryBytes: number };
  endWithParent();
  new Worker(WATCH, { eval: true, workerData: request.memoryBytes }).unref();
  return request;
}

/** Writes the result as JSON, and ends the process. */
export function endWithResult(result: unknown): never {
  const bytes = Buffer.from(`${JSON.stringify(result)}\n`);
  for (let written = 0; written < bytes.length; ) written += writeSync(1, bytes.subarray(written));
  process.exit(0);
}
