/** CUDA's words as names to import: a kernel's text uses them, the host's code cannot. */
export * from "./arrays.js";
export * from "./atomics.js";
export * from "./bits.js";
export * from "./block.js";
export * from "./child-grids.js";
export * from "./conversions.js";
export * from "./float-maths.js";
export * from "./groups.js";
export * from "./indices.js";
export * from "./intrinsics.js";
export * from "./maths.js";
export * from "./output.js";
export * from "./vectors.js";
export * from "./warp.js";
