/** The races of all launches that one sanitizer follows, one for each pair of source lines. */
import type { PreparedLaunch } from "../../engine/engine.js";
import type { Instruction } from "../../lower/program.js";
import { AccessHistory } from "./access-history.js";
import type { GridClock, Relation } from "./grid-clock.js";
import type { StreamOperation } from "./operation-order.js";
import type { ReleaseLog } from "./release-log.js";

export type HazardKind = "read-after-write" | "write-after-read" | "write-after-write";

/** An access of a kernel's thread. */
export interface KernelSide {
  readonly launch: PreparedLaunch;
  readonly instruction: Instruction;
  readonly block: number;
  /** Linear index in the block. */
  readonly thread: number;
  readonly does: "read" | "write" | "atomic";
  /** Where it is part of an update, x += 1: the pc of the update's store. */
  readonly update: number | null;
  readonly operation: StreamOperation;
}

/** A copy or a memset, of which no thread is known. */
export interface CopySide {
  readonly launch: null;
  readonly does: "read" | "write";
  readonly operation: StreamOperation;
}

/** One side of a race. */
export type RaceSide = KernelSide | CopySide;

/** All pairs of accesses at two source lines that nothing orders. */
export interface Race extends Counted {
  readonly kind: HazardKind;
  readonly space: "global" | "shared" | "host";
  readonly relation: Relation;
  /** In the order of the run. */
  readonly first: RaceSide;
  readonly second: RaceSide;
  /** Byte address of the first pair's word. */
  readonly address: number;
  /** The word before and after the first pair's second access; null for reads. */
  readonly values: readonly [before: number, after: number] | null;
}

export interface Counted {
  readonly count: number;
  /** Pairs of writes that left the same value. */
  readonly sameValue: number;
  /** Pairs within one warp, at two instructions. */
  readonly withinWarp: number;
  /** Pairs of two warps. */
  readonly acrossWarps: number;
  /** The first read that found what nobody had written yet, before the write of its pair. */
  readonly unwritten: RaceSide | null;
}

/** Two accesses that nothing orders. */
export interface RacingPair {
  /** Two plain writes that left the same value. */
  readonly sameValue: boolean;
  readonly sameWarp: boolean;
  /** At two instructions of one warp, which lockstep orders. */
  readonly inOrder: boolean;
  /** The first is a read of what nobody had written yet. */
  readonly unwritten: boolean;
}

/** An instruction that accesses memory, or the part of a copy that does. */
export interface Code {
  /** null for a copy. */
  readonly instruction: Instruction | null;
  /** Index into the program's instructions. */
  readonly pc: number;
  readonly space: Race["space"];
  /** Of memory, for each thread. */
  readonly bytes: number;
  readonly reads: boolean;
  readonly atomic: boolean;
  /** Ordered by the hardware with other such accesses: atomics, volatile accesses of global memory and of shared flags. */
  readonly strong: boolean;
  /** A volatile load that waits for a value. */
  readonly waits: boolean;
  /** For a load and a store of one update: the store's pc. */
  readonly update: number | null;
}

/** A grid whose accesses stand in the histories; a copy is one of a single thread. */
export interface RacingGrid {
  readonly clock: GridClock;
  /** null for what accesses no memory. */
  codeAt(pc: number): Code | null;
  side(code: Code, block: number, thread: number): RaceSide;
}

/** Whether each side is a part of an update, so that an atomic in its place cures the race. */
export function areUpdates({ first, second }: Pick<Race, "first" | "second">): boolean {
  const part = (side: RaceSide): boolean => side.launch !== null && (side.update !== null || side.does === "atomic");
  return part(first) && part(second) && (first.does !== "atomic" || second.does !== "atomic");
}

function updateLine({ launch, update }: RaceSide & { readonly update?: number | null }): string {
  const { source, span } = launch?.program.instructions[update ?? 0] ?? { source: 0, span: { line: 0 } };
  return `${launch?.program.name} ${source} ${span.line}`;
}

/** Whether both sides are parts of one statement that updates an element: x += 1. */
function inOneUpdate({ first, second }: Pick<Race, "first" | "second">): boolean {
  if (first.launch === null || second.launch === null || first.update === null || second.update === null) return false;
  return updateLine(first) === updateLine(second);
}

/** The races of all launches that one sanitizer follows, and the history of their global memory. */
export class Races {
  readonly found: Map<string, Race> = new Map();
  private readonly memories: WeakMap<object, AccessHistory> = new WeakMap();
  private readonly logs: WeakMap<object, Map<number, ReleaseLog>> = new WeakMap();
  /** Numbers of grids in records, from 1. */
  readonly grids: RacingGrid[] = [];

  history(memory: object): AccessHistory {
    const known = this.memories.get(memory) ?? new AccessHistory();
    this.memories.set(memory, known);
    return known;
  }

  releases(memory: object): Map<number, ReleaseLog> {
    const known = this.logs.get(memory) ?? new Map<number, ReleaseLog>();
    this.logs.set(memory, known);
    return known;
  }

  add(race: Omit<Race, keyof Counted>, pair: RacingPair): void {
    const { first, second, kind, space } = race;
    const { sameValue, sameWarp, inOrder, unwritten } = pair;
    // An unrolled loop has the same line many times.
    const line = (side: RaceSide): string =>
      side.launch === null
        ? side.operation.name
        : `${side.launch.program.name} ${side.instruction.source} ${side.instruction.span.line}`;
    // All races in one statement are one finding.
    const key = inOneUpdate(race)
      ? `update ${space} ${updateLine(first)}`
      : `${kind} ${space} ${first.does} ${line(first)} ${second.does} ${line(second)}`;
    const known = this.found.get(key);
    // A pair of two warps tells more than one within a warp, and two values tell more than one.
    const better =
      known === undefined ||
      (known.acrossWarps === 0 && !sameWarp) ||
      (known.sameValue === known.count && !sameValue && (known.acrossWarps === 0 || !sameWarp));
    const shown = better ? race : known;
    this.found.set(key, {
      ...shown,
      count: (known?.count ?? 0) + 1,
      sameValue: (known?.sameValue ?? 0) + Number(sameValue),
      withinWarp: (known?.withinWarp ?? 0) + Number(inOrder),
      acrossWarps: (known?.acrossWarps ?? 0) + Number(!sameWarp),
      unwritten: known?.unwritten ?? (unwritten ? first : null),
    });
  }
}
