/** The thread of a whole program: whoever has started it may stop it, and asks for the line that it is at. */
import { parentPort, workerData } from "node:worker_threads";
import { type ProgramOptions, runProgram } from "./run-program.js";

const code = runProgram(workerData as ProgramOptions, (started) => parentPort?.postMessage({ started }));
parentPort?.postMessage({ code });
