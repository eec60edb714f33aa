/**
 * The order in which a block adds. Each sum that a thread stores is looked up among those of the interleaved order;
 * random data makes them distinct. There, thread t sums the 2s neighbouring elements from element 2st on, and s doubles.
 */
import type { Instruction } from "../../../core/lower/program.js";
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
  /** By their value: elements that a last block lacks count as zeros, so that several sums may be equal. */
  private readonly sums = new Map<number, Sum[]>();
  private readonly missing = new Map<string, Sum>();
  /** Elements that the block has. */
  private readonly elements: number;

  constructor(
    private readonly traced: TracedBlock,
    private readonly additions: Additions,
  ) {
    const data = elementsOfBlock(traced.trial, traced.block);
    this.elements = data.length;
    const whole = blockElements(traced.trial.spec, traced.trial.config.block);
    let values = Array.from({ length: whole }, (_, index) => data[index] ?? 0);
    for (let count = 1; values.length > 0; count *= 2) {
      for (const [index, value] of values.entries()) {
        const sum = { first: index * count, count };
        this.sums.set(value, [...(this.sums.get(value) ?? []), sum]);
        if (count > 1 && sum.first + 1 < this.elements) this.missing.set(sumKey(sum), sum);
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
    if (instruction.op !== "st" || lanes === 0 || instruction.space === "local") return;
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
    const sums = this.sums.get(value) ?? [];
    const [sum] = sums;
    const line = (): string => instructionLine(this.traced.program, instruction);
    if (sum === undefined) {
      this.tell(
        `${line()}: thread ${thread} stores a sum that the interleaved order does not make, of elements that are no neighbours or no power of two of them`,
      );
      return;
    }
    for (const each of sums) this.missing.delete(sumKey(each));
    const { first, count } = sum;
    // A single element and the whole sum are any thread's to hand on.
    const own = (each: Sum): boolean =>
      each.count === 1 || each.count >= this.elements || each.first / each.count === thread;
    if (!sums.some(own)) {
      this.tell(
        `${line()}: thread ${thread} stores the sum of elements ${first} to ${first + count - 1}, which is the work of thread ${first / count}`,
      );
    }
  }

  private tell(sentence: string): void {
    const { trial, block } = this.traced;
    this.found ??= `${sentence} (block ${block} of ${trial.grid}, ${trial.config.block} threads).`;
  }
}
