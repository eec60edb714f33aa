/** `warplab/course` in Node: the course, with the files that its exercises and published numbers lie in. */
import "./files-on-disk.js";
import "./platform.js";

export * from "../course.js";
