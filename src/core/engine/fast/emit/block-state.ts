/** The state of a block beside its values: addresses in memory, budgets, live lanes. */
import { hasExit } from "../analysis/jumps.js";
import type { Local } from "../wasm/body.js";
import { get, i32, select, tee } from "../wasm/expression.js";
import { type Context, SCRATCH } from "./context.js";
import { Places } from "./places.js";

export class BlockState {
  readonly places: Places;
  /** i64: instructions that the block's warps may still issue together before the block asks for more. */
  readonly budget: Local;
  /** Lanes end before the last phase: live lanes are kept in the frames, live warps and lanes are counted here. */
  readonly tracksLive: boolean;
  readonly liveWarps: Local;
  readonly liveLanes: Local;

  /** `warpsPart`: warps may end one by one, other than by `exit`. */
  constructor(
    private readonly context: Context,
    warpsPart = false,
  ) {
    const { body, analysis } = context;
    const { structure } = analysis;
    this.places = new Places(context);
    this.budget = body.permanent("i64");
    this.liveWarps = body.permanent("i32");
    this.liveLanes = body.permanent("i32");
    const last = structure.nodes.at(-1);
    this.tracksLive = warpsPart || structure.phases.some((phase) => phase !== last && hasExit(phase.items));
  }

  /** Runs `emit` for each warp, with `context.warp` and `context.frame` set. */
  eachWarp(emit: () => void): void {
    const { context } = this;
    const { body } = context;
    body.set(context.warp, i32(0));
    body.set(context.frame, i32.add(get(SCRATCH), i32(this.places.framesOffset)));
    const again = body.loop();
    emit();
    body.set(context.frame, i32.add(get(context.frame), i32(this.places.frameBytes)));
    body.brIf(again, i32.lt_u(tee(context.warp, i32.add(get(context.warp), i32(1))), i32(context.warps)));
    body.end();
  }

  /** Pushes the lanes that the warp has: the last one of a block may be partial. */
  pushWarpLanes(): void {
    const { context } = this;
    const { body } = context;
    const rest = context.threads % 32;
    if (rest === 0) {
      body.i32(-1);
      return;
    }
    body.push(select(i32(2 ** rest - 1), i32(-1), i32.eq(get(context.warp), i32(context.warps - 1))));
  }
}
