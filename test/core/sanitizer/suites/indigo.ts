/** The 590 codes of Indigo that HiRace's authors took, as data: each a pattern with a choice of its options. */
import type { LaunchConfig } from "../../../../src/index.js";
import type { PatternInput } from "./graphs.js";
import {
  conditionalEdgeBlock,
  conditionalEdgeWarp,
  conditionalVertexBlock,
  conditionalVertexWarp,
  pullBlock,
  pullWarp,
} from "./indigo-group-kernels.js";
import {
  conditionalEdge,
  conditionalVertex,
  type PatternKernel,
  pathCompression,
  populateWorklist,
  pull,
  push,
} from "./indigo-kernels.js";

/** The threads that visit one vertex together. */
export type Granularity = "thread" | "warp" | "block";

export interface Code {
  /** The suite's name of it. */
  readonly name: string;
  readonly pattern: string;
  readonly granularity: Granularity;
  readonly every: boolean;
  readonly options: readonly string[];
  readonly kernel: PatternKernel;
}

interface Family {
  readonly name: string;
  readonly kernel: PatternKernel;
  /** One of each row, "" for none. */
  readonly choices: readonly (readonly string[])[];
  readonly width?: number;
}

const PERSISTENT = ["", "persistent"];
const REVERSE = ["", "reverse"];
const COND = ["", "cond"];
const BREAK = ["", "break"];
const ATOMIC = ["", "atomicBug"];
const GUARD = ["", "guardBug"];
/** One neighbour of a vertex. */
const ONE = [PERSISTENT, ["", "boundsBug"], ["", "last"]];
/** All of them. In the suite the fault takes the place of the persistent loop's end. */
const ALL = [["", "persistent", "boundsBug"], REVERSE, BREAK];
const GROUP = [PERSISTENT, REVERSE];
/** Shuffles leave no barrier to forget. */
const SHARED = ["", "syncBug", "shfl"];

const FAMILIES: readonly Family[] = [
  { name: "conditional_edge_neighbor", kernel: conditionalEdge, choices: [...ONE, COND, GUARD, ATOMIC] },
  { name: "conditional_edge_neighbors", kernel: conditionalEdge, choices: [...ALL, COND, GUARD, ATOMIC] },
  {
    name: "conditional_edge_neighbors_block",
    kernel: conditionalEdgeBlock,
    choices: [...GROUP, SHARED, COND, GUARD, ATOMIC],
  },
  { name: "conditional_edge_neighbors_warp", kernel: conditionalEdgeWarp, choices: [...GROUP, COND, GUARD, ATOMIC] },
  { name: "conditional_vertex_neighbor", kernel: conditionalVertex, choices: [...ONE, ATOMIC] },
  { name: "conditional_vertex_neighbors", kernel: conditionalVertex, choices: [...ALL, ATOMIC] },
  { name: "conditional_vertex_neighbors_block", kernel: conditionalVertexBlock, choices: [...GROUP, ATOMIC] },
  { name: "conditional_vertex_neighbors_warp", kernel: conditionalVertexWarp, choices: [...GROUP, ATOMIC] },
  { name: "path_compression", kernel: pathCompression, choices: [PERSISTENT, ["", "raceBug", "traverse"]] },
  { name: "populate_worklist_neighbor", kernel: populateWorklist, choices: [...ONE, ATOMIC] },
  { name: "populate_worklist_neighbors", kernel: populateWorklist, choices: [...ALL, ATOMIC] },
  { name: "populate_worklist_neighbors_block", kernel: populateWorklist, choices: [...GROUP, ATOMIC], width: 0 },
  { name: "populate_worklist_neighbors_warp", kernel: populateWorklist, choices: [...GROUP, ATOMIC], width: 32 },
  { name: "pull_node_neighbor", kernel: pull, choices: [...ONE, COND] },
  { name: "pull_node_neighbors", kernel: pull, choices: [...ALL, COND] },
  { name: "pull_node_neighbors_block", kernel: pullBlock, choices: [...GROUP, SHARED, COND] },
  { name: "pull_node_neighbors_warp", kernel: pullWarp, choices: [...GROUP, COND] },
  { name: "push_node_neighbor", kernel: push, choices: [...ONE, COND, ATOMIC] },
  { name: "push_node_neighbors", kernel: push, choices: [...ALL, COND, ATOMIC] },
  { name: "push_node_neighbors_block", kernel: push, choices: [...GROUP, COND, ATOMIC], width: 0 },
  { name: "push_node_neighbors_warp", kernel: push, choices: [...GROUP, COND, ATOMIC], width: 32 },
];

function product(choices: readonly (readonly string[])[]): readonly (readonly string[])[] {
  let rows: readonly (readonly string[])[] = [[]];
  for (const choice of choices) {
    rows = rows.flatMap((row) => choice.map((option) => (option === "" ? row : [...row, option])));
  }
  return rows;
}

/** One kernel for each choice of the constants, so that codes which differ in parameters share it. */
function instances(family: Family): (options: readonly string[]) => PatternKernel {
  const made = new Map<string, PatternKernel>();
  const constants = Object.keys(family.kernel.spec.constants);
  return (options) => {
    const own = constants.filter((name) => options.includes(name));
    const known = made.get(own.join());
    if (known !== undefined) return known;
    const width = family.width === undefined ? {} : { width: family.width };
    const instance = family.kernel.with({ ...Object.fromEntries(own.map((name) => [name, true])), ...width });
    made.set(own.join(), instance);
    return instance;
  };
}

function granularityOf(name: string): Granularity {
  return name.endsWith("_block") ? "block" : name.endsWith("_warp") ? "warp" : "thread";
}

function codesOf(family: Family): readonly Code[] {
  const instance = instances(family);
  const { name } = family;
  return product(family.choices).map((options) => ({
    name: [name, ...options].join("_"),
    pattern: name.replace(/_neighbor.*/, ""),
    granularity: granularityOf(name),
    every: name.includes("neighbors"),
    options,
    kernel: instance(options),
  }));
}

export function indigoCodes(): readonly Code[] {
  return FAMILIES.flatMap(codesOf);
}

/** By the suite's names: a fault of indices makes no race. */
export function isRacy({ options }: Code): boolean {
  return options.some((option) => option.endsWith("Bug") && option !== "boundsBug");
}

/** Enough threads for all vertices, or too few where each goes through several. */
export function gridOf({ granularity, options }: Code, { nindex }: PatternInput): LaunchConfig {
  const vertices = nindex.length - 1;
  const persistent = options.includes("persistent");
  if (granularity === "thread") return { grid: persistent ? 2 : Math.ceil((vertices + 4) / 4), block: 4 };
  if (granularity === "warp") return { grid: persistent ? 3 : Math.ceil(vertices / 2), block: 64 };
  return { grid: persistent ? 4 : vertices, block: 64 };
}

/** The options as the kernels' parameters. */
export function parametersOf({ options, every }: Code): Readonly<Record<string, number>> {
  const has = (name: string): number => Number(options.includes(name));
  return {
    every: Number(every),
    persistent: has("persistent"),
    reverse: has("reverse") + has("last"),
    cond: has("cond"),
    breaks: has("break"),
    boundsBug: has("boundsBug"),
  };
}
