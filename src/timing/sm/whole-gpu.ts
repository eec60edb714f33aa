/**
 * All SMs of the GPU, each block on the SM that asks for one next, as the GPU's dispatcher gives them out: what a sampled
 * simulation of one SM is measured against. SMs share nothing else; each has its part of L2 and DRAM.
 */
import { Sm } from "./sm.js";
import type { SmInput, SmRun } from "./sm-run.js";

/** SMs go on in turn for so many cycles, so blocks are given out in nearly their order. */
const TURN_CYCLES = 100;

/** The SM that is done last. `smOf` makes the inputs of one SM; `order`: trace of each block of the grid. */
export function simulateGpu(
  activeSms: number,
  order: Int32Array,
  smOf: () => SmInput,
): { readonly run: SmRun; readonly input: SmInput } {
  let given = 0;
  const inputs = Array.from({ length: activeSms }, smOf);
  const { residentBlocks } = inputs[0]!;
  // The first round goes round the SMs: each takes its first blocks at once when it is made.
  const sms: Sm[] = inputs.map((input, sm) => {
    let first = 0;
    const next = (): number => {
      if (first < residentBlocks) {
        const block = sm + first++ * activeSms;
        given = Math.max(given, block + 1);
        return block < order.length ? block : -1;
      }
      return given < order.length ? given++ : -1;
    };
    return new Sm(input, { next, traceOf: (block) => order[block]! });
  });
  let busy = sms;
  for (let until = TURN_CYCLES; busy.length > 0; until += TURN_CYCLES) {
    busy = busy.filter((sm) => sm.advance(until, Number.POSITIVE_INFINITY));
  }
  const ends = sms.map((sm, index) => ({ run: sm.result(), input: inputs[index]! }));
  return ends.reduce((last, end) => (end.run.cycles > last.run.cycles ? end : last));
}
