/**
 * Before each test file, in each process that runs them: the process ends with vitest, also where a test never does, and
 * no name of an earlier file's kernels has a meaning in this one's.
 */
import { endWithParent } from "../../src/course/parent-watch.js";
import { forgetDefinitions } from "../../src/frontend/declare/definitions.js";

const process = globalThis as { isWatched?: boolean };
if (process.isWatched !== true) {
  process.isWatched = true;
  endWithParent();
}
forgetDefinitions();
