/**
 * The order in which a block adds. Each sum that a thread stores is looked up among those of the interleaved order;
 * random data makes them distinct. There, thread t sums the 2s neighbouring elements from element 2st on, and s doubles.
 */
import type { Instruction } from "../../../lower/program.js";
import { instructionLine } from "../source-line.js";
import { blockElements } from "../spec.js";
import { elementsOfBlock } from "../trial.js";
import type { Additions } from "./additions.js";
import { type BlockStep, type BlockWitness, forLanes, type TracedBlock } from "./block-trace.js";

interface Sum {
  readonly first: number;
  readonly count: number;
}

const sumKey = ({ first, count }: Sum): string => `${first} ${count}`;

export class InterleavedOrder implements BlockWitness {
  /** A sentence; null as long as the order is kept. */
  found: string | null = null;
  private readonly sums = new Map<number, Sum>();
  private readonly missing = new Map<string, Sum>();
  /** Elements are missing in a last block of a guarded kernel: zeros in their place make equal sums of different steps. */
  private readonly whole: boolean;

  constructor(
    private readonly traced: TracedBlock,
    private readonly additions: Additions,
  ) {
    let values = Array.from(elementsOfBlock(traced.trial, traced.block));
    this.whole = values.length === blockElements(traced.trial.spec, traced.trial.config.block);
    if (!this.whole) return;
    for (let count = 1; values.length > 0; count *= 2) {
      for (const [index, value] of values.entries()) {
        const sum = { first: index * count, count };
        this.sums.set(value, sum);
        if (count > 1) this.missing.set(sumKey(sum), sum);
      }
      if (values.length === 1) break;
      const level = values;
      values = Array.from(
        { length: level.length >> 1 },
        (_, pair) => ((level[2 * pair] ?? 0) + (level[2 * pair + 1] ?? 0)) | 0,
      );
    }
  }

  step({ instruction, lanes, warp, operand }: BlockStep): void {
    if (!this.whole || instruction.op !== "st" || lanes === 0 || instruction.space === "local") return;
    for (let index = 1; index < instruction.src.length; index++) {
      const data = this.additions.dataLanes(warp, instruction, index) & lanes;
      if (data === 0) continue;
      const values = operand(index);
      forLanes(data, (lane) => this.stored(warp * 32 + lane, Number(values[lane]) | 0, instruction));
    }
  }

  end(): void {
    const [first] = this.missing.values();
    if (first === undefined) return;
    this.tell(`No thread stores the sum of elements ${first.first} to ${first.first + first.count - 1}`);
  }

  private stored(thread: number, value: number, instruction: Instruction): void {
    const sum = this.sums.get(value);
    const line = (): string => instructionLine(this.traced.program, instruction);
    if (sum === undefined) {
      this.tell(
        `${line()}: thread ${thread} stores a sum that the interleaved order does not make, of elements that are no neighbours or no power of two of them`,
      );
      return;
    }
    const { first, count } = sum;
    if (count === 1) return;
    this.missing.delete(sumKey(sum));
    // The whole sum is any thread's to hand on.
    if (first / count !== thread && count < this.elements) {
      this.tell(
        `${line()}: thread ${thread} stores the sum of elements ${first} to ${first + count - 1}, which is the work of thread ${first / count}`,
      );
    }
  }

  private get elements(): number {
    return elementsOfBlock(this.traced.trial, this.traced.block).length;
  }

  private tell(sentence: string): void {
    const { trial, block } = this.traced;
    this.found ??= `${sentence} (block ${block} of ${trial.grid}, ${trial.config.block} threads).`;
  }
}
