/** Dynamic parallelism: grids that a kernel launches. */

import { launchable, word } from "./host.js";
import type { Launchable, LaunchSizes } from "./types.js";

/** This kernel, for `launch(self, ...)`. */
export const self: Launchable = launchable("self");

/**
 * Launches a child grid from this thread, CUDA's `child<<<grid, block, shared>>>(...)`: `launch(child, { grid: 1,
 * block: 128 }, { data, n })`. Needs compute capability 3.5.
 */
export const launch: (
  kernel: Launchable,
  configuration: LaunchSizes,
  args?: readonly unknown[] | Readonly<Record<string, unknown>>,
) => void = word("launch");

/**
 * CUDA's `cudaDeviceSynchronize()` in a kernel: waits for the block's child grids. Gone from compute capability 9.0
 * on.
 */
export const deviceSynchronize: () => void = word("deviceSynchronize");
