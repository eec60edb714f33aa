/**
 * warplab: what notebooks and programs import, wherever they run. A name here is public; everything else may change.
 * node/index.ts adds what only Node has: display in Jupyter or a terminal, and PNG. What a program imports from one
 * part alone has an entry point of its own: warplab/show, warplab/profile, warplab/sanitize, warplab/course.
 */

export * from "./course.js";
export * from "./gpu.js";
export * from "./profile.js";
export * from "./sanitize.js";
export * from "./show.js";
