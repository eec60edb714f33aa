/** The words of memory that a spinning group of lanes reads: while they stay as they are, the group can only spin on. */
import { componentBytes } from "../../lower/program.js";
import type { PreparedLaunch } from "../engine.js";
import { rootExtent } from "../faults.js";
import { type RegisterViews, readLane } from "./register-layout.js";

/** The memories of the running blocks. */
export interface Memories {
  readonly launch: PreparedLaunch;
  readonly global: RegisterViews;
  readonly shared: RegisterViews;
}

export interface WatchedWord {
  /** The instruction that reads it. */
  readonly pc: number;
  readonly shared: boolean;
  /** Index into the space's 32-bit words, and byte address in the space of the instruction's root. */
  readonly word: number;
  readonly address: number;
  /** Its value when the group was found to spin. */
  readonly value: number;
}

/** In place of the word at which a block's shared memory starts. */
export const GLOBAL_WORDS = -1;

/** A loop that reads more is not watched word by word. */
const MOST_WORDS = 1024;

/** Collects the words that are read in one turn of a loop. */
export class WordsRead {
  private readonly found = new Map<number, Omit<WatchedWord, "value">>();

  clear(): this {
    this.found.clear();
    return this;
  }

  get isEmpty(): boolean {
    return this.found.size === 0;
  }

  /** `start`: the word at which the block's shared memory starts, or GLOBAL_WORDS. */
  add(pc: number, addresses: Int32Array, mask: number, bytes: number, start: number): void {
    const shared = start !== GLOBAL_WORDS;
    for (let m = mask; m !== 0 && this.found.size <= MOST_WORDS; m &= m - 1) {
      const first = addresses[31 - Math.clz32(m & -m)]!;
      for (let address = first; address < first + bytes; address += 4) {
        const word = (shared ? start : 0) + (address >>> 2);
        this.found.set(shared ? ~word : word, { pc, shared, word, address: first });
      }
    }
  }

  /** The words with their values; null where there are too many. */
  watched({ global, shared }: Memories): readonly WatchedWord[] | null {
    if (this.found.size > MOST_WORDS) return null;
    return [...this.found.values()].map((each) => ({
      ...each,
      value: (each.shared ? shared : global).i32[each.word]!,
    }));
  }
}

export function someChanged({ global, shared }: Memories, words: readonly WatchedWord[]): boolean {
  for (const { shared: isShared, word, value } of words) {
    if ((isShared ? shared : global).i32[word] !== value) return true;
  }
  return false;
}

/** "flag[3], which is 0". */
export function wordText(memories: Memories, { pc, shared, word, address }: WatchedWord): string {
  const { launch } = memories;
  const instruction = launch.program.instructions[pc]!;
  const { name, start, elementBytes } = rootExtent(launch, instruction);
  const { type } = instruction;
  const views = shared ? memories.shared : memories.global;
  const isWhole = type !== "addr" && (word * 4) % componentBytes(instruction.type, instruction.narrow) === 0;
  const value = readLane(views, word, isWhole ? type : "i32", 0);
  return `${name}[${Math.floor((address - start) / elementBytes)}], which is ${value}`;
}
