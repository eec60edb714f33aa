/** warplab in Node: all of src/index.ts, the platform that it runs on, and what a notebook or a terminal shows. */
import "./files-on-disk.js";
import "./platform.js";

export * from "../index.js";
// CUDA C++
export { hasClang } from "./clang/clang.js";
export { loadCuda } from "./clang/cuda.js";
export { display } from "./display/notebook.js";
export { type PngOptions, toPng } from "./display/png.js";
