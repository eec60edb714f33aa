/** Which engine runs what. */
import type { Engine, PreparedLaunch } from "../engine/engine.js";
import { fastEngine } from "../engine/fast/index.js";
import { referenceEngine } from "../engine/reference/index.js";

/**
 * The engine for blocks that nothing observes: the fast one, unless the kernel does what only the reference engine can. It
 * is chosen at the first block, as the choice compiles the program: a small grid is observed whole.
 */
export function plainEngine(launch: PreparedLaunch): Engine {
  let chosen: Engine | undefined;
  const engine = (): Engine => {
    chosen ??= fastEngine.supports(launch) ? fastEngine : referenceEngine;
    return chosen;
  };
  return {
    get name() {
      return engine().name;
    },
    run: (given, blocks, counters, work) => engine().run(given, blocks, counters, work),
  };
}

/** Threads below which compiling for a shape of its own costs more than it saves. */
const FEW_THREADS = 4096;

/** For a child grid: the fast engine where it is worth it and the pointers are whole allocations. */
export function childEngine(launch: PreparedLaunch): Engine {
  const threads = [...launch.grid, ...launch.block].reduce((product, size) => product * size, 1);
  const moved = launch.args.some((argument) => typeof argument === "object" && (argument.bytesBefore ?? 0) !== 0);
  return threads < FEW_THREADS || moved ? referenceEngine : plainEngine(launch);
}
