/**
 * What CUDA leaves undefined and a GPU passes over in silence: an engine that sees it goes on, and says so. The words for
 * what a GPU refuses are in faults.ts.
 */
import type { Warning } from "../ir/ir.js";
import { coordinates, type FaultSite, hexMask, sourceLine } from "./faults.js";

export type RunWarningKind =
  /** Shared memory is read before it was written, and something depends on what is read. */
  | "uninitialized-shared"
  /** The same of a local array. */
  | "uninitialized-local"
  /** The mask of a warp primitive names lanes that the block does not have, that have ended, or (before 7.0) that are elsewhere. */
  | "missing-lanes"
  /** Before 7.0, where it is no fault: a lane executes a warp primitive whose mask does not name it. */
  | "lane-outside-mask"
  /** A shuffle's source lane is outside the mask, inactive, missing or has ended, and something depends on what it gives. */
  | "undefined-shuffle-source"
  /** A block barrier in a branch that a part of the block takes, or after some threads have ended. */
  | "divergent-barrier";

export interface RunWarning extends Warning {
  readonly kind: RunWarningKind;
  /** Where the run found it: linear index of the block, warp in the block, and mask of lanes. */
  readonly block: number;
  readonly warp: number;
  readonly lanes: number;
}

/** What is said of one place in the program. */
export interface Remark {
  readonly kind: RunWarningKind;
  readonly site: FaultSite;
  readonly what: string;
  readonly cure: string;
}

/** The first warning of each kind and line, of all engines that run blocks of one launch. */
export class RunWarnings {
  readonly list: RunWarning[] = [];
  private readonly known: Set<string> = new Set();

  /** Whether nothing was said yet of this kind at the instruction's line. */
  isNew(kind: RunWarningKind, { launch, instruction }: Pick<FaultSite, "launch" | "instruction">): boolean {
    return !this.known.has(keyOf(kind, launch.program.name, instruction.source, instruction.span.line));
  }

  add({ kind, site, what, cure }: Remark): void {
    const { launch, instruction, block, warp, lanes } = site;
    if (!this.isNew(kind, site)) return;
    this.known.add(keyOf(kind, launch.program.name, instruction.source, instruction.span.line));
    const { program, grid, launchedBy } = launch;
    const source = program.sources[instruction.source];
    const by = launchedBy === undefined ? "" : `, in a child grid, launched by ${launchedBy}`;
    const where = `${program.name}, line ${sourceLine(program, instruction)}, block (${coordinates(block, grid).join(",")}), warp ${warp}${by}`;
    this.list.push({
      kind,
      message: `${where}: ${what}. ${cure}.`,
      span: instruction.span,
      ...(source === undefined ? {} : { source }),
      block,
      warp,
      lanes: lanes >>> 0,
    });
  }
}

function keyOf(kind: RunWarningKind, program: string, source: number, line: number): string {
  return `${kind} ${source} ${line} ${program}`;
}

/** A mask in words: `lane 5`, `lanes 0 to 15`, `lanes 0, 2 and 8 to 31`. */
export function lanesText(mask: number): string {
  const runs: string[] = [];
  for (let lane = 0; lane < 32; lane++) {
    if (((mask >>> lane) & 1) === 0) continue;
    let last = lane;
    while (last < 31 && ((mask >>> (last + 1)) & 1) === 1) last++;
    runs.push(last > lane + 1 ? `${lane} to ${last}` : `${lane}`);
    if (last > lane + 1) lane = last;
  }
  const few = runs.length > 4 ? [...runs.slice(0, 3), "others"] : runs;
  const last = few.pop() ?? "none";
  const list = few.length === 0 ? last : `${few.join(", ")} and ${last}`;
  return `${(mask & (mask - 1)) === 0 ? "lane" : "lanes"} ${list}`;
}

/** `lanes 0x0000ffff (lanes 0 to 15)`. */
export function maskText(mask: number): string {
  return `lanes ${hexMask(mask)} (${lanesText(mask)})`;
}
