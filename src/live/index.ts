/** warplab on a page: all of src/index.ts, and what a page's cells show. */
export * from "../index.js";
export { display, toPng } from "./display.js";
