/** The other side of `LimitedChild`: a program that answers requests, and that ends itself where one takes too much memory. */
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";
import { endWithParent } from "../parent-watch.js";
import { realmMark } from "./realm-mark.js";

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

/** Writes a result as a line of JSON. */
function writeResult(result: unknown): void {
  const bytes = Buffer.from(`${JSON.stringify(result)}\n`);
  for (let written = 0; written < bytes.length; ) written += writeSync(1, bytes.subarray(written));
}

/**
 * Answers requests, a line of JSON each, until there are no more. The process has its limit of memory, and ends with its parent. It
 * also ends after a request that has left a mark on what later ones use.
 */
export function serveRequests<T>(answer: (request: T) => unknown): void {
  endWithParent();
  new Worker(WATCH, { eval: true, workerData: Number(process.argv[2]) }).unref();
  let mark: string | null = null;
  createInterface({ input: process.stdin }).on("line", (line) => {
    mark ??= realmMark();
    writeResult(answer(JSON.parse(line) as T));
    if (realmMark() !== mark) process.exit(0);
  });
}
