/**
 * The arrays that the measured launches read and write, in one device memory: as test/reference/probes/measure.cu lays
 * and fills them. An array is filled when a launch first asks for it. What a launch writes stays: no launch's control
 * flow depends on an array that another one writes.
 */
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

export class ValidationArrays {
  readonly memory: GrowableDeviceMemory;
  readonly #places = new Map<ArrayName, PointerArgument>();
  #next: number;

  constructor() {
    this.memory = createDeviceMemory({ initialBytes: 0, maximumBytes: 2 ** 31 + 2 ** 28, shared: true });
    this.#next = this.memory.firstFreeAddress;
  }

  /** Where an array lies; the first call fills it. Grows the memory: take views of it afterwards. */
  place(name: ArrayName): PointerArgument {
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    const kind = name === "cnt" ? "zero" : KINDS[name];
    const elementBytes = kind === "double" || kind === "long" || kind === "longZero" ? 8 : 4;
    const byteLength = name === "cnt" ? 65536 : ELEMENTS * elementBytes;
    const made = { address: this.#next, byteLength };
    this.#next = Math.ceil((made.address + byteLength) / 256) * 256;
    this.memory.grow(this.#next);
    this.#places.set(name, made);
    this.#fill(kind, made.address);
    return made;
  }

  /** As before each measured run. */
  clearCounters(): void {
    const counters = this.#places.get("cnt");
    if (counters !== undefined) new Uint8Array(this.memory.buffer, counters.address, counters.byteLength).fill(0);
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
