/** Inputs of Indigo's patterns: a graph as compressed sparse rows, and what the two data arrays hold at first. */

export interface PatternInput {
  readonly name: string;
  readonly nindex: readonly number[];
  readonly nlist: readonly number[];
  readonly data1: readonly number[];
  readonly data2: readonly number[];
}

const VERTICES = 12;

/**
 * Edges go to greater numbers only. Neighbours share neighbours, and so each planted fault shows. The first and the last vertex have no
 * neighbours, so that an index without its check leaves the arrays at either end.
 */
function forwardEdges(vertex: number): number[] {
  if (vertex === 0 || vertex >= VERTICES - 2) return [];
  const near = Math.min(vertex - (vertex % 3) + 3, VERTICES - 2);
  const far = Math.min(vertex - (vertex % 4) + 8, VERTICES - 2);
  return near === far ? [near] : [near, far];
}

function inputOf(name: string, neighbors: readonly (readonly number[])[], random: () => number): PatternInput {
  const nindex = [0];
  for (const list of neighbors) nindex.push((nindex.at(-1) ?? 0) + list.length);
  const nlist = neighbors.flat();
  const count = neighbors.length;
  const size = Math.max(count, nlist.length);
  const values = (below: number): number[] => Array.from({ length: size }, (_, k) => (k === 0 ? 0 : random() % below));
  const data1 = values(count);
  const data2 = values(nlist.length);
  return { name, nindex, nlist, data1, data2 };
}

/** Knuth's MMIX generator, its upper half. */
function generator(): () => number {
  let state = 1n;
  return () => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return Number(state >> 33n);
  };
}

export const FORWARD: PatternInput = inputOf(
  "forward",
  Array.from({ length: VERTICES }, (_, vertex) => forwardEdges(vertex)),
  generator(),
);

/** The first numbers of glibc's rand() without a seed, which the suites fill their arrays with. */
function glibcRandom(): () => number {
  const values = [1804289383, 846930886, 1681692777, 1714636915, 1957747793, 424238335, 719885386, 1649760492];
  return () => values.shift() ?? 0;
}

/** The two graphs of five vertices in HiRace's first table: edges to smaller numbers, and to greater ones. */
export const BACKWARD_5: PatternInput = inputOf("DAG_5n_5e", [[], [], [0, 1], [0, 1], [1]], glibcRandom());
export const FORWARD_5: PatternInput = inputOf("counterDAG_5n_5e", [[2, 3], [2, 3, 4], [], [], []], glibcRandom());
