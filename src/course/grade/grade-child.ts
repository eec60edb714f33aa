/** Grades one submission in a process of its own: the request is its argument, and the grade goes to stdout as JSON. */
import { writeSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { endWithParent } from "../parent-watch.js";
import { type GradeRequest, gradeHere } from "./grade.js";

/** Written to stderr by a process that ends itself because of its memory. */
export const OVER_MEMORY = "warplab-grade: over memory";

interface ChildRequest extends GradeRequest {
  readonly memoryBytes: number;
}

/** A thread of its own looks: the check keeps this one busy. Memory of the simulated GPU lies outside of the heap. */
const WATCH = `
  const { workerData } = require("node:worker_threads");
  const { writeSync } = require("node:fs");
  setInterval(() => {
    if (process.memoryUsage.rss() <= workerData.memoryBytes) return;
    writeSync(2, workerData.said);
    process.kill(process.pid, "SIGKILL");
  }, 50);
`;

if (process.argv[2] !== undefined) {
  const request = JSON.parse(process.argv[2]) as ChildRequest;
  endWithParent();
  const watch = new Worker(WATCH, {
    eval: true,
    workerData: { memoryBytes: request.memoryBytes, said: OVER_MEMORY },
  });
  watch.unref();
  const text = `${JSON.stringify(gradeHere(request))}\n`;
  for (let written = 0; written < Buffer.byteLength(text); )
    written += writeSync(1, Buffer.from(text).subarray(written));
  process.exit(0);
}
