/**
 * The values that CUDA leaves undefined, and their origins. The register file and the memories of blocks have a shadow, as
 * in MemorySanitizer (Stepanov, Serebryany, CGO 2015). A program may copy and compute with a word that nobody has
 * written, or one shuffled from a lane that does not take part. It is reported where something depends on it: a branch,
 * an address, a store to global memory, output. So a value that is thrown away raises no alarm.
 */
import { byteSize } from "../../../ir/types.js";
import type { Instruction } from "../../../lower/program.js";
import type { FaultSite, PreparedLaunch, UndefinedRemark, UndefinedWatch } from "../../engine.js";
import { sourceLine } from "../../faults.js";
import type { RegisterLayout, RegisterViews } from "../register-layout.js";
import { SHADOW_ROLE, type ShadowCode, shadowCode } from "./shadow-code.js";
import { absentSource, unwritten } from "./undefined-value.js";

/** States of a word or register: defined, or never written. Any other number is the origin of its undefined value. */
const DEFINED = 0;
const UNWRITTEN = 0xffff;
const MOST_ORIGINS = UNWRITTEN - 1;

/** The origins of one machine's undefined values. */
class Origins {
  readonly remarks: UndefinedRemark[] = [];
  private readonly numbers: Map<string, number> = new Map();

  constructor(private readonly watch: UndefinedWatch) {}

  /** Number of the origin; DEFINED where it was told already. `remark` words it. */
  numberOf(kind: UndefinedRemark["kind"], site: FaultSite, remark: () => UndefinedRemark): number {
    if (!this.watch.isNew(kind, site)) return DEFINED;
    const key = `${kind} ${site.instruction.pc} ${site.block} ${site.warp}`;
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    if (this.remarks.length === MOST_ORIGINS) this.forget();
    const number = this.remarks.push(remark());
    this.numbers.set(key, number);
    return number;
  }

  /** A value with an old number is then reported with a new origin's words. A run with so many is beyond repair. */
  private forget(): void {
    this.remarks.length = 0;
    this.numbers.clear();
  }
}

/** The parts of a machine that a shadow looks at. */
export interface Shadowed {
  readonly launch: PreparedLaunch;
  readonly layout: RegisterLayout;
  readonly registers: RegisterViews;
  /** Words of shared memory of all blocks held, and warps. */
  readonly sharedWords: number;
  readonly warps: number;
}

/**
 * The shadow of one memory: the origin of what each word holds. The bytes of a word that was written in part may have several;
 * then the word's is that of its first undefined byte.
 */
export class ShadowWords {
  words: Uint16Array;
  /** The origins of the four bytes, of words whose bytes differ. */
  private readonly mixed: Map<number, readonly number[]> = new Map();
  /** Words that are not defined: where there are none, no access need be looked at. */
  count = 0;

  constructor(length: number) {
    this.words = new Uint16Array(length);
  }

  /** `length` words from `start` on are unwritten now, the first `used` of them: no more can be accessed. */
  clear(start: number, length: number, used: number): void {
    this.define(start, length);
    this.words.fill(UNWRITTEN, start, start + used);
    this.count += used;
  }

  define(start: number, length: number): void {
    const { words } = this;
    for (let k = start; this.count > 0 && k < start + length; k++) if (words[k] !== DEFINED) this.count--;
    words.fill(DEFINED, start, start + length);
    if (this.mixed.size === 0) return;
    for (const word of this.mixed.keys()) if (word >= start && word < start + length) this.mixed.delete(word);
  }

  /** Nobody has written the word. */
  undefine(word: number): void {
    this.set(word, UNWRITTEN);
  }

  set(word: number, origin: number): void {
    const { words } = this;
    if (this.mixed.size > 0) this.mixed.delete(word);
    if (words[word] !== DEFINED) this.count--;
    if (origin !== DEFINED) this.count++;
    words[word] = origin;
  }

  /** The origin of `bytes` bytes of a word from `first` on: of the first undefined one. */
  ofBytes(word: number, first: number, bytes: number): number {
    const parts = this.mixed.get(word);
    if (parts === undefined) return this.words[word]!;
    return parts.slice(first, first + bytes).find((origin) => origin !== DEFINED) ?? DEFINED;
  }

  setBytes(word: number, first: number, bytes: number, origin: number): void {
    const parts = [...(this.mixed.get(word) ?? new Array<number>(4).fill(this.words[word]!))];
    parts.fill(origin, first, first + bytes);
    this.set(word, parts.find((part) => part !== DEFINED) ?? DEFINED);
    if (parts.some((part) => part !== parts[0])) this.mixed.set(word, parts);
  }

  /** Has room for `length` words at least; new ones are defined. */
  grow(length: number): void {
    if (length <= this.words.length) return;
    const { words } = this;
    this.words = new Uint16Array(Math.max(length, 2 * words.length));
    this.words.set(words);
  }

  adopt(old: ShadowWords): void {
    this.grow(old.words.length);
    this.words.set(old.words);
    this.count = old.count;
    for (const [word, parts] of old.mixed) this.mixed.set(word, parts);
  }
}

/** Where the words of an access stand: a memory, and the place in it of a lane's word at an address. */
export interface ShadowedSpace {
  readonly memory: ShadowWords;
  at(lane: number, address: number): number;
}

export class Shadow {
  /** Some register may hold an undefined value. */
  active = false;
  /** Nothing is told: the run is a rehearsal. */
  paused = false;
  /** Who is running. */
  block = 0;
  warp = 0;
  readonly shared: ShadowWords;
  /** As large as what the blocks have touched. */
  readonly local: ShadowWords;
  /** For each register of each warp: the lanes that hold an undefined value, and its origin. */
  private readonly undefinedLanes: Int32Array;
  private readonly originOf: Uint16Array;
  private readonly registerCount: number;
  private readonly code: ShadowCode;
  private origins: Origins;
  /** The lanes at the current warp primitive that bring an undefined value. */
  private met = 0;
  private metOrigin = DEFINED;

  constructor(
    private readonly machine: Shadowed,
    readonly watch: UndefinedWatch,
  ) {
    const { launch, sharedWords, warps } = machine;
    this.registerCount = launch.program.registers.length;
    this.shared = new ShadowWords(sharedWords);
    this.local = new ShadowWords(0);
    this.undefinedLanes = new Int32Array(this.registerCount * warps);
    this.originOf = new Uint16Array(this.registerCount * warps);
    this.code = shadowCode(launch, machine.layout, machine.registers);
    this.origins = new Origins(watch);
  }

  /** Takes over what a shadow of fewer blocks holds. */
  adopt(old: Shadow): void {
    this.shared.adopt(old.shared);
    this.local.adopt(old.local);
    this.undefinedLanes.set(old.undefinedLanes);
    this.originOf.set(old.originOf);
    this.active = old.active;
    this.origins = old.origins;
  }

  /** A block starts in a part of the memories and registers. */
  startBlock(sharedStart: number, sharedWords: number, firstWarp: number, warps: number): void {
    const { program, dynamicSharedBytes } = this.machine.launch;
    this.shared.clear(sharedStart, sharedWords, Math.ceil((program.staticSharedBytes + dynamicSharedBytes) / 4));
    if (!this.active) return;
    this.undefinedLanes.fill(0, firstWarp * this.registerCount, (firstWarp + warps) * this.registerCount);
    if (warps === this.machine.warps) this.active = false;
  }

  private row(base: number): number {
    return (base / this.machine.layout.wordsPerWarp) * this.registerCount;
  }

  private site(pc: number, lanes: number): FaultSite {
    const { launch } = this.machine;
    return { launch, instruction: launch.program.instructions[pc]!, block: this.block, warp: this.warp, lanes };
  }

  /** Something depends on an undefined value. */
  private tell(origin: number, pc: number, does: string): void {
    const remark = this.origins.remarks[origin - 1];
    if (remark === undefined || this.paused) return;
    const { program } = this.machine.launch;
    const line = sourceLine(program, program.instructions[pc]!);
    this.watch.add({ ...remark, what: `${remark.what}. Line ${line} ${does}` });
  }

  /** Before instruction `pc` acts in the lanes `acting` of `mask`; only called while some register may be undefined. */
  step(pc: number, base: number, mask: number, acting: number): void {
    const { undefinedLanes, originOf } = this;
    const row = this.row(base);
    const { role, sources, results, guard, sinks, depends } = this.code[pc]!;
    let decided = 0;
    let origin = DEFINED;
    if (guard >= 0) {
      decided = undefinedLanes[row + guard]! & mask;
      if (decided !== 0) origin = originOf[row + guard]!;
      if (decided !== 0 && (role === SHADOW_ROLE.control || sinks.length > 0)) this.tell(origin, pc, "depends on it");
    }
    for (const { register, does } of sinks) {
      if ((undefinedLanes[row + register]! & acting) !== 0) this.tell(originOf[row + register]!, pc, does);
    }
    if (results.length === 0) return;
    let lanes = 0;
    if (role === SHADOW_ROLE.value) {
      for (const register of sources) {
        const here = undefinedLanes[row + register]! & acting;
        if (here !== 0 && origin === DEFINED) origin = originOf[row + register]!;
        lanes |= here;
      }
      if (lanes !== 0 && depends !== null) {
        lanes = depends(base, lanes, (source) => (source < 0 ? 0 : undefinedLanes[row + source]!));
      }
    } else if (role === SHADOW_ROLE.exchange) return;
    for (const register of results) {
      undefinedLanes[row + register] = (undefinedLanes[row + register]! & ~acting) | lanes | decided;
      if ((lanes | decided) !== 0) originOf[row + register] = origin;
    }
  }

  /** After a load from shared or local memory. */
  load(
    { pc, dst, narrow }: Instruction,
    base: number,
    mask: number,
    { memory, at }: ShadowedSpace,
    addresses: Int32Array,
    count: number,
  ): void {
    const { words } = memory;
    const originAt = (lane: number, address: number): number =>
      narrow === undefined
        ? words[at(lane, address)]!
        : memory.ofBytes(at(lane, address), address & 3, byteSize(narrow));
    let bad = 0;
    for (let m = mask; m !== 0; m &= m - 1) {
      const lane = 31 - Math.clz32(m & -m);
      for (let k = 0; k < count; k++) if (originAt(lane, addresses[lane]! + 4 * k) !== DEFINED) bad |= 1 << lane;
    }
    if (bad === 0) return;
    const row = this.row(base);
    const each = count / dst.length;
    for (const [index, register] of dst.entries()) {
      let lanes = 0;
      let origin = DEFINED;
      for (let m = bad; m !== 0; m &= m - 1) {
        const lane = 31 - Math.clz32(m & -m);
        const from = addresses[lane]! + 4 * index * each;
        for (let k = 0; k < each; k++) {
          const found = this.originOfWord(originAt(lane, from + 4 * k), pc, bad, addresses);
          if (found === DEFINED) continue;
          lanes |= 1 << lane;
          origin = found;
        }
      }
      if (lanes === 0) continue;
      this.active = true;
      this.undefinedLanes[row + register]! |= lanes;
      this.originOf[row + register] = origin;
    }
  }

  private originOfWord(word: number, pc: number, lanes: number, addresses: Int32Array): number {
    if (word !== UNWRITTEN) return word;
    const site = this.site(pc, lanes);
    const kind = site.instruction.space === "local" ? "uninitialized-local" : "uninitialized-shared";
    return this.origins.numberOf(kind, site, () => unwritten(kind, site, addresses));
  }

  /** After a store to shared or local memory. */
  store(
    { pc, narrow }: Instruction,
    base: number,
    mask: number,
    { memory, at }: ShadowedSpace,
    addresses: Int32Array,
    count: number,
  ): void {
    const values = this.code[pc]!.sources;
    const row = this.row(base);
    const each = count / Math.max(1, values.length);
    for (let m = mask; m !== 0; m &= m - 1) {
      const lane = 31 - Math.clz32(m & -m);
      for (let k = 0; k < count; k++) {
        const address = addresses[lane]! + 4 * k;
        const origin = this.active ? this.originIn(row, values[Math.floor(k / each)]!, lane) : DEFINED;
        if (narrow === undefined) memory.set(at(lane, address), origin);
        else memory.setBytes(at(lane, address), address & 3, byteSize(narrow), origin);
      }
    }
  }

  private originIn(row: number, register: number, lane: number): number {
    if (register < 0 || ((this.undefinedLanes[row + register]! >>> lane) & 1) === 0) return DEFINED;
    return this.originOf[row + register]!;
  }

  private originOfValues(row: number, registers: readonly number[], lane: number): number {
    for (const register of registers) {
      const origin = this.originIn(row, register, lane);
      if (origin !== DEFINED) return origin;
    }
    return DEFINED;
  }

  /** After an atomic on shared memory: it reads, and writes something that depends on what it has read unless it exchanges. */
  atomic(
    { pc, dst, atomic }: Instruction,
    base: number,
    mask: number,
    { memory, at }: ShadowedSpace,
    addresses: Int32Array,
    count: number,
  ): void {
    const { words } = memory;
    const row = this.row(base);
    const [result = -1] = dst;
    const values = this.code[pc]!.sources;
    const brought = this.active
      ? Array.from({ length: 32 }, (_, lane) => this.originOfValues(row, values, lane))
      : null;
    if (this.active && result >= 0) this.undefinedLanes[row + result]! &= ~mask;
    for (let m = mask; m !== 0; m &= m - 1) {
      const lane = 31 - Math.clz32(m & -m);
      const word = at(lane, addresses[lane]!);
      const old = words[word] === DEFINED ? DEFINED : this.originOfWord(words[word]!, pc, mask, addresses);
      const kept = atomic === "exch" ? DEFINED : old;
      const written = kept === DEFINED ? (brought?.[lane] ?? DEFINED) : kept;
      for (let k = 0; k < count; k++) memory.set(word + k, written);
      if (old === DEFINED || result < 0) continue;
      this.active = true;
      this.undefinedLanes[row + result]! |= 1 << lane;
      this.originOf[row + result] = old;
    }
  }

  /** Lanes meet at a warp primitive; `bring` for each group of them comes next, then `take` for each. */
  meet(): void {
    this.met = 0;
    this.metOrigin = DEFINED;
  }

  bring(pc: number, base: number, lanes: number): void {
    if (!this.active) return;
    const row = this.row(base);
    for (const register of this.code[pc]!.sources) {
      if (register < 0) continue;
      const here = this.undefinedLanes[row + register]! & lanes;
      if (here === 0) continue;
      this.met |= here;
      this.metOrigin = this.originOf[row + register]!;
    }
  }

  /**
   * Hands undefined values from lane to lane. `sources` has the lane that each reads, null where all see all. `absent`
   * words a source outside of `participants`.
   */
  take(
    pc: number,
    base: number,
    lanes: number,
    participants: number,
    sources: Int32Array | null,
    absent: (sources: number) => string,
  ): void {
    let undefinedNow = 0;
    let origin = this.metOrigin;
    if (sources === null) undefinedNow = this.met === 0 ? 0 : lanes;
    else if (this.met !== 0 || participants !== -1) {
      let missing = 0;
      let readers = 0;
      for (let m = lanes; m !== 0; m &= m - 1) {
        const lane = 31 - Math.clz32(m & -m);
        const source = 1 << sources[lane]!;
        if ((this.met & source) !== 0) undefinedNow |= 1 << lane;
        if ((participants & source) !== 0) continue;
        readers |= 1 << lane;
        missing |= source;
      }
      if (readers !== 0) {
        const site = this.site(pc, readers);
        const found = this.origins.numberOf("undefined-shuffle-source", site, () =>
          absentSource(site, missing, absent(missing)),
        );
        if (found !== DEFINED) {
          undefinedNow |= readers;
          origin = found;
          this.active = true;
        }
      }
    }
    if (!this.active) return;
    const row = this.row(base);
    for (const register of this.code[pc]!.results) {
      this.undefinedLanes[row + register] = (this.undefinedLanes[row + register]! & ~lanes) | undefinedNow;
      if (undefinedNow !== 0) this.originOf[row + register] = origin;
    }
  }
}
