/** Which engine runs what. */
import type { Engine, PreparedLaunch } from "../engine/engine.js";
import { fastEngine } from "../engine/fast/index.js";
import { referenceEngine } from "../engine/reference/index.js";

/** The engine for blocks that nothing observes: the fast one, unless the kernel does what only the reference engine can. */
export function plainEngine(launch: PreparedLaunch): Engine {
  return fastEngine.supports(launch) ? fastEngine : referenceEngine;
}
