/** A growing list of bytes with the encodings of the WebAssembly binary format (LEB128 integers, little-endian floats). */

const scratch: DataView = new DataView(new ArrayBuffer(8));

/** A call of an own function, whose number is known only once all imports are. */
interface OwnCall {
  readonly own: number;
}

const OWN_CALL_BYTES = 3;

export class ByteWriter {
  private content: number[] = [];
  /** Pieces in front of `content`. */
  private readonly pieces: (readonly number[] | OwnCall | ByteWriter)[] = [];
  private lengthOfPieces = 0;

  get length(): number {
    return this.lengthOfPieces + this.content.length;
  }

  byte(value: number): void {
    this.content.push(value);
  }

  bytes(values: readonly number[] | Uint8Array): void {
    for (let i = 0; i < values.length; i++) this.content.push(values[i]!);
  }

  /** Adds all that the other writer has, which must not be written to any more. */
  append(other: ByteWriter): void {
    this.add(other, other.length);
  }

  /** The number of own function `own`, in three bytes. */
  ownCall(own: number): void {
    this.add({ own }, OWN_CALL_BYTES);
  }

  private add(piece: OwnCall | ByteWriter, length: number): void {
    if (this.content.length > 0) {
      this.pieces.push(this.content);
      this.lengthOfPieces += this.content.length;
      this.content = [];
    }
    this.pieces.push(piece);
    this.lengthOfPieces += length;
  }

  /** Unsigned LEB128 of a number below 2^32. */
  u32(value: number): void {
    let rest = value >>> 0;
    while (rest > 0x7f) {
      this.content.push((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.content.push(rest);
  }

  /** Signed LEB128 of an int32. */
  s32(value: number): void {
    let rest = value | 0;
    while (rest < -64 || rest > 63) {
      this.content.push((rest & 0x7f) | 0x80);
      rest >>= 7;
    }
    this.content.push(rest & 0x7f);
  }

  /** Signed LEB128 of an int64. */
  s64(value: bigint): void {
    let rest = BigInt.asIntN(64, value);
    while (rest < -64n || rest > 63n) {
      this.content.push(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    this.content.push(Number(rest & 0x7fn));
  }

  /** A 32-bit word, little-endian. */
  word(value: number): void {
    this.content.push(value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, (value >>> 24) & 0xff);
  }

  f32(value: number): void {
    scratch.setFloat32(0, value, true);
    this.word(scratch.getInt32(0, true));
  }

  f64(value: number): void {
    scratch.setFloat64(0, value, true);
    this.word(scratch.getInt32(0, true));
    this.word(scratch.getInt32(4, true));
  }

  name(text: string): void {
    const encoded = new TextEncoder().encode(text);
    this.u32(encoded.length);
    this.bytes(encoded);
  }

  /** All bytes; own functions are numbered from `firstOwn`. */
  toBytes(firstOwn: number): Uint8Array {
    const out = new Uint8Array(this.length);
    this.copyTo(out, 0, firstOwn);
    return out;
  }

  private copyTo(out: Uint8Array, start: number, firstOwn: number): number {
    let at = start;
    for (const piece of [...this.pieces, this.content]) {
      if (piece instanceof ByteWriter) at = piece.copyTo(out, at, firstOwn);
      else if ("own" in piece) {
        const value = firstOwn + piece.own;
        out.set([(value & 0x7f) | 0x80, ((value >>> 7) & 0x7f) | 0x80, (value >>> 14) & 0x7f], at);
        at += OWN_CALL_BYTES;
      } else {
        out.set(piece, at);
        at += piece.length;
      }
    }
    return at;
  }
}
