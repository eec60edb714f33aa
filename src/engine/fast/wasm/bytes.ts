/** A growing byte buffer with the encodings of the WebAssembly binary format (LEB128 integers, little-endian floats). */

export class ByteWriter {
  private buffer: Uint8Array = new Uint8Array(1024);
  private view: DataView = new DataView(this.buffer.buffer);
  length = 0;

  private reserve(count: number): void {
    if (this.length + count <= this.buffer.length) return;
    const larger = new Uint8Array(Math.max(this.buffer.length * 2, this.length + count));
    larger.set(this.buffer.subarray(0, this.length));
    this.buffer = larger;
    this.view = new DataView(larger.buffer);
  }

  byte(value: number): void {
    if (this.length === this.buffer.length) this.reserve(1);
    this.buffer[this.length++] = value;
  }

  bytes(values: Uint8Array | readonly number[]): void {
    this.reserve(values.length);
    this.buffer.set(values, this.length);
    this.length += values.length;
  }

  append(other: ByteWriter): void {
    this.bytes(other.taken());
  }

  /** Unsigned LEB128 of a number below 2^32. */
  u32(value: number): void {
    let rest = value >>> 0;
    while (rest > 0x7f) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  /** Overwrites three bytes at `at` with a number below 2^21. */
  patchU32In3(at: number, value: number): void {
    this.buffer[at] = (value & 0x7f) | 0x80;
    this.buffer[at + 1] = ((value >>> 7) & 0x7f) | 0x80;
    this.buffer[at + 2] = (value >>> 14) & 0x7f;
  }

  /** Signed LEB128 of an int32. */
  s32(value: number): void {
    let rest = value | 0;
    while (rest < -64 || rest > 63) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>= 7;
    }
    this.byte(rest & 0x7f);
  }

  /** Signed LEB128 of an int64. */
  s64(value: bigint): void {
    let rest = BigInt.asIntN(64, value);
    while (rest < -64n || rest > 63n) {
      this.byte(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    this.byte(Number(rest & 0x7fn));
  }

  f32(value: number): void {
    this.reserve(4);
    this.view.setFloat32(this.length, value, true);
    this.length += 4;
  }

  f64(value: number): void {
    this.reserve(8);
    this.view.setFloat64(this.length, value, true);
    this.length += 8;
  }

  name(text: string): void {
    const encoded = new TextEncoder().encode(text);
    this.u32(encoded.length);
    this.bytes(encoded);
  }

  /** The bytes written so far; a view that later writing may leave behind. */
  taken(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }
}
