/** Warnings about masks and barriers: CUDA leaves these waits undefined, and a GPU passes over them. */
import type { Instruction, Program } from "../../../lower/program.js";
import type { FaultSite, UndefinedRemark, UndefinedWatch } from "../../engine.js";
import { hexMask, sourceLine } from "../../faults.js";
import { lanesText, maskText } from "../../run-warning.js";
import type { BlockContext } from "../block-context.js";
import type { MachineState } from "../machine-state.js";
import type { BarrierWait, Warp } from "../warp.js";

const NAMES: Readonly<Record<string, string>> = {
  shfl: "shfl",
  shflUp: "shfl_up",
  shflDown: "shfl_down",
  shflXor: "shfl_xor",
  ballot: "ballot",
  any: "any",
  all: "all",
  matchAny: "match_any",
  matchAll: "match_all",
  matchAllPredicate: "match_all",
  syncwarp: "syncwarp",
};

function nameOf({ op, redux }: Instruction): string {
  return NAMES[op] ?? `reduce_${redux ?? op}`;
}

/** Why a lane does not take part in what its warp does. */
export function absence(missing: number, warp: Pick<Warp, "existing" | "live">, mask: number): string {
  const parts = [
    [missing & ~warp.existing, "which the block does not have"],
    [missing & warp.existing & ~warp.live, "which have ended"],
    [missing & warp.live & ~mask, "which the mask does not name"],
    [missing & warp.live & mask, "which are not active there"],
  ] as const;
  const present = parts.filter(([part]) => part !== 0);
  if (present.length === 1) return present[0]![1];
  return present.map(([part, why]) => `${why} (${lanesText(part)})`).join(" or ");
}

/**
 * Tells of a mask that names lanes which are not there, and, before 7.0, of lanes that it does not name. A syncwarp that names
 * all lanes is CUDA's default, and waits for those that there are.
 */
export function checkMask(
  watch: UndefinedWatch,
  site: FaultSite,
  warp: Pick<Warp, "existing" | "live">,
  mask: number,
  participants: number,
): void {
  const { instruction, lanes: acting } = site;
  const isDefault = instruction.op === "syncwarp" && mask === -1;
  const missing = mask & ~participants & (isDefault ? warp.live : -1);
  const name = nameOf(instruction);
  if (missing !== 0) {
    const kind = "missing-lanes";
    const what = `the mask ${hexMask(mask)} of this ${name} names ${maskText(missing)}, ${absence(missing, warp, mask)}`;
    const cure =
      "CUDA defines a warp primitive for threads that come to it. Launch whole warps, with a neutral value in the threads beyond the data. Or name in the mask the threads that come, as ballot_sync before the branch gives them";
    const kernelCure =
      "CUDA defines a warp primitive for threads that come to it. Name in the mask the threads that come, as ballot_sync before the branch gives them";
    // From 7.0 on a primitive does not wait for lanes that are absent or have ended before it. Others go by it and end behind. A
    // shuffle's source is looked at where its value matters.
    const ended = (missing & warp.existing) === 0 || endBefore(site.launch.program, instruction.pc) !== null;
    const defined = !site.launch.lockstep && (missing & warp.live) === 0 && ended;
    watch.add({ kind, site: { ...site, lanes: missing }, defined, what, cure, kernelCure });
  }
  const outside = acting & ~mask;
  if (outside !== 0) {
    const what = `${maskText(outside)} execute this ${name}, and its mask ${hexMask(mask)} does not name them`;
    const cure =
      "CUDA leaves it undefined, and from compute capability 7.0 on it is a fault here. Name in the mask every lane that executes the primitive, as ballot_sync before the branch gives them";
    watch.add({ kind: "lane-outside-mask", site: { ...site, lanes: outside }, what, cure });
  }
}

/** Tells of a shuffle whose width in some lanes is none that CUDA defines. */
export function tellWidth(watch: UndefinedWatch, site: FaultSite, width: number): void {
  const name = nameOf(site.instruction);
  const what = `a ${name} of width ${width} (${maskText(site.lanes)}), which is no power of two up to 32: CUDA leaves what it gives undefined`;
  const cure = "Give a width of 1, 2, 4, 8, 16 or 32, the size of the groups of lanes that exchange values";
  watch.add({ kind: "shuffle-width", site, what, cure });
}

const BARRIER_CURE =
  "Move syncthreads() to where all threads of the block come. Put what only some of them do into an if of its own, before or behind the barrier";

/** Called when a barrier of the block, or of the grid, opens: tells where not all of its threads are at the same one. */
export function checkBarrier(machine: MachineState, context: BlockContext): void {
  const { shadow } = machine;
  if (shadow === null || shadow.paused) return;
  const remark = divergence(machine, context);
  if (remark !== null) shadow.watch.add(remark);
}

/** All threads that the block has had are at one barrier, warp by warp. */
function isWhole({ warps }: BlockContext): boolean {
  const pc = warps[0]?.barrier[0]?.pc;
  for (const { barrier, existing } of warps) {
    const [wait] = barrier;
    if (wait === undefined || wait.pc !== pc || wait.lanes !== existing) return false;
  }
  return true;
}

interface Arrival extends BarrierWait {
  readonly warp: Warp;
}

function divergence(machine: MachineState, context: BlockContext): UndefinedRemark | null {
  if (isWhole(context)) return null;
  const { launch } = machine;
  const arrivals = context.warps.flatMap((warp) => warp.barrier.map((wait): Arrival => ({ ...wait, warp })));
  const [first] = arrivals;
  if (first === undefined) return null;
  const other = arrivals.find(({ pc }) => pc !== first.pc);
  if (other !== undefined) return apart(machine, context, first, other);
  const instruction = launch.program.instructions[first.pc]!;
  for (const warp of context.warps) {
    const site = { launch, instruction, block: context.block, warp: warp.index };
    // Before 7.0 a warp has arrived when any of its lanes has.
    const elsewhere = warp.live & ~warp.atBarrier;
    if (elsewhere !== 0) {
      const remark = partOfWarp({ ...site, lanes: elsewhere }, warp.atBarrier);
      const there = placeOfLanes(warp, elsewhere);
      const elsewhereAt = there === null ? undefined : launch.program.instructions[there];
      return elsewhereAt === undefined ? remark : { ...remark, other: { ...remark.site, instruction: elsewhereAt } };
    }
    const ended = warp.existing & ~warp.live;
    if (ended !== 0) return behindReturn({ ...site, lanes: ended });
  }
  return null;
}

/** The pc at which the first of some lanes goes on; null where it is not known. */
function placeOfLanes({ readyCount, readyPc, readyMask, parked }: Warp, lanes: number): number | null {
  for (let k = 0; k < readyCount; k++) if ((readyMask[k]! & lanes) !== 0) return readyPc[k]!;
  return parked.find((group) => (group.lanes & lanes) !== 0)?.pc ?? null;
}

function partOfWarp(site: FaultSite, arrived: number): UndefinedRemark {
  const what = `divergent threads in warp: ${maskText(arrived)} are at this barrier, and ${maskText(site.lanes)} of the warp are not. Before compute capability 7.0 it opens all the same, as it counts warps`;
  return { kind: "divergent-barrier", site, what, cure: BARRIER_CURE };
}

/** How threads end before they come to `pc`: by a return, past an if around it; null where they go by it and end behind. */
function endBefore({ instructions, sources }: Program, pc: number): "return" | "if" | null {
  const exits = instructions.slice(0, pc).filter(({ op }) => op === "exit");
  if (exits.length === 0) return null;
  const returns = exits.some(({ span, source }) => {
    const line = sources[source]?.text.split("\n")[span.line - 1] ?? "";
    return line.slice(span.column).startsWith("return");
  });
  return returns ? "return" : "if";
}

function behindReturn(site: FaultSite): UndefinedRemark {
  const { launch, instruction } = site;
  const ended = endBefore(launch.program, instruction.pc);
  const what = `threads of the block have ended before this barrier: ${maskText(site.lanes)} of the warp`;
  const rule =
    "CUDA leaves that undefined before compute capability 7.0. From there on the barrier does not wait for them, but what they had to do for the others is missing";
  const cure = {
    return: `${rule}. Let no thread return before the last barrier: put the work into if (i < n), and the barrier behind it`,
    if: `They have skipped the if around it. ${rule}. End the if before the barrier, and begin another one behind it`,
    around: `They have gone by it. ${BARRIER_CURE}`,
  }[ended ?? "around"];
  return { kind: "divergent-barrier", site, defined: !launch.lockstep && ended !== null, what, cure };
}

function apart({ launch }: MachineState, { block }: BlockContext, first: Arrival, other: Arrival): UndefinedRemark {
  const { program } = launch;
  const instruction = program.instructions[other.pc]!;
  const [line, otherLine] = [first, other].map(({ pc }) => sourceLine(program, program.instructions[pc]!));
  const place = line === otherLine ? `another copy or turn of line ${line}` : `line ${line}`;
  const inWarp = first.warp === other.warp ? "in warp" : "in block";
  const what = `divergent threads ${inWarp}: ${maskText(other.lanes)} of warp ${other.warp.index} are at this barrier, and ${maskText(first.lanes)} of warp ${first.warp.index} at that of ${place}. CUDA leaves it undefined, and a GPU takes both for one barrier`;
  const site = { launch, instruction, block, warp: other.warp.index, lanes: other.lanes };
  const there = { ...site, instruction: program.instructions[first.pc]!, warp: first.warp.index, lanes: first.lanes };
  return { kind: "divergent-barrier", site, other: there, what, cure: BARRIER_CURE };
}
