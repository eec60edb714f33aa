/**
 * What a warp's next slot waits for: the registers that its instruction reads, each with the cycle and the kind of the
 * result that is under way to it, and of an instruction of several slots the slots before. Cycles waited are booked by reason.
 */
import { BYPASS_DELAY, GROUPS } from "./bypass.js";
import type { Microcode } from "./microcode.js";
import { FIRST, groupOf, INDEPENDENT, LAST, RESULT_FIXED, resultClassOf, withResultOf } from "./slot-info.js";
import { LONG_SCOREBOARD, SHORT_SCOREBOARD, WAIT } from "./stalls.js";

/** Of a result, by its class: why a warp that needs it waits. */
const RESULT_TO_STALL = [WAIT, SHORT_SCOREBOARD, LONG_SCOREBOARD] as const;

export class Scoreboard {
  private readonly registers: number;
  /** Of each warp's registers: when the result is there, and the slot that it comes from, as `slot-info.ts` has it. */
  private readonly ready: Float64Array;
  private readonly source: Int32Array;
  /** The same of the slots of the instruction that each warp is at, the latest of them. */
  private readonly partReady: Float64Array;
  private readonly partSource: Int32Array;
  private readonly info: Int32Array;
  private readonly readStart: Int32Array;
  private readonly reads: Int32Array;
  private readonly readDelay: Float64Array;
  private readonly writeStart: Int32Array;
  private readonly writes: Int32Array;
  private readonly partDelay: Float64Array;
  /** Fixed results that are there so much before an instruction may issue delay none. */
  private readonly mostDelay: number;

  constructor(
    mc: Microcode,
    warps: number,
    private readonly warpCycles: Float64Array,
  ) {
    this.registers = Math.max(1, mc.registers);
    this.ready = new Float64Array(warps * this.registers);
    this.source = new Int32Array(warps * this.registers);
    this.partReady = new Float64Array(warps);
    this.partSource = new Int32Array(warps);
    this.info = mc.info;
    this.readStart = mc.readStart;
    this.reads = mc.reads;
    this.readDelay = mc.readDelay;
    this.writeStart = mc.writeStart;
    this.writes = mc.writes;
    this.partDelay = mc.partDelay;
    this.mostDelay = Math.max(...BYPASS_DELAY) + mc.readDelay.reduce((most, each) => Math.max(most, each), 0);
  }

  /** A new warp comes into the place of `warp`. */
  clear(warp: number): void {
    this.ready.fill(0, warp * this.registers, (warp + 1) * this.registers);
  }

  /** The warp has issued `slot`, whose result is there at `result`. */
  note(warp: number, slot: number, info: number, result: number): void {
    let ready = result;
    let source = info;
    if ((info & FIRST) === 0 && result <= this.partReady[warp]!) {
      ready = this.partReady[warp]!;
      source = withResultOf(this.partSource[warp]!, info);
    }
    if ((info & LAST) === 0) {
      this.partReady[warp] = ready;
      this.partSource[warp] = source;
      return;
    }
    const base = warp * this.registers;
    const end = this.writeStart[slot + 1]!;
    for (let i = this.writeStart[slot]!; i < end; i++) {
      const reg = base + this.writes[i]!;
      this.ready[reg] = ready;
      this.source[reg] = source;
    }
  }

  /** When `slot` may issue, which may at `earliest` at the soonest for `reason`; the wait from `from` on is booked. */
  readyAt(warp: number, slot: number, from: number, earliest: number, reason: number): number {
    const { warpCycles } = this;
    const info = this.info[slot]!;
    let fixed = earliest;
    let fixedReason = reason;
    let late = 0;
    let lateReason = 0;
    if ((info & FIRST) !== 0) {
      const base = warp * this.registers;
      const end = this.readStart[slot + 1]!;
      for (let i = this.readStart[slot]!; i < end; i++) {
        const reg = base + this.reads[i]!;
        let ready = this.ready[reg]!;
        if (ready + this.mostDelay <= earliest) continue;
        const source = this.source[reg]!;
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
      let ready = this.partReady[warp]!;
      const kind = resultClassOf(this.partSource[warp]!);
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
    if (fixed > from) warpCycles[fixedReason]! += fixed - from;
    if (late <= fixed) return fixed;
    warpCycles[lateReason]! += late - Math.max(from, fixed);
    return late;
  }
}
