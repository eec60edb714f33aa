/**
 * Simulates all SMs of the GPU, with blocks dispatched to the SM that requests one next. Sampled simulations of one SM
 * are compared with this. SMs share nothing else; each has its share of L2 and DRAM.
 */
import { Sm } from "./sm.js";
import type { SmInput, SmRun } from "./sm-run.js";

/** SMs run in turn for this many cycles, so blocks are dispatched almost in their real order. */
const TURN_CYCLES = 100;

/** The SM that ends last. `smOf` makes the input of one SM; `order` has the trace of each block of the grid. */
export function simulateGpu(
  activeSms: number,
  order: Int32Array,
  smOf: () => SmInput,
): { readonly run: SmRun; readonly input: SmInput } {
  let given = 0;
  const inputs = Array.from({ length: activeSms }, smOf);
  const { residentBlocks } = inputs[0]!;
  // In the first wave, blocks go to the SMs in turn: each SM takes its first blocks when it is created.
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
