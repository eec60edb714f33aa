/** The grids of a launch with dynamic parallelism as a tree: who launched what, from where, and when it ran. */
import type { Dim3, PreparedLaunch } from "../../engine/engine.js";
import { coordinates } from "../../engine/faults.js";
import type { LaunchStream } from "../../ir/ir.js";
import type { GridLaunch, GridRun, GridSpan } from "../../timing/index.js";

type Triple = readonly [number, number, number];

/** One grid, and the grids that its threads launched. */
export interface LaunchedGrid {
  readonly kernel: string;
  readonly grid: Dim3;
  readonly block: Dim3;
  /** 0: the grid that the host launched. */
  readonly depth: number;
  /** Who launched it; null for the host's. */
  readonly launchedBy: { readonly block: Triple; readonly thread: Triple } | null;
  /** The stream that it was launched into; "block" for the host's grid. */
  readonly stream: LaunchStream;
  /** Whether its launcher waits for it (cudaDeviceSynchronize). */
  readonly awaited: boolean;
  /** Predicted: from the start of the host's grid to the start of this one, and to the end of its own work. */
  readonly startMicroseconds: number;
  readonly endMicroseconds: number;
  /** In the order of the launches. */
  readonly children: readonly LaunchedGrid[];
}

/** A grid of the run, as the launch's tree keeps it. */
interface RunNode extends GridRun {
  readonly launch: Pick<PreparedLaunch, "program" | "grid" | "block">;
  readonly launches: readonly (GridLaunch & { readonly grid: RunNode; readonly thread: number })[];
}

type Building = { -readonly [K in keyof LaunchedGrid]: LaunchedGrid[K] } & { children: LaunchedGrid[] };

function building(
  { launch }: RunNode,
  depth: number,
  { startMicroseconds, endMicroseconds }: GridSpan,
  launchedBy: LaunchedGrid["launchedBy"],
  { awaited, stream = "block" }: Pick<GridLaunch, "awaited" | "stream">,
): Building {
  const { program, grid, block } = launch;
  const kernel = program.name;
  return { kernel, grid, block, depth, launchedBy, stream, awaited, startMicroseconds, endMicroseconds, children: [] };
}

/** Not recursive, since grids may be nested thousands deep. */
export function launchedGrids(root: RunNode, spans: ReadonlyMap<GridRun, GridSpan>): LaunchedGrid {
  const spanOf = (node: RunNode): GridSpan => spans.get(node) ?? { startMicroseconds: 0, endMicroseconds: 0 };
  const top = building(root, 0, spanOf(root), null, { awaited: false });
  const open: { readonly node: RunNode; readonly built: Building }[] = [{ node: root, built: top }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, built } = next;
    for (const launched of node.launches) {
      const { block, thread, grid: child } = launched;
      const { grid, block: extent } = node.launch;
      const launchedBy = { block: coordinates(block, grid), thread: coordinates(thread, extent) };
      const made = building(child, built.depth + 1, spanOf(child), launchedBy, launched);
      built.children.push(made);
      open.push({ node: child, built: made });
    }
  }
  return top;
}
