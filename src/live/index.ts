/** warplab on a page: all of src/index.ts, and what a page's cells show and compile. */
export * from "../index.js";
export { hasClang } from "./clang.js";
export { display, loadCuda, toPng } from "./display.js";
