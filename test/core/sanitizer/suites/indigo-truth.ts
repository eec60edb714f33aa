/**
 * Whether a code of Indigo races on an input, from what its pattern says, without a run: whether two threads access one word, one
 * of them writes, and no barrier or atomic stands between. Codes with a fault of indices are not meant.
 */
import type { PatternInput } from "./graphs.js";
import { type Code, gridOf, isRacy } from "./indigo.js";

interface Visit {
  readonly vertex: number;
  /** The how manieth of the vertex's visits. */
  readonly turn: number;
  readonly neighbor: number;
}

function visitsOf({ options, every, pattern }: Code, { nindex, nlist }: PatternInput): readonly Visit[] {
  const backwards = options.includes("reverse") || options.includes("last");
  const conditional = options.includes("cond") || pattern === "conditional_vertex" || pattern === "populate_worklist";
  return nindex.slice(0, -1).flatMap((begin, vertex) => {
    const own = nlist.slice(begin, nindex[vertex + 1]);
    if (backwards) own.reverse();
    const visits = own.slice(0, every ? own.length : 1).map((neighbor, turn) => ({ vertex, turn, neighbor }));
    const taken = visits.filter(({ neighbor }) => !conditional || vertex < neighbor);
    return options.includes("break") ? taken.slice(0, 1) : taken;
  });
}

/** How many threads, warps or blocks go through the vertices. */
function actorsOf(code: Code, input: PatternInput): number {
  const { grid, block } = gridOf(code, input);
  const blocks = Number(grid);
  const threads = blocks * Number(block);
  return code.granularity === "thread" ? threads : code.granularity === "warp" ? threads / 32 : blocks;
}

const several = (list: readonly (number | string)[]): boolean => new Set(list).size > 1;

export function racesOn(code: Code, input: PatternInput): boolean {
  if (!isRacy(code)) return false;
  const { pattern, options, granularity } = code;
  // Each block has two warps, which the missing barrier kept apart.
  if (options.includes("syncBug")) return true;
  const actors = actorsOf(code, input);
  const visits = visitsOf(code, input);
  const vertices = input.nindex.slice(0, -1).map((_, vertex) => vertex);
  const actor = (vertex: number): number => vertex % actors;
  const thread = ({ vertex, turn }: Visit): string => `${actor(vertex)} ${granularity === "thread" ? 0 : turn}`;
  // Warps and blocks write once a vertex, whatever its neighbours.
  const writers = granularity === "thread" ? visits.map(({ vertex }) => actor(vertex)) : vertices.map(actor);
  switch (pattern) {
    case "conditional_edge": {
      const written = visits.some(({ neighbor }) => (input.data2[neighbor] ?? 0) > 0);
      return several(writers) && (written || !options.includes("guardBug"));
    }
    case "conditional_vertex":
      return several(writers);
    case "populate_worklist":
      return several(visits.map(thread));
    case "push_node":
      return vertices.some((one) => several(visits.filter(({ neighbor }) => neighbor === one).map(thread)));
    case "path_compression":
      return vertices.some((vertex) => {
        const parent = input.data1[vertex] ?? 0;
        return parent < vertex && actor(parent) !== actor(vertex);
      });
    default:
      throw new Error(`no rule for ${pattern}`);
  }
}
