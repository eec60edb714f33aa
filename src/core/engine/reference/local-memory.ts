/**
 * The local memory of the blocks held, as pages that a block gets when it first touches them: much of a large array never
 * is. A new page has the block's unwritten values, 0 or the seed's garbage.
 */

import type { Program } from "../../lower/program.js";
import { LOCAL_PAGE_BYTES } from "../budget.js";
import { garbageWord, PLACE } from "./garbage.js";
import type { ShadowWords } from "./shadow/shadow.js";

const PAGE = LOCAL_PAGE_BYTES / 4;
/** Pages are allocated so many at a time. */
const PAGES_A_CHUNK = 256;
const CHUNK = PAGES_A_CHUNK * PAGE;
const NONE = -1;

export interface LocalExtent {
  /** Blocks held at a time. */
  readonly slots: number;
  readonly warpsPerBlock: number;
  /** 32-bit words of a thread. */
  readonly threadWords: number;
}

export class LocalMemory {
  private readonly threadWords: number;
  private readonly blockPages: number;
  /** The first word of a thread that holds spilled values, as registers do: it is 0 at first, and defined. */
  private readonly spillStart: number;
  /** For each page of each block held its place in the chunks, in words. */
  private readonly placeOf: Int32Array;
  private readonly blocks: Int32Array;
  /** The pages that each block has. */
  private readonly pagesOf: number[][];
  private chunks: Int32Array[] = [];
  private free: number[] = [];

  constructor(
    program: Program,
    { slots, warpsPerBlock, threadWords }: LocalExtent,
    private readonly seed: number | null,
    private readonly shadow: ShadowWords | null,
  ) {
    this.threadWords = threadWords;
    this.blockPages = Math.ceil((32 * warpsPerBlock * threadWords) / PAGE);
    this.placeOf = new Int32Array(this.blockPages * slots).fill(NONE);
    this.blocks = new Int32Array(slots);
    this.pagesOf = Array.from({ length: slots }, () => []);
    const spills = program.local.find((array) => array.spills === true);
    this.spillStart = spills === undefined ? threadWords : spills.offsetBytes / 4;
  }

  /** The word at which the local memory of a warp of the block in `slot` starts. */
  start(slot: number, warp: number): number {
    return slot * this.blockPages * PAGE + warp * 32 * this.threadWords;
  }

  /** Block `block` starts in `slot`: it has touched nothing. */
  startBlock(slot: number, block: number): void {
    this.blocks[slot] = block;
    const pages = this.pagesOf[slot]!;
    for (const page of pages) {
      const place = this.placeOf[page]!;
      this.shadow?.define(place, PAGE);
      this.free.push(place);
      this.placeOf[page] = NONE;
    }
    pages.length = 0;
  }

  /** The place of a word that a thread accesses, in the chunks one after the other. */
  at(word: number): number {
    const page = Math.floor(word / PAGE);
    const place = this.placeOf[page]!;
    return (place === NONE ? this.open(page) : place) + (word % PAGE);
  }

  chunkOf(place: number): Int32Array {
    return this.chunks[Math.floor(place / CHUNK)]!;
  }

  inChunk(place: number): number {
    return place % CHUNK;
  }

  private open(page: number): number {
    const { seed, shadow, threadWords, spillStart, blockPages } = this;
    const place = this.free.pop() ?? this.newChunk();
    this.placeOf[page] = place;
    const slot = Math.floor(page / blockPages);
    this.pagesOf[slot]!.push(page);
    const words = this.chunkOf(place);
    const first = this.inChunk(place);
    words.fill(0, first, first + PAGE);
    if (seed === null && shadow === null) return place;
    const from = (page - slot * blockPages) * PAGE;
    for (let k = 0; k < PAGE; k++) {
      if ((from + k) % threadWords >= spillStart) continue;
      if (seed !== null) words[first + k] = garbageWord(seed, this.blocks[slot]!, PLACE.local, from + k);
      shadow?.undefine(place + k);
    }
    return place;
  }

  /** The first place of a new chunk; its others are free. */
  private newChunk(): number {
    const start = this.chunks.length * CHUNK;
    const count = Math.min(PAGES_A_CHUNK, this.placeOf.length);
    this.chunks.push(new Int32Array(count * PAGE));
    this.shadow?.grow(start + count * PAGE);
    for (let page = count - 1; page > 0; page--) this.free.push(start + page * PAGE);
    return start;
  }

  /** Takes over what fewer slots hold. */
  adopt(old: LocalMemory): void {
    this.chunks = old.chunks;
    this.free = old.free;
    this.placeOf.set(old.placeOf);
    this.blocks.set(old.blocks);
    this.pagesOf.splice(0, old.pagesOf.length, ...old.pagesOf);
  }
}
