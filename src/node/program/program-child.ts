/** The thread of a whole program, which whoever has started it may stop. */
import { parentPort, workerData } from "node:worker_threads";
import { type ProgramOptions, runProgram } from "./run-program.js";

const code = runProgram(workerData as ProgramOptions, () => parentPort?.postMessage({}));
parentPort?.postMessage({ code });
