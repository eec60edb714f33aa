/** Ends this process soon after the one that started it has ended, however that ended. */
import { Worker } from "node:worker_threads";

/** The leader of a group ends with all of it: what a cell started ends, too. */
const WATCH = `
  const { workerData } = require("node:worker_threads");
  setInterval(() => {
    if (process.ppid === workerData) return;
    try {
      process.kill(-process.pid, "SIGKILL");
    } catch {
      process.kill(process.pid, "SIGKILL");
    }
  }, 500);
`;

/** A thread of its own looks: a cell or a test may keep the process busy for ever. */
export function endWithParent(): void {
  const watch = new Worker(WATCH, { eval: true, workerData: process.ppid });
  watch.unref();
}
