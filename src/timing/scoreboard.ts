/**
 * What a warp's next instruction waits for: the registers it reads, each with the cycle and the kind of the result that is
 * under way to it, and of an instruction of several slots the slots before. Cycles waited are booked by reason.
 */
import { BYPASS_DELAY, GROUPS } from "./bypass.js";
import { type Microcode, RESULT_FIXED } from "./microcode.js";
import { LONG_SCOREBOARD, SHORT_SCOREBOARD, WAIT } from "./stalls.js";

/** Of a result, by its class: why a warp that needs it waits. */
const RESULT_TO_STALL = [WAIT, SHORT_SCOREBOARD, LONG_SCOREBOARD] as const;

export class Scoreboard {
  private readonly registers: number;
  private readonly ready: Float64Array;
  private readonly resultClass: Uint8Array;
  private readonly group: Uint8Array;
  /** Of the slots of the instruction that the warp is at. */
  private readonly partReady: Float64Array;
  private readonly partClass: Uint8Array;
  /** Fixed results that are there so much before an instruction may issue delay none. */
  private readonly mostDelay: number;

  constructor(
    private readonly mc: Microcode,
    warps: number,
    private readonly warpCycles: Float64Array,
  ) {
    this.registers = Math.max(1, mc.registers);
    this.ready = new Float64Array(warps * this.registers);
    this.resultClass = new Uint8Array(warps * this.registers);
    this.group = new Uint8Array(warps * this.registers);
    this.partReady = new Float64Array(warps);
    this.partClass = new Uint8Array(warps);
    this.mostDelay = Math.max(...BYPASS_DELAY) + mc.guardDelay.reduce((most, each) => Math.max(most, each), 0);
  }

  /** A new warp comes into the place of `warp`. */
  clear(warp: number): void {
    this.ready.fill(0, warp * this.registers, (warp + 1) * this.registers);
  }

  /** The warp has issued `slot` of `pc`, whose result is there at `result`. `last`: the instruction's last slot. */
  note(warp: number, pc: number, slot: number, result: number, last: boolean): void {
    const { mc, partReady, partClass } = this;
    if (slot === mc.slotStart[pc]! || result > partReady[warp]!) {
      partReady[warp] = result;
      partClass[warp] = mc.resultClass[slot]!;
    }
    if (!last) return;
    const base = warp * this.registers;
    const end = mc.writeStart[pc + 1]!;
    for (let i = mc.writeStart[pc]!; i < end; i++) {
      const reg = base + mc.writes[i]!;
      this.ready[reg] = partReady[warp]!;
      this.resultClass[reg] = partClass[warp]!;
      this.group[reg] = mc.group[slot]!;
    }
  }

  /**
   * When `slot` of `pc` may issue, which may at `earliest` at the soonest for `reason`; the wait from `from` on is booked.
   */
  readyAt(warp: number, pc: number, slot: number, from: number, earliest: number, reason: number): number {
    const { mc, warpCycles } = this;
    let fixed = earliest;
    let fixedReason = reason;
    let late = 0;
    let lateReason = 0;
    const group = mc.group[slot]!;
    if (slot === mc.slotStart[pc]!) {
      const { reads } = mc;
      const base = warp * this.registers;
      const end = mc.readStart[pc + 1]!;
      for (let i = mc.readStart[pc]!; i < end; i++) {
        const reg = base + reads[i]!;
        let ready = this.ready[reg]!;
        if (ready + this.mostDelay <= earliest) continue;
        const kind = this.resultClass[reg]!;
        if (kind === RESULT_FIXED) {
          ready += BYPASS_DELAY[this.group[reg]! * GROUPS + group]!;
          if (reads[i] === mc.guard[pc]) ready += mc.guardDelay[pc]!;
        }
        if (ready <= fixed && ready <= late) continue;
        if (kind === RESULT_FIXED) {
          if (ready > fixed) {
            fixed = ready;
            fixedReason = WAIT;
          }
        } else if (ready > late) {
          late = ready;
          lateReason = RESULT_TO_STALL[kind]!;
        }
      }
    } else if (mc.independent[slot] === 0) {
      let ready = this.partReady[warp]!;
      if (this.partClass[warp] === RESULT_FIXED) {
        ready += BYPASS_DELAY[mc.group[slot - 1]! * GROUPS + group]! + mc.partDelay[slot]!;
        if (ready > fixed) {
          fixed = ready;
          fixedReason = WAIT;
        }
      } else {
        late = ready;
        lateReason = RESULT_TO_STALL[this.partClass[warp]!]!;
      }
    }
    if (fixed > from) warpCycles[fixedReason]! += fixed - from;
    if (late <= fixed) return fixed;
    warpCycles[lateReason]! += late - Math.max(from, fixed);
    return late;
  }
}
