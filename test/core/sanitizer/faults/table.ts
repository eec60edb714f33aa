/** The table of faults: operation, memory and other side, each with its planted faults or the reason why there are none. */
import { blockFaults } from "./blocks.js";
import { type CellFault, OPERATIONS, type Operation, SIDES, type Side, SPACES, type Space } from "./cell.js";
import { childFaults } from "./children.js";
import { hostFaults } from "./host.js";
import { laneFaults } from "./lanes.js";
import { streamFaults } from "./streams.js";
import { waitFaults } from "./waits.js";
import { warpFaults } from "./warps.js";

export const cellFaults: readonly CellFault[] = [
  ...laneFaults,
  ...warpFaults,
  ...blockFaults,
  ...waitFaults,
  ...childFaults,
  ...streamFaults,
  ...hostFaults,
];

interface Reason {
  readonly text: string;
  readonly holds: (operation: Operation, space: Space, side: Side) => boolean;
}

const HAND_OVERS: readonly Operation[] = OPERATIONS.filter((each) => each.startsWith("a hand-over"));

/** The first that holds is the reason of a cell without a fault. */
export const REASONS: readonly Reason[] = [
  {
    text: "The language has no atomics of a scope: each atomic holds for the whole GPU.",
    holds: (operation) => operation === "an atomic of a narrower scope",
  },
  {
    text: "A mask names lanes of one warp, and belongs to no memory: see global memory, lane and warp.",
    holds: (operation) => operation === "a mask that names the wrong lanes",
  },
  {
    text: "Kernels free nothing. The host frees global memory, and gives it to a launch or a copy.",
    holds: (operation) => operation === "memory that was freed",
  },
  {
    text: "A barrier of a block belongs to no memory, and one of a grid to no shared memory: see the other space.",
    holds: (operation, space, side) =>
      operation === "a barrier that a part reaches" && space !== "local" && side !== "stream" && side !== "host",
  },
  {
    text: "A barrier reaches nobody beyond its grid.",
    holds: (operation, space, side) =>
      operation === "a barrier that a part reaches" && space !== "local" && (side === "stream" || side === "host"),
  },
  {
    text: "A local array is not seen as vectors.",
    holds: (operation, space) => operation === "a vector at half of one" && space === "local",
  },
  { text: "Local memory is its thread's own: nobody else reaches it.", holds: (_, space) => space === "local" },
  {
    text: "Shared memory is its block's own: nobody outside reaches it.",
    holds: (_, space, side) => space === "shared" && side !== "lane" && side !== "warp",
  },
  {
    text: "threadfence_block() is wide enough within a block.",
    holds: (operation, _, side) =>
      operation === "a hand-over with a fence of the block" && (side === "lane" || side === "warp"),
  },
  {
    text: "The host updates no device memory in place, and sees a kernel's writes by a wait: no fence tells it.",
    holds: (operation, _, side) =>
      side === "host" &&
      (HAND_OVERS.includes(operation) ||
        ["a plain update, x += 1", "an update through volatile", "a plain access beside atomics"].includes(operation)),
  },
];

export function faultsOf(operation: Operation, space: Space, side: Side): readonly CellFault[] {
  return cellFaults.filter((each) => each.operation === operation && each.space === space && each.side === side);
}

/** The number of the reason, from 1; 0 for none. */
export function reasonOf(operation: Operation, space: Space, side: Side): number {
  return REASONS.findIndex(({ holds }) => holds(operation, space, side)) + 1;
}

function cellText(operation: Operation, space: Space, side: Side): string {
  const faults = faultsOf(operation, space, side);
  if (faults.length === 0) return `(${reasonOf(operation, space, side)})`;
  return faults
    .map(({ name, tool, devices }) => `${tool}: ${name}${devices.length === 3 ? "" : ` [${devices.join(", ")}]`}`)
    .join("; ");
}

/** The table as Markdown. */
export function faultTable(): string {
  const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll("|", "/")).join(" | ")} |`;
  const parts = SPACES.flatMap((space) => [
    `## ${space} memory`,
    "",
    row(["operation", ...SIDES]),
    row(["---", ...SIDES.map(() => "---")]),
    ...OPERATIONS.map((operation) => row([operation, ...SIDES.map((side) => cellText(operation, space, side))])),
    "",
  ]);
  return [
    "# Faults by operation, memory and other side",
    "",
    "Each cell names the tool and its planted faults, on all three GPUs unless others are named. A number is the reason why there is none.",
    "`fault-cells.test.ts` runs each fault and its corrected twin, and holds this table.",
    "",
    ...parts,
    "## Reasons",
    "",
    ...REASONS.map(({ text }, index) => `${index + 1}. ${text}`),
    "",
  ].join("\n");
}
