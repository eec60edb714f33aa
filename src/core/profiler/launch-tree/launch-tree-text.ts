/** The tree of grids of a launch as lines: a grid a line, those that are alike together. */

import { InputError } from "../../base/errors.js";
import { checkArgument } from "../../base/shape.js";
import type { LaunchedGrid } from "../../host/children/launch-tree.js";
import type { LaunchResult } from "../../host/launch-result.js";
import { launchShape } from "../../profile/launch-shape.js";

const MOST_LINES = 200;

const STREAMS: Readonly<Record<LaunchedGrid["stream"], string>> = {
  block: "",
  fireAndForget: ", fire and forget",
  tail: ", tail launch",
};

function size([x, y, z]: LaunchedGrid["grid"]): string {
  return z > 1 ? `${x}x${y}x${z}` : y > 1 ? `${x}x${y}` : String(x);
}

/** `sum<<<64, 512>>>`. */
export function gridName({ kernel, grid, block }: LaunchedGrid): string {
  return `${kernel}<<<${size(grid)}, ${size(block)}>>>`;
}

/** @throws InputError for a launch without child grids, or none */
export function treeOf(launch: LaunchResult, word: string): LaunchedGrid {
  checkArgument(word, "launch", launch, launchShape);
  if (launch.children === null) {
    throw new InputError({
      what: `${word}: kernel ${launch.kernel} launched no grid.`,
      cure: "Give a launch whose kernel launches others: launch(child, { grid, block }, args).",
    });
  }
  return launch.children.tree;
}

interface Group {
  readonly first: LaunchedGrid;
  readonly last: LaunchedGrid;
  readonly count: number;
}

/** Neighbours of one kernel and size without children of their own. */
function grouped(children: readonly LaunchedGrid[]): readonly Group[] {
  const groups: Group[] = [];
  for (const child of children) {
    const before = groups.at(-1);
    const alike =
      before !== undefined &&
      child.children.length === 0 &&
      before.first.children.length === 0 &&
      before.first.stream === child.stream &&
      gridName(before.first) === gridName(child);
    if (alike) groups[groups.length - 1] = { ...before, last: child, count: before.count + 1 };
    else groups.push({ first: child, last: child, count: 1 });
  }
  return groups;
}

function line({ first, last, count }: Group): string {
  const { depth, launchedBy, awaited, startMicroseconds } = first;
  const name = count === 1 ? gridName(first) : `${count} x ${gridName(first)}`;
  const by =
    launchedBy === null
      ? "by the host"
      : count === 1
        ? `by block (${launchedBy.block.join(",")}) thread (${launchedBy.thread.join(",")})`
        : `by ${count} launches`;
  const times = `${startMicroseconds.toFixed(1)} to ${last.endMicroseconds.toFixed(1)} us`;
  return `${"  ".repeat(depth)}${name} ${by}, ${times}${awaited ? ", awaited" : ""}${STREAMS[first.stream]}`;
}

/**
 * Parents and children with depth, configuration, launcher, and predicted start and end.
 * @throws InputError for a launch without child grids
 * @example
 * console.log(launchTreeText(gpu.launch(recursiveSum, { grid: 1, block: 512 }, args)));
 */
export function launchTreeText(launch: LaunchResult): string {
  const lines: string[] = [];
  let left = 0;
  const open: Group[] = [{ first: treeOf(launch, "launchTreeText"), last: treeOf(launch, "launchTreeText"), count: 1 }];
  for (let group = open.pop(); group !== undefined; group = open.pop()) {
    if (lines.length < MOST_LINES) lines.push(line(group));
    else left += group.count;
    open.push(...[...grouped(group.first.children)].reverse());
  }
  if (left > 0) lines.push(`... and ${left} more grids`);
  return lines.join("\n");
}
