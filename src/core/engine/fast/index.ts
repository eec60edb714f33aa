/** The fast engine: one WebAssembly module a kernel and block shape. See README.md. */
import { referenceEngine } from "../reference/index.js";
import { createFastEngine, type FastEngine } from "./engine.js";

export { mayWaitForBlocks } from "./analysis/spin.js";
export { createFastEngine, type FastEngine } from "./engine.js";
export { keepWritten } from "./undo.js";

/** Falls back on the reference engine where lanes of a warp wait for one another. */
export const fastEngine: FastEngine = createFastEngine(referenceEngine);
