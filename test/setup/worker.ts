/**
 * Before each test file, in each process that runs them: the process ends with vitest, also where a test never does, and
 * no name of an earlier file's kernels has a meaning in this one's.
 */

import { forgetDefinitions } from "../../src/core/frontend/declare/definitions.js";
import "../../src/node/files-on-disk.js";
import "../../src/node/platform.js";
import { endWithParent } from "../../src/node/parent-watch.js";

const process = globalThis as { isWatched?: boolean };
if (process.isWatched !== true) {
  process.isWatched = true;
  endWithParent();
}
forgetDefinitions();
