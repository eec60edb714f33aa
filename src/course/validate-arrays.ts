/**
 * The arrays that the measured launches read and write, in one device memory: as test/reference/probes/measure.cu lays
 * and fills them. An array is filled when a launch first asks for it. What a launch writes stays: no launch's control
 * flow depends on an array that another one writes.
 */
import { InputError } from "../base/errors.js";
import type { PointerArgument } from "../engine/engine.js";
import { createDeviceMemory, type GrowableDeviceMemory } from "../engine/memory.js";

/**
 * I, U: int; J: those plus 1; W: reduced in place; F, G, H: float, (int plus 1) / 1024; D, E: the same as double; LL: the
 * ints as long long; O, P, LO: outputs; cnt: counters, 64 KiB.
 */
export type ArrayName = "I" | "J" | "U" | "W" | "O" | "P" | "F" | "G" | "H" | "D" | "E" | "LL" | "LO" | "cnt";

const ELEMENTS = 2 ** 24 + 4096;

/** Bytes an element, and how it is filled; "zero" needs nothing. */
const KINDS: Readonly<
  Record<Exclude<ArrayName, "cnt">, "int" | "intPlus1" | "float" | "double" | "long" | "zero" | "longZero">
> = {
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
};

/** Knuth's multiplicative hash, its upper ten bits: 0 to 1023. */
function hash(k: number): number {
  return Math.imul(k, 0x9e3779b1) >>> 22;
}

function bytesOf(name: ArrayName): number {
  if (name === "cnt") return 65536;
  const kind = KINDS[name];
  return ELEMENTS * (kind === "double" || kind === "long" || kind === "longZero" ? 8 : 4);
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

  constructor() {
    this.memory = createDeviceMemory({ initialBytes: 0, maximumBytes: 2 ** 31 + 2 ** 28, shared: true });
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
      if (name !== "cnt") this.#fill(KINDS[name], place.address);
    }
    return place;
  }

  /** As before each measured run. */
  clearCounters(): void {
    const { address, byteLength } = this.place("cnt");
    new Uint8Array(this.memory.buffer, address, byteLength).fill(0);
  }

  #fill(kind: (typeof KINDS)[keyof typeof KINDS], address: number): void {
    const buffer = this.memory.buffer;
    if (kind === "int" || kind === "intPlus1") {
      const values = new Int32Array(buffer, address, ELEMENTS);
      const more = kind === "int" ? 0 : 1;
      for (let k = 0; k < ELEMENTS; k++) values[k] = hash(k) + more;
    } else if (kind === "float" || kind === "double") {
      const values =
        kind === "float" ? new Float32Array(buffer, address, ELEMENTS) : new Float64Array(buffer, address, ELEMENTS);
      for (let k = 0; k < ELEMENTS; k++) values[k] = (hash(k) + 1) / 1024;
    } else if (kind === "long") {
      const halves = new Int32Array(buffer, address, 2 * ELEMENTS);
      for (let k = 0; k < ELEMENTS; k++) halves[2 * k] = hash(k);
    }
  }
}
