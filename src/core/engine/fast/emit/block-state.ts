/** The state of a block beside its values: addresses in memory, budgets, live lanes. */

import { hasExit } from "../analysis/jumps.js";
import type { Local } from "../wasm/body.js";
import { CONTROL, I32 } from "../wasm/opcodes.js";
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
    body.i32(0);
    body.set(context.warp);
    body.get(SCRATCH);
    body.i32(this.places.framesOffset);
    body.op(I32.add);
    body.set(context.frame);
    const again = body.loop();
    emit();
    body.get(context.frame);
    body.i32(this.places.frameBytes);
    body.op(I32.add);
    body.set(context.frame);
    body.get(context.warp);
    body.i32(1);
    body.op(I32.add);
    body.tee(context.warp);
    body.i32(context.warps);
    body.op(I32.lt_u);
    body.brIf(again);
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
    body.i32(2 ** rest - 1);
    body.i32(-1);
    body.get(context.warp);
    body.i32(context.warps - 1);
    body.op(I32.eq, CONTROL.select);
  }
}
