/** Runs the program that is its argument, and writes its launches as JSON to the fourth descriptor. */
import "../../files-on-disk.js";
import "../../platform.js";
import { writeSync } from "node:fs";
import { listen } from "../../../core/host/activity.js";
import { variantRun } from "../../../core/profiler/what-if.js";
import { runProgram } from "../run-program.js";

const RESULT = 3;
const recording = listen();
const succeeded = await runProgram(process.argv[2]!);
if (succeeded) writeSync(RESULT, JSON.stringify(variantRun(recording.stop())));
// A notebook may leave timers behind.
process.exit(succeeded ? 0 : 1);
