/**
 * The device heap: first fit over a sorted list of free ranges, aligned to 256 bytes as cudaMalloc aligns. Only book
 * keeping; the bytes are the device memory's.
 */
import { InputError } from "../base/errors.js";

export const ALLOCATION_ALIGNMENT_BYTES = 256;

interface Range {
  address: number;
  bytes: number;
}

function roundUp(bytes: number): number {
  return Math.ceil(bytes / ALLOCATION_ALIGNMENT_BYTES) * ALLOCATION_ALIGNMENT_BYTES;
}

export class Allocator {
  #free: Range[];
  #used: Map<number, number> = new Map();

  /** Manages the bytes from `start` (aligned) to `end`. */
  constructor(start: number, end: number) {
    const first = roundUp(start);
    this.#free = [{ address: first, bytes: end - first }];
  }

  /** Address of a new range. A range of 0 bytes takes one alignment unit, so that addresses differ. */
  allocate(bytes: number): number {
    const size = roundUp(Math.max(bytes, 1));
    const index = this.#free.findIndex((range) => range.bytes >= size);
    const range = this.#free[index];
    if (range === undefined) {
      throw new InputError({
        what: `cudaErrorMemoryAllocation: ${bytes} bytes do not fit: ${this.freeBytes} bytes of device memory are free, the largest piece has ${this.largestFreeBytes}`,
        cure: "Free buffers that are no longer used (buffer.free()), or allocate less.",
      });
    }
    const address = range.address;
    range.address += size;
    range.bytes -= size;
    if (range.bytes === 0) this.#free.splice(index, 1);
    this.#used.set(address, size);
    return address;
  }

  /** Returns a range; false if `address` is not the start of a used one (freed twice, or never allocated). */
  release(address: number): boolean {
    const bytes = this.#used.get(address);
    if (bytes === undefined) return false;
    this.#used.delete(address);
    const at = this.#free.findIndex((range) => range.address > address);
    const index = at === -1 ? this.#free.length : at;
    this.#free.splice(index, 0, { address, bytes });
    this.#join(index);
    if (index > 0) this.#join(index - 1);
    return true;
  }

  #join(index: number): void {
    const left = this.#free[index];
    const right = this.#free[index + 1];
    if (left === undefined || right === undefined || left.address + left.bytes !== right.address) return;
    left.bytes += right.bytes;
    this.#free.splice(index + 1, 1);
  }

  get freeBytes(): number {
    return this.#free.reduce((sum, range) => sum + range.bytes, 0);
  }

  get largestFreeBytes(): number {
    return this.#free.reduce((most, range) => Math.max(most, range.bytes), 0);
  }
}
