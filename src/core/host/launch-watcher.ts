/**
 * Who looks into every launch of this process, with all of its accesses, as a sanitizer does. The reference engine runs
 * such launches. Nothing but a test of one variable is done while nobody looks.
 */
import type { KernelFault } from "../base/errors.js";
import type { AccessWatch, PreparedLaunch } from "../engine/engine.js";
import type { Program } from "../lower/program.js";
import type { LaunchSchedule } from "./launch-schedule.js";
import type { LaunchWarning } from "./launch-warning.js";
import type { StreamKey } from "./streams/stream-key.js";

export interface LaunchWatcher {
  /** The schedule of launches of a program that choose none themselves. */
  scheduleOf(program: Program): LaunchSchedule;
  /** A launch begins in a stream of the GPU `owner`; null where its accesses are not wanted. */
  begin(launch: PreparedLaunch, owner: object, stream: StreamKey): AccessWatch | null;
  /** The launch has ended, or failed. */
  end(launch: PreparedLaunch, warnings: readonly LaunchWarning[], fault: KernelFault | null): void;
}

let current: LaunchWatcher | null = null;

export function launchWatcher(): LaunchWatcher | null {
  return current;
}

/** Lets `watcher` look into all launches until `stop`. One at a time: an inner one takes the outer one's place. */
export function startWatching(watcher: LaunchWatcher): { readonly stop: () => void } {
  const before = current;
  current = watcher;
  return {
    stop: () => {
      current = before;
    },
  };
}

/** Lets `watcher` look into all launches that `work` makes. */
export function watchLaunches<T>(watcher: LaunchWatcher, work: () => T): T {
  const { stop } = startWatching(watcher);
  try {
    return work();
  } finally {
    stop();
  }
}
