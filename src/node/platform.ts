/** Node as the platform of core. Each program of Node imports this file first. */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { providePlatform } from "../core/base/platform.js";

/** What a thread's program finds in its scope. */
const SCOPE = `
const { workerData: data, parentPort, receiveMessageOnPort } = require("node:worker_threads");
const takeMessage = () => receiveMessageOnPort(parentPort)?.message;
const end = () => process.exit();
`;

providePlatform({
  parallelism: availableParallelism(),
  startThread(program, data, failed) {
    const worker = new Worker(SCOPE + program, { eval: true, execArgv: [], workerData: data });
    worker.unref();
    worker.on("error", failed);
    return worker;
  },
  print: (text) => {
    process.stdout.write(text);
  },
  environment: (name) => process.env[name],
  readText(path) {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return undefined;
    }
  },
});
