/** The linear memory of a program's host part: numbers and texts at addresses. */

export class HostMemory {
  #memory: WebAssembly.Memory | null = null;

  /** Called once the module is there. */
  attach(memory: WebAssembly.Memory): void {
    this.#memory = memory;
  }

  /** The memory as it is now: it is another buffer whenever it has grown. */
  get buffer(): ArrayBuffer {
    if (this.#memory === null) throw new Error("The program has no memory yet.");
    return this.#memory.buffer;
  }

  get view(): DataView {
    return new DataView(this.buffer);
  }

  bytes(address: number, count: number): Uint8Array {
    return new Uint8Array(this.buffer, address >>> 0, count);
  }

  /** Whether a range lies in the memory, and does not begin at the null pointer. */
  holds(address: number, count: number): boolean {
    return address > 0 && address + count <= this.buffer.byteLength;
  }

  u32(address: number): number {
    return this.view.getUint32(address >>> 0, true);
  }

  setU32(address: number, value: number): void {
    this.view.setUint32(address >>> 0, value, true);
  }

  /** A text that ends with a byte of 0. */
  text(address: number): string {
    const all = new Uint8Array(this.buffer);
    const start = address >>> 0;
    const end = all.indexOf(0, start);
    return new TextDecoder().decode(all.slice(start, end < 0 ? start : end));
  }
}
