/**
 * The arrays that the measured launches read and write, in one device memory. They hold what the measuring program put
 * in them (test/reference/h200/measure.cu). An array is filled when a launch first asks for it. It is filled again for
 * a launch that reads it after another one has written to it. So no launch depends on another one.
 */
import { InputError } from "../../core/base/errors.js";
import type { PointerArgument } from "../../core/engine/engine.js";
import { createDeviceMemory, type GrowableDeviceMemory } from "../../core/engine/memory.js";

/**
 * I, U: int; J: those plus 1; W: reduced in place; F, G, H: float, (int plus 1) / 1024; D, E: the same as double; LL: the
 * ints as long long; O, P, LO: outputs; cnt: counters, 64 KiB; V: int, 0 to 1023 at random, S: mostly small; R: indices
 * below 2^22 at random, Q: at random within 256 neighbours; T: ascending; B: long, its first 2^26 elements those of F (launches
 * that read beyond do the same whatever they read); Z, ZB: long, zeros.
 */
export type ArrayName =
  | "I"
  | "J"
  | "U"
  | "W"
  | "O"
  | "P"
  | "F"
  | "G"
  | "H"
  | "D"
  | "E"
  | "LL"
  | "LO"
  | "V"
  | "S"
  | "R"
  | "Q"
  | "T"
  | "Z"
  | "B"
  | "ZB"
  | "cnt";

const ELEMENTS = 2 ** 24 + 4096;
const LENGTHS: Readonly<Partial<Record<ArrayName, number>>> = { Z: 2 ** 26 + 4096, B: 2 ** 28, ZB: 2 ** 26 + 4096 };
/** Elements of a long array that are filled: more would take seconds and a gigabyte. */
const LONGEST_FILLED = 2 ** 26 + 4096;

/** Element k of the arrays of 32-bit integers. */
const INTEGERS = {
  int: hash,
  intPlus1: (k: number) => hash(k) + 1,
  random: (k: number) => mixed(k) >>> 22,
  skewed: (k: number) => {
    const once = ((mixed(k) >>> 22) ** 2) >> 10;
    return (once * once) >> 10;
  },
  randomIndex: (k: number) => mixed(k) & (2 ** 22 - 1),
  nearIndex: (k: number) => (k & 0x3fff00) | (mixed(k) & 255),
  ascending: (k: number) => 2 * k,
} as const;

const ZEROS = Buffer.alloc(2 ** 18);

/** How an array is filled; the zeros need nothing. */
type Kind = keyof typeof INTEGERS | "float" | "double" | "long" | "zero" | "longZero";

/** The counters have none: they are zero before each run. */
const KINDS: Readonly<Partial<Record<ArrayName, Kind>>> = {
  I: "int",
  J: "intPlus1",
  U: "int",
  W: "int",
  O: "zero",
  P: "zero",
  F: "float",
  G: "float",
  H: "float",
  D: "double",
  E: "double",
  LL: "long",
  LO: "longZero",
  V: "random",
  S: "skewed",
  R: "randomIndex",
  Q: "nearIndex",
  T: "ascending",
  Z: "zero",
  B: "float",
  ZB: "zero",
};

/** Knuth's multiplicative hash, its upper ten bits: 0 to 1023. */
function hash(k: number): number {
  return Math.imul(k, 0x9e3779b1) >>> 22;
}

/** Murmur's finalizer. */
function mixed(k: number): number {
  let bits = Math.imul(k ^ (k >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

function bytesOf(name: ArrayName): number {
  const kind = KINDS[name];
  if (kind === undefined) return 65536;
  return (LENGTHS[name] ?? ELEMENTS) * (kind === "double" || kind === "long" || kind === "longZero" ? 8 : 4);
}

/** Fixed, whichever arrays are used: where data lies decides which sectors meet in a cache. */
function placesFrom(start: number): ReadonlyMap<ArrayName, PointerArgument> {
  const places = new Map<ArrayName, PointerArgument>();
  let next = start;
  for (const name of ["cnt", ...Object.keys(KINDS)] as readonly ArrayName[]) {
    const place = { address: next, byteLength: bytesOf(name) };
    places.set(name, place);
    next = Math.ceil((place.address + place.byteLength) / 256) * 256;
  }
  return places;
}

export class ValidationArrays {
  readonly memory: GrowableDeviceMemory;
  readonly #places: ReadonlyMap<ArrayName, PointerArgument>;
  readonly #filled = new Set<ArrayName>();
  /** Filled, and written to since. */
  readonly #written = new Set<ArrayName>();

  constructor() {
    this.memory = createDeviceMemory({ initialBytes: 0, maximumBytes: 3 * 2 ** 30, shared: true });
    this.#places = placesFrom(this.memory.firstFreeAddress);
  }

  /** Where an array lies; the first call fills it. Grows the memory: take views of it afterwards. */
  place(name: ArrayName): PointerArgument {
    const place = this.#places.get(name);
    if (place === undefined) {
      throw new InputError({
        what: `There is no array "${name}".`,
        cure: `Name one of ${Object.keys(KINDS).join(", ")}.`,
      });
    }
    if (!this.#filled.has(name)) {
      this.#filled.add(name);
      this.memory.grow(place.address + place.byteLength);
      const kind = KINDS[name];
      if (kind !== undefined) this.#fill(kind, place.address, Math.min(LENGTHS[name] ?? ELEMENTS, LONGEST_FILLED));
    }
    return place;
  }

  /** Before each run: what it reads is as filled, and the counters are zero. */
  restore(read: readonly ArrayName[], written: readonly ArrayName[]): void {
    for (const name of new Set<ArrayName>(["cnt", ...read])) {
      if (!this.#written.delete(name)) continue;
      const { address, byteLength } = this.place(name);
      const kind = KINDS[name];
      if (kind === undefined || kind === "zero" || kind === "longZero" || name in LENGTHS) {
        this.#clear(address, byteLength);
      }
      if (kind !== undefined) this.#fill(kind, address, Math.min(LENGTHS[name] ?? ELEMENTS, LONGEST_FILLED));
    }
    for (const name of ["cnt", ...written] as const) this.#written.add(name);
  }

  /** Leaves alone what is zero: of a long array most was never touched, and takes no memory so far. */
  #clear(address: number, byteLength: number): void {
    const end = address + byteLength;
    for (let from = address; from < end; from += ZEROS.length) {
      const part = Buffer.from(this.memory.buffer, from, Math.min(ZEROS.length, end - from));
      if (!part.equals(ZEROS.subarray(0, part.length))) part.fill(0);
    }
  }

  #fill(kind: Kind, address: number, length: number): void {
    const buffer = this.memory.buffer;
    if (kind in INTEGERS) {
      const values = new Int32Array(buffer, address, length);
      const element = INTEGERS[kind as keyof typeof INTEGERS];
      for (let k = 0; k < length; k++) values[k] = element(k);
    } else if (kind === "float" || kind === "double") {
      const values =
        kind === "float" ? new Float32Array(buffer, address, length) : new Float64Array(buffer, address, length);
      for (let k = 0; k < length; k++) values[k] = (hash(k) + 1) / 1024;
    } else if (kind === "long") {
      const halves = new Int32Array(buffer, address, 2 * length);
      for (let k = 0; k < length; k++) halves[2 * k] = hash(k);
    }
  }
}
