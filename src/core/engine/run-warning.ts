/**
 * Warnings about behaviour that CUDA leaves undefined and a GPU passes over in silence. An engine that sees it goes on, and
 * says so. faults.ts words what a GPU refuses.
 */
import type { SourceText, Span } from "../base/errors.js";
import type { Warning } from "../ir/ir.js";
import type { FaultSite, UndefinedKind, UndefinedRemark, UndefinedWatch } from "./engine.js";
import { coordinates, hexMask, sourceLine } from "./faults.js";

export interface RunWarning extends Warning {
  readonly kind: UndefinedKind;
  /** Where the run found it: linear index of the block, warp in the block, and mask of lanes. */
  readonly block: number;
  readonly warp: number;
  readonly lanes: number;
  readonly other?: OtherLanes;
  /** CUDA defines it on this GPU. */
  readonly defined?: boolean;
  /** The message with the cure that the kernel's text alone can follow. */
  readonly kernelMessage?: string;
}

/** Lanes that are elsewhere at the same time, and where. */
export interface OtherLanes {
  readonly span: Span;
  readonly source: SourceText | undefined;
  readonly warp: number;
  readonly lanes: number;
}

/** The first warning of each kind and line, of all engines that run blocks of one launch. */
export class RunWarnings implements UndefinedWatch {
  readonly list: RunWarning[] = [];
  private readonly known: Set<string> = new Set();

  isNew(kind: UndefinedKind, { launch, instruction }: Pick<FaultSite, "launch" | "instruction">): boolean {
    return !this.known.has(keyOf(kind, launch.program.name, instruction.source, instruction.span.line));
  }

  add({ kind, site, other, defined, what, cure, kernelCure }: UndefinedRemark): void {
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
      ...(kernelCure === undefined ? {} : { kernelMessage: `${where}: ${what}. ${kernelCure}.` }),
      span: instruction.span,
      ...(source === undefined ? {} : { source }),
      block,
      warp,
      lanes: lanes >>> 0,
      ...(other === undefined ? {} : { other: otherLanes(other) }),
      ...(defined === true ? { defined } : {}),
    });
  }
}

function otherLanes({ launch, instruction, warp, lanes }: FaultSite): OtherLanes {
  return { span: instruction.span, source: launch.program.sources[instruction.source], warp, lanes: lanes >>> 0 };
}

function keyOf(kind: UndefinedKind, program: string, source: number, line: number): string {
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
