/** In each process that runs tests: it ends with vitest, also where a test never does. */
import { endWithParent } from "../../src/course/parent-watch.js";

const process = globalThis as { isWatched?: boolean };
if (process.isWatched !== true) {
  process.isWatched = true;
  endWithParent();
}
