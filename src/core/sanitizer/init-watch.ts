/** Finds reads of global memory that nobody has written since it was allocated. */
import type { AccessWatch, PreparedLaunch, WarpAccess } from "../engine/engine.js";
import { accessBytes } from "../engine/faults.js";
import type { Instruction } from "../lower/program.js";
import type { MemoryState } from "./memory-state.js";

export interface UnwrittenRead {
  readonly launch: PreparedLaunch;
  readonly instruction: Instruction;
  readonly block: number;
  readonly thread: number;
  /** Byte address of the first. */
  readonly address: number;
  count: number;
}

const nothing = (): void => {};

export class InitWatch implements AccessWatch {
  readonly blockStarts: () => void = nothing;
  readonly blockEnds: () => void = nothing;
  readonly barrier: () => void = nothing;
  readonly gridBarrier: () => void = nothing;
  readonly syncwarp: () => void = nothing;
  readonly fence: () => void = nothing;
  readonly childStarts: () => void = nothing;
  readonly childrenEnded: () => void = nothing;

  /** Instructions whose allocation is known to be in use. */
  private readonly seen: Set<Instruction> = new Set();

  constructor(
    private readonly launch: PreparedLaunch,
    private readonly memory: MemoryState,
    private readonly found: Map<Instruction, UnwrittenRead>,
  ) {}

  child(launch: PreparedLaunch): AccessWatch {
    return new InitWatch(launch, this.memory, this.found);
  }

  access({ instruction, block, warp, lanes, addresses }: WarpAccess): void {
    const { space = "global", op } = instruction;
    if (space !== "global") return;
    const { memory, seen } = this;
    if (!seen.has(instruction) && lanes !== 0) {
      seen.add(instruction);
      memory.use(addresses[31 - Math.clz32(lanes & -lanes)]! >>> 0);
    }
    const bytes = accessBytes(instruction);
    for (let m = lanes; m !== 0; m &= m - 1) {
      const lane = 31 - Math.clz32(m & -m);
      const address = addresses[lane]! >>> 0;
      // Each word of a vector is told by itself.
      for (let at = address; at < address + bytes; at += 4) {
        const unwritten = op === "st" ? null : memory.firstUnwritten(at, Math.min(4, bytes));
        if (unwritten !== null) this.tell(instruction, block, warp * 32 + lane, unwritten);
      }
      if (op !== "ld") memory.wrote(address, bytes);
    }
  }

  private tell(instruction: Instruction, block: number, thread: number, address: number): void {
    const known = this.found.get(instruction);
    if (known !== undefined) known.count++;
    else this.found.set(instruction, { launch: this.launch, instruction, block, thread, address, count: 1 });
  }
}
