/** A launch by the lines of its kernel's text, as lessons use it. */
export { countsByLine, type LineCounts, lineTable } from "../../profiler/line-counts.js";
