/** The fast engine: one WebAssembly module a kernel and block shape. See README.md. */
export { type FastEngine, fastEngine } from "./engine.js";
