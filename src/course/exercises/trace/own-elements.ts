/** Which elements each thread of a block loads: its own ones, a block's width apart, as far as the input goes. */
import type { Instruction } from "../../../core/lower/program.js";
import { counted, instructionLine } from "../source-line.js";
import { blockElements } from "../spec.js";
import { type BlockStep, type BlockWitness, forLanes, type TracedBlock } from "./block-trace.js";

export class OwnElements implements BlockWitness {
  /** A sentence; null where every thread loads what it is to. */
  found: string | null = null;
  /** Elements that each thread loads, and where. */
  private readonly loaded: Map<number, Instruction>[];

  constructor(
    private readonly traced: TracedBlock,
    private readonly which: "own" | "apart" | "any",
  ) {
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

  /** A sentence where a thread loads more elements than its share, or some that are not a block's width apart. */
  private notSoMany(thread: number, loaded: ReadonlyMap<number, Instruction>): string | null {
    const { trial, block } = this.traced;
    const { spec, config } = trial;
    const all = [...loaded];
    const [first = 0] = all[0] ?? [];
    const apart = this.which === "apart";
    const other = all.find(
      ([element], index) => index >= spec.elementsPerThread || (apart && (element - first) % config.block !== 0),
    );
    if (other === undefined) return null;
    const [element, instruction] = other;
    const line = instructionLine(this.traced.program, instruction);
    const asked = `${spec.elementsPerThread}${apart ? ", a block's width apart" : ""}`;
    return `${line}: thread ${thread} of block ${block} loads ${counted(loaded.size, "element")}, from input[${first}] to input[${element}] so far; each thread is to add ${asked} (${counted(trial.grid, "block")} of ${counted(config.block, "thread")}).`;
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
      if (this.which !== "own") {
        this.found = this.notSoMany(thread, loaded);
        if (this.found === null) continue;
        return;
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
      this.found = `${line}${does}; it is to load ${own.length === 1 ? "one element of its own" : `its own ${own.length} elements, a block's width apart`} (${where}).`;
      return;
    }
  }
}
