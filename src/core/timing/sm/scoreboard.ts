/**
 * When a warp's next slot may issue. The first slot of an instruction waits for the registers that it reads; a later
 * slot waits for the slots before it. Each register has the cycle and the kind of its outstanding result. The cycles of
 * the wait are booked by stall reason.
 */

import { LONG_SCOREBOARD, SHORT_SCOREBOARD, WAIT } from "../base/stalls.js";
import type { WarpObserver } from "../base/warp-observer.js";
import { BYPASS_DELAY, GROUPS } from "../program/bypass.js";
import type { Microcode } from "../program/microcode.js";
import { FIRST, groupOf, INDEPENDENT, LAST, RESULT_FIXED, resultClassOf, withResultOf } from "../program/slot-info.js";
import type { Warp } from "./warp.js";

/** The stall reason of a warp that waits for a result, by the result's class. */
const RESULT_TO_STALL = [WAIT, SHORT_SCOREBOARD, LONG_SCOREBOARD] as const;

export class Scoreboard {
  private readonly info: Int32Array;
  private readonly readStart: Int32Array;
  private readonly reads: Int32Array;
  private readonly readDelay: Float64Array;
  private readonly writeStart: Int32Array;
  private readonly writes: Int32Array;
  private readonly partDelay: Float64Array;
  /** No bypass delay is longer: a fixed result that is available this much earlier causes no wait. */
  private readonly mostDelay: number;
  /** Whether the last slot asked about waits for a result of known latency. */
  waitsForResult = false;

  constructor(
    mc: Microcode,
    private readonly warpCycles: Float64Array,
    private readonly observer: WarpObserver | null = null,
  ) {
    this.info = mc.info;
    this.readStart = mc.readStart;
    this.reads = mc.reads;
    this.readDelay = mc.readDelay;
    this.writeStart = mc.writeStart;
    this.writes = mc.writes;
    this.partDelay = mc.partDelay;
    this.mostDelay = Math.max(...BYPASS_DELAY) + mc.readDelay.reduce((most, each) => Math.max(most, each), 0);
  }

  /** The warp has issued `slot`, whose result is available at `result`. */
  note(warp: Warp, slot: number, info: number, result: number): void {
    let ready = result;
    let source = info;
    if ((info & FIRST) === 0 && result <= warp.partReady) {
      ready = warp.partReady;
      source = withResultOf(warp.partSource, info);
    }
    if ((info & LAST) === 0) {
      warp.partReady = ready;
      warp.partSource = source;
      return;
    }
    const { ready: readyOf, source: sourceOf } = warp;
    const end = this.writeStart[slot + 1]!;
    for (let i = this.writeStart[slot]!; i < end; i++) {
      const reg = this.writes[i]!;
      readyOf[reg] = ready;
      sourceOf[reg] = source;
    }
  }

  /** When `slot` may issue, but not before `earliest`, which is due to `reason`. Books the wait from `from`. */
  readyAt(warp: Warp, slot: number, from: number, earliest: number, reason: number): number {
    const { warpCycles } = this;
    const info = this.info[slot]!;
    let fixed = earliest;
    let fixedReason = reason;
    let late = 0;
    let lateReason = 0;
    if ((info & FIRST) !== 0) {
      const { ready: readyOf, source: sourceOf } = warp;
      const end = this.readStart[slot + 1]!;
      for (let i = this.readStart[slot]!; i < end; i++) {
        const reg = this.reads[i]!;
        let ready = readyOf[reg]!;
        if (ready + this.mostDelay <= earliest) continue;
        const source = sourceOf[reg]!;
        const kind = resultClassOf(source);
        if (kind === RESULT_FIXED) {
          ready += BYPASS_DELAY[groupOf(source) * GROUPS + groupOf(info)]!;
          ready += this.readDelay[i]!;
          if (ready > fixed) {
            fixed = ready;
            fixedReason = WAIT;
          }
        } else if (ready > fixed && ready > late) {
          late = ready;
          lateReason = RESULT_TO_STALL[kind]!;
        }
      }
    } else if ((info & INDEPENDENT) === 0) {
      let ready = warp.partReady;
      const kind = resultClassOf(warp.partSource);
      if (kind === RESULT_FIXED) {
        ready += BYPASS_DELAY[groupOf(this.info[slot - 1]!) * GROUPS + groupOf(info)]! + this.partDelay[slot]!;
        if (ready > fixed) {
          fixed = ready;
          fixedReason = WAIT;
        }
      } else {
        late = ready;
        lateReason = RESULT_TO_STALL[kind]!;
      }
    }
    this.waitsForResult = fixed > earliest;
    if (fixed > from) warpCycles[fixedReason]! += fixed - from;
    if (this.observer !== null) {
      if (fixed > from) this.observer.enters(warp.index, fixedReason, from, slot);
      if (late > fixed) this.observer.enters(warp.index, lateReason, Math.max(from, fixed), slot);
    }
    if (late <= fixed) return fixed;
    warpCycles[lateReason]! += late - Math.max(from, fixed);
    return late;
  }
}
