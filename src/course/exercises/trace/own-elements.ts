/** Which elements each thread of a block loads: its own ones, a block's width apart, as far as the input goes. */
import type { Instruction } from "../../../core/lower/program.js";
import { counted, instructionLine } from "../source-line.js";
import { blockElements } from "../spec.js";
import { type BlockStep, type BlockWitness, forLanes, type TracedBlock } from "./block-trace.js";

export class OwnElements implements BlockWitness {
  /** A sentence; null where every thread loads its own elements. */
  found: string | null = null;
  /** Elements that each thread loads, and where. */
  private readonly loaded: Map<number, Instruction>[];

  constructor(private readonly traced: TracedBlock) {
    this.loaded = Array.from({ length: traced.trial.config.block }, () => new Map<number, Instruction>());
  }

  step({ instruction, lanes, warp, addresses, words }: BlockStep): void {
    if (instruction.op !== "ld" || instruction.space !== "global") return;
    const { input } = this.traced.trial;
    forLanes(lanes, (lane) => {
      const first = ((addresses[lane] ?? 0) - input.address) / 4;
      if (first < 0 || first >= input.length) return;
      for (let word = 0; word < words; word++) this.loaded[warp * 32 + lane]?.set(first + word, instruction);
    });
  }

  end(): void {
    const { trial, block } = this.traced;
    const { spec, data, config, grid } = trial;
    const start = block * blockElements(spec, config.block);
    for (const [thread, loaded] of this.loaded.entries()) {
      const own: number[] = [];
      for (let k = 0; k < spec.elementsPerThread; k++) {
        const element = start + thread + k * config.block;
        if (element < data.length) own.push(element);
      }
      if (loaded.size === own.length && own.every((element) => loaded.has(element))) continue;
      const list = (elements: readonly number[]): string => {
        if (elements.length === 0) return "no element";
        return `input[${elements.slice(0, 6).join("], input[")}]${elements.length > 6 ? " ..." : ""}`;
      };
      const foreign = [...loaded].find(([element]) => !own.includes(element));
      const line = foreign === undefined ? "" : `${instructionLine(this.traced.program, foreign[1])}: `;
      const where = `${counted(grid, "block")} of ${counted(config.block, "thread")}, ${counted(data.length, "element")}`;
      const does = `thread ${thread} of block ${block} loads ${list([...loaded.keys()])}`;
      this.found = `${line}${does}; asked for are its own ${own.length}, a block's width apart (${where}).`;
      return;
    }
  }
}
