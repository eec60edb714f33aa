/** Which engine runs what. */
import type { Engine, PreparedLaunch } from "../engine/engine.js";
import { referenceEngine } from "../engine/reference/index.js";

/** The engine for blocks that nothing observes. */
export function plainEngine(_launch: PreparedLaunch): Engine {
  return referenceEngine;
}
