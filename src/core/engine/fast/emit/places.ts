/**
 * The addresses of the values of a warp's webs. A web that lives in one phase only has an address that all warps share in
 * turn. A web that crosses a barrier has one in each warp's frame.
 */
import type { Web } from "../analysis/webs.js";
import { MARGIN } from "../layout.js";
import type { Local } from "../wasm/body.js";
import { type Context, SCRATCH } from "./context.js";
import { isWide } from "./vector/vector-target.js";

/** A place in memory: the address in local `base` plus `offset` bytes. */
export interface Place {
  readonly base: Local;
  readonly offset: number;
}

export class Places {
  private readonly slots = new Map<Web, Place>();
  private readonly scalars = new Map<Web, Place>();
  /** Webs of each warp that live across barriers. */
  readonly crossing: ReadonlySet<Web>;
  readonly framesOffset: number;
  readonly frameBytes: number;
  /** Place of the warp's live lanes in its frame. */
  readonly live: Place;
  /** Tables of the thread indices by axis, a row of 32 a warp; -1 where not needed. */
  readonly threadTables: readonly [number, number, number];

  constructor(private readonly context: Context) {
    const { analysis, layout, frame } = context;
    const { table } = analysis;
    this.crossing = findCrossing(context);
    let frameBytes = MARGIN;
    for (const web of table.webs) {
      const shape = context.shapeOf(web);
      const slot = shape.kind === "varying" && web.type !== "bool";
      if (shape.kind === "uniform" && shape.scope === "block") continue;
      if (slot) {
        const bytes = isWideWeb(context, web) ? 256 : 128;
        if (this.crossing.has(web)) {
          this.slots.set(web, { base: frame, offset: frameBytes });
          frameBytes += bytes;
        } else this.slots.set(web, { base: SCRATCH, offset: layout.take(bytes) });
      } else if (this.crossing.has(web)) {
        // Value, then the stride of an affine web.
        this.scalars.set(web, { base: frame, offset: frameBytes });
        frameBytes += 16;
      }
    }
    this.live = { base: frame, offset: 0 };
    this.frameBytes = Math.ceil(frameBytes / 64) * 64;
    layout.take(MARGIN);
    this.framesOffset = layout.take(this.frameBytes * context.warps, 64);
    layout.take(MARGIN);
    this.threadTables = ([0, 1, 2] as const).map((axis) =>
      needsTable(context, axis) ? layout.take(128 * context.warps) : -1,
    ) as [number, number, number];
  }

  slot(web: Web): Place {
    const place = this.slots.get(web);
    if (place === undefined) throw new Error(`register ${web.reg} has no slot`);
    return place;
  }
  scalar(web: Web): Place | null {
    return this.scalars.get(web) ?? null;
  }
  get crossingScalars(): readonly Web[] {
    return [...this.crossing].filter((web) => this.scalars.has(web));
  }

  /** Pushes the address of a place, for a memory instruction with the place's offset. */
  push(place: Place): void {
    this.context.body.get(place.base);
  }
}

export function isWideWeb(context: Context, web: Web): boolean {
  return isWide(web.type) || (web.type === "addr" && context.analysis.storageOf(web) === "i64");
}

function needsTable(context: Context, axis: 0 | 1 | 2): boolean {
  const name = "xyz"[axis];
  return context.analysis.program.instructions.some(({ pc, src }) =>
    src.some(
      (operand, index) =>
        operand.kind === "special" &&
        operand.special.name === "threadIdx" &&
        operand.special.axis === name &&
        context.operandShape(pc, index).kind === "varying",
    ),
  );
}

/** Webs of a warp with definitions or uses in several phases, or whose start value a later iteration of a phase may see. */
function findCrossing(context: Context): ReadonlySet<Web> {
  const { table, structure } = context.analysis;
  const crossing = new Set<Web>();
  for (const web of table.webs) {
    const shape = context.shapeOf(web);
    if (shape.kind === "uniform" && shape.scope === "block") continue;
    const phases = new Set([...web.defs, ...web.uses].map((pc) => structure.phaseOf[pc] ?? null));
    const [only] = phases;
    if (
      phases.size > 1 ||
      (phases.size === 1 && (only == null || (web.readsInitial && structure.repeated.has(only))))
    ) {
      crossing.add(web);
    }
  }
  return crossing;
}
