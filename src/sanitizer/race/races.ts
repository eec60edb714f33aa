/** The races of all launches that one sanitizer follows, one for each pair of source lines. */
import type { PreparedLaunch } from "../../engine/engine.js";
import type { Instruction } from "../../lower/program.js";
import { AccessHistory } from "./access-history.js";
import type { GridClock } from "./grid-clock.js";
import type { ReleaseLog } from "./release-log.js";

export type HazardKind = "read-after-write" | "write-after-read" | "write-after-write";

/** One side of a race. */
export interface RaceSide {
  readonly launch: PreparedLaunch;
  readonly instruction: Instruction;
  readonly block: number;
  /** Linear index in the block. */
  readonly thread: number;
  readonly does: "read" | "write" | "atomic";
}

/** All pairs of accesses at two source lines that nothing orders. */
export interface Race extends Counted {
  readonly kind: HazardKind;
  readonly space: "global" | "shared";
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
  /** Reads that found what nobody had written yet, before the write of their pair. */
  readonly unwritten: number;
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

/** An instruction that accesses memory. */
export interface Code {
  readonly instruction: Instruction;
  readonly words: number;
  readonly reads: boolean;
  readonly atomic: boolean;
  /** Ordered by the hardware with other such accesses of other warps: atomics, and volatile accesses of global memory. */
  readonly strong: boolean;
}

/** A grid whose accesses stand in the histories. */
export interface RacingGrid {
  readonly launch: PreparedLaunch;
  readonly clock: GridClock;
  /** By pc; null for what accesses no memory. */
  readonly code: readonly (Code | null)[];
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
    const line = ({ launch, instruction: { source, span } }: RaceSide): string =>
      `${launch.program.name} ${source} ${span.line}`;
    const key = `${kind} ${space} ${first.does} ${line(first)} ${second.does} ${line(second)}`;
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
      unwritten: (known?.unwritten ?? 0) + Number(unwritten),
    });
  }
}
