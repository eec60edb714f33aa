/** Who waits where when no thread of the launch can go on: the text of the fault. */
import type { KernelFault } from "../../../base/errors.js";
import { coordinates, type FaultSite, hang, hexMask, sourceLine } from "../../faults.js";
import type { BlockContext } from "../block-context.js";
import type { MachineState } from "../machine-state.js";
import type { Parked, Warp } from "../warp.js";
import { wordText } from "../watched-words.js";

interface Waiting {
  readonly block: number;
  readonly warp: number;
  readonly pc: number;
  readonly lanes: number;
  readonly kind: "spin" | "behind" | "withWarp" | "primitive" | "barrier" | "gridBarrier";
  /** Lanes that a primitive waits for. */
  readonly missing: number;
  /** The words that spinning lanes read; null where these are not known. */
  readonly watched: Parked["watched"];
}

const MOST_LINES = 8;
const NEVER_WRITTEN =
  "the value that the loop waits for is never written: check who should write it, and that it runs before or beside the loop";
const STEPPED =
  "let the value be there before the steps: write it to the buffer, or step through the block that writes it first. gpu.launch(...) runs all blocks";
/** Words that a line names. */
const MOST_WORDS = 2;

/** Blocks of the launch that have ended: how many, and the lowest linear index. */
export interface EndedBlocks {
  count: number;
  first: number;
}

/** Blocks that have not started, as no other of the launch ends: how many, and how many can be held at a time. */
export interface BlocksOutside {
  readonly count: number;
  readonly held: number;
}

/** @param stepped this block is stepped through, and no other runs */
export function hangFault(
  machine: MachineState,
  contexts: readonly BlockContext[],
  ended: EndedBlocks,
  seed: number | null,
  outside: BlocksOutside | null = null,
  stepped: boolean = false,
): KernelFault {
  const { launch } = machine;
  const isAlone = stepped && launch.grid.some((size) => size > 1);
  const waiting = contexts.flatMap((context) => context.warps.flatMap((warp) => waitingLanes(machine, context, warp)));
  const first = waiting.find(({ kind }) => kind === "spin" || kind === "primitive") ?? waiting[0];
  if (first === undefined) throw new Error("nothing waits, and nothing goes on");
  const lines = waiting.slice(0, MOST_LINES).map((entry) => describe(machine, entry));
  if (waiting.length > MOST_LINES) lines.push(`and ${waiting.length - MOST_LINES} more groups of lanes`);
  if (waiting.some(({ kind }) => kind === "gridBarrier")) lines.push(...missingBlocks(machine, contexts, ended));
  if (outside !== null) lines.push(outsideText(outside));
  if (isAlone) lines.push("no other block of the grid runs while this one is stepped through");
  const started = launch.children?.started.length ?? 0;
  if (started > 0) lines.push(childrenText(started));
  if (seed !== null) lines.push(`schedule seed ${seed}`);
  const instruction = launch.program.instructions[first.pc];
  if (instruction === undefined) throw new Error(`no instruction ${first.pc}`);
  const site: FaultSite = { launch, instruction, block: first.block, warp: first.warp, lanes: first.lanes };
  return hang(site, lines, cure(machine, waiting, outside, started, isAlone));
}

function outsideText({ count, held }: BlocksOutside): string {
  return `the GPU holds ${held} blocks of this launch at once, and all of them wait: ${count} more ${count === 1 ? "starts" : "start"} only when others end`;
}

function childrenText(started: number): string {
  const which = started === 1 ? "a child grid" : `${started} child grids`;
  return `${which} that the waiting grid has launched ${started === 1 ? "has" : "have"} not run: CUDA lets no grid rely on its children before it has waited for them or ended`;
}

/** Why blocks do not come to a grid barrier. */
function missingBlocks({ launch }: MachineState, contexts: readonly BlockContext[], ended: EndedBlocks): string[] {
  const text = (block: number): string => `(${coordinates(block, launch.grid).join(",")})`;
  const lines: string[] = [];
  if (ended.count > 0) {
    const others = ended.count === 1 ? "has" : `and ${ended.count - 1} more have`;
    lines.push(`block ${text(ended.first)} ${others} ended: blocks that have ended do not come to the grid's barrier`);
  }
  for (const context of contexts) {
    if (context.firstThreadLives || context.done) continue;
    lines.push(
      `block ${text(context.block)}: its thread 0, which reports at the grid's barrier for the block, has ended`,
    );
    break;
  }
  return lines;
}

function waitingLanes(machine: MachineState, context: BlockContext, warp: Warp): Waiting[] {
  const at = { block: context.block, warp: warp.index, missing: 0, watched: null };
  const { instructions } = machine.launch.program;
  const result: Waiting[] = [];
  for (const { pc, lanes, watched } of warp.parked) result.push({ ...at, pc, lanes, kind: "spin", watched });
  for (const { pc, lanes, mask } of warp.waits) {
    let present = 0;
    for (const wait of warp.waits) if (wait.mask === mask) present |= wait.lanes;
    result.push({ ...at, pc, lanes, kind: "primitive", missing: mask & warp.live & ~present });
  }
  // Lanes may have come one group after the other.
  for (const pc of new Set(warp.barrier.map((wait) => wait.pc))) {
    const lanes = warp.barrier.reduce((mask, wait) => (wait.pc === pc ? mask | wait.lanes : mask), 0);
    result.push({ ...at, pc, lanes, kind: instructions[pc]?.op === "bar" ? "barrier" : "gridBarrier" });
  }
  for (let k = 0; k < warp.readyCount; k++) {
    const kind = warp.parked.length > 0 ? "behind" : "withWarp";
    result.push({ ...at, pc: warp.readyPc[k] ?? 0, lanes: warp.readyMask[k] ?? 0, kind });
  }
  return result;
}

function describe(machine: MachineState, entry: Waiting): string {
  const { launch } = machine;
  const instruction = launch.program.instructions[entry.pc];
  const line = instruction === undefined ? 0 : sourceLine(launch.program, instruction);
  const who = `block (${coordinates(entry.block, launch.grid).join(",")}), warp ${entry.warp}, lanes ${hexMask(entry.lanes)}`;
  switch (entry.kind) {
    case "spin":
      return `${who}: spin in the loop that starts at line ${line}; nobody changes ${watchedText(machine, entry)}`;
    case "behind":
      return `${who}: wait at line ${line} for the lanes of their warp that spin (lockstep)`;
    case "withWarp":
      return `${who}: wait at line ${line} with the lanes of their warp that are at a barrier (lockstep)`;
    case "primitive":
      return `${who}: wait at line ${line} (${instruction?.op}) for lanes ${hexMask(entry.missing)} of its mask`;
    case "barrier":
      return `${who}: wait at line ${line} (syncthreads) for the other threads of the block`;
    case "gridBarrier":
      return `${who}: wait at line ${line} (grid sync) for the other blocks of the grid`;
  }
}

function watchedText(machine: MachineState, { watched }: Waiting): string {
  if (watched === null || watched.length === 0) return "what they read";
  const named = new Set(watched.map((word) => wordText(machine, word)));
  const more = named.size > MOST_WORDS ? ` and ${named.size - MOST_WORDS} more` : "";
  return [...named].slice(0, MOST_WORDS).join(", and ") + more;
}

function cure(
  machine: MachineState,
  waiting: readonly Waiting[],
  outside: BlocksOutside | null,
  startedChildren: number,
  isAlone: boolean,
): string {
  const kinds = new Set(waiting.map(({ kind }) => kind));
  if (kinds.has("behind") && machine.launch.lockstep) {
    return "before compute capability 7.0 the lanes of a warp run in lockstep: a lane cannot leave a lock to its neighbours while they spin for it. Let one lane of each warp take the lock, or do the critical section inside the loop, under if (got the lock)";
  }
  if (outside !== null) {
    return `let no block wait for one that may start later: launch at most ${outside.held} blocks, each with more work in a grid-stride loop, or smaller blocks with fewer registers and less shared memory. A cooperative launch (this_grid().sync()) refuses a grid that does not fit`;
  }
  if (startedChildren > 0) {
    return "read a child's results in a grid that is launched behind it (tail launch, or the same stream), or after deviceSynchronize() where the GPU has it";
  }
  const awaited = waiting.some(({ watched }) => watched !== null && watched.length > 0);
  if (awaited) return isAlone ? STEPPED : NEVER_WRITTEN;
  if (kinds.has("primitive"))
    return "every live lane that the mask names must reach the primitive: take it out of the branch, or narrow the mask";
  if (kinds.has("barrier"))
    return "every thread of the block must reach syncthreads(), or end: take it out of the branch or loop";
  if (kinds.has("gridBarrier"))
    return "every block of the grid must reach the grid-wide barrier, each as often as the others: let no block return before the last grid.sync(), and no loop with one end earlier in some blocks";
  return NEVER_WRITTEN;
}
