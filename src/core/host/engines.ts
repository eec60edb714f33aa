/** Which engine runs what. */
import type { Engine, PreparedLaunch } from "../engine/engine.js";
import { fastEngine } from "../engine/fast/index.js";
import { referenceEngine } from "../engine/reference/index.js";

/** The engine for blocks that nothing observes: the fast one, unless the kernel does what only the reference engine can. */
export function plainEngine(launch: PreparedLaunch): Engine {
  return fastEngine.supports(launch) ? fastEngine : referenceEngine;
}

/** Threads below which compiling for a shape of its own costs more than it saves. */
const FEW_THREADS = 4096;

/** For a child grid: the fast engine where it is worth it and the pointers are whole allocations. */
export function childEngine(launch: PreparedLaunch): Engine {
  const threads = [...launch.grid, ...launch.block].reduce((product, size) => product * size, 1);
  const moved = launch.args.some((argument) => typeof argument === "object" && (argument.bytesBefore ?? 0) !== 0);
  return threads < FEW_THREADS || moved ? referenceEngine : plainEngine(launch);
}
