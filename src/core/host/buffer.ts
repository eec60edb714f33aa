/** A buffer in device memory, as cudaMalloc gives it, with its element type; copies go through typed arrays. */
import { type ErrorParts, InputError } from "../base/errors.js";
import { type Shape, shape } from "../base/shape.js";
import { described, shown } from "../base/shown.js";
import { summarized } from "../base/summary.js";
import { extentOf, type HostArray, isWithoutMemory, typedArrayName } from "../base/typed-array.js";
import type { DeviceSpec } from "../device/index.js";
import { unfit } from "../ir/stored-value.js";
import { byteSize, cudaName, type ElementType, type Narrow, type Scalar } from "../ir/types.js";
import { type CopyActivity, type FreedUse, type MemoryRange, note } from "./activity.js";
import { hostWriteKeeper } from "./streams/host-writes.js";
import { hostMemoryOf, pinnedRange } from "./streams/pinned.js";
import { LEGACY_STREAM, type StreamKey } from "./streams/stream-key.js";

export type { HostArray };

interface ArrayByScalar {
  i8: Int8Array;
  u8: Uint8Array;
  i16: Int16Array;
  u16: Uint16Array;
  i32: Int32Array;
  u32: Uint32Array;
  f32: Float32Array;
  f64: Float64Array;
  i64: BigInt64Array;
  u64: BigUint64Array;
  bool: never;
}

/** The typed array that holds elements of a type: a vector's are its scalars, one after the other. */
export type ArrayOf<E extends ElementType> = E extends Scalar | Narrow
  ? ArrayByScalar[E]
  : E extends { readonly scalar: infer S extends Scalar }
    ? ArrayByScalar[S]
    : never;

/** A vector's scalar; a scalar itself. */
export function scalarOf(element: ElementType): Scalar | Narrow {
  return typeof element === "string" ? element : element.scalar;
}

/** `count` scalars at a byte address, not copied. */
export function view(scalar: Scalar | Narrow, buffer: ArrayBufferLike, address: number, count: number): HostArray {
  switch (scalar) {
    case "i8":
      return new Int8Array(buffer, address, count);
    case "u8":
      return new Uint8Array(buffer, address, count);
    case "i16":
      return new Int16Array(buffer, address, count);
    case "u16":
      return new Uint16Array(buffer, address, count);
    case "i32":
      return new Int32Array(buffer, address, count);
    case "u32":
      return new Uint32Array(buffer, address, count);
    case "f32":
      return new Float32Array(buffer, address, count);
    case "f64":
      return new Float64Array(buffer, address, count);
    case "i64":
      return new BigInt64Array(buffer, address, count);
    case "u64":
      return new BigUint64Array(buffer, address, count);
    case "bool":
      throw new InputError({ what: "A buffer of bool does not exist.", cure: "Use u32 and the values 0 and 1." });
  }
}

const ARRAY_NAMES: Readonly<Record<Scalar | Narrow, string>> = {
  i8: "Int8Array",
  u8: "Uint8Array",
  i16: "Int16Array",
  u16: "Uint16Array",
  i32: "Int32Array",
  u32: "Uint32Array",
  f32: "Float32Array",
  f64: "Float64Array",
  i64: "BigInt64Array",
  u64: "BigUint64Array",
  bool: "none",
};

/** A buffer is used after it was freed: given to a launch, copied from or to, or freed again. */
export class FreedBufferError extends InputError {}

/** The error, which those who listen to the GPU's activities hear of. */
export function freedBuffer(
  use: FreedUse,
  buffer: DeviceBuffer,
  parts: ErrorParts,
  user: string | null = null,
): FreedBufferError {
  const { owner, address, byteLength: bytes } = buffer;
  note({ kind: "use-after-free", use, owner, address, bytes, cure: parts.cure, user });
  return new FreedBufferError(parts);
}

/** The part of a GPU that a buffer needs. */
export interface BufferOwner {
  readonly memoryBuffer: ArrayBufferLike;
  readonly device?: DeviceSpec;
  /** The legacy stream unless given. */
  readonly defaultStreamKey?: StreamKey;
  release(buffer: DeviceBuffer): void;
}

/** The stream that copies, and whether the host may go on at once. */
export interface CopyHow {
  readonly stream: StreamKey;
  readonly async: boolean;
}

/** Rows of a pitched allocation, in elements and bytes. */
export interface RowShape {
  readonly width: number;
  readonly height: number;
  readonly pitch: number;
  readonly pitchBytes: number;
}

const SCALAR_OF_ARRAY: ReadonlyMap<string | undefined, Scalar | Narrow> = new Map<string, Scalar | Narrow>([
  ["Int8Array", "i8"],
  ["Uint8Array", "u8"],
  ["Int16Array", "i16"],
  ["Uint16Array", "u16"],
  ["Int32Array", "i32"],
  ["Uint32Array", "u32"],
  ["Float32Array", "f32"],
  ["Float64Array", "f64"],
  ["BigInt64Array", "i64"],
  ["BigUint64Array", "u64"],
]);

/** The scalar of a host's array, by what it is and not by what it says; undefined for anything else. */
export function scalarOfArray(value: unknown): Scalar | Narrow | undefined {
  return SCALAR_OF_ARRAY.get(typedArrayName(value));
}

/** The same memory as a plain typed array. @throws InputError where it was transferred to a worker, or shrank. */
export function plainArray(call: string, array: HostArray): HostArray {
  if (isWithoutMemory(array)) {
    throw new InputError({
      what: `${call} was given an array without memory: its buffer was transferred to somebody else (it is detached), or was made smaller.`,
      cure: "Copy the array before you transfer or resize its buffer (array.slice()), and give the copy.",
    });
  }
  const { buffer, offset, length } = extentOf(array);
  return view(scalarOfArray(array) ?? "bool", buffer, offset, length);
}

function setArray(target: HostArray, source: HostArray, offset: number = 0): void {
  if (target instanceof BigInt64Array || target instanceof BigUint64Array) target.set(source as BigInt64Array, offset);
  else target.set(source as Int32Array, offset);
}

/** Rows of a pitched buffer without their gaps. */
function copyRows(source: HostArray, target: HostArray, { height, pitchBytes }: RowShape, rowLength: number): void {
  for (let y = 0; y < height; y++) {
    const at = (y * pitchBytes) / source.BYTES_PER_ELEMENT;
    setArray(target, source.subarray(at, at + rowLength), y * rowLength);
  }
}

/**
 * `length` counts elements of `element`; a float4 is one element and four scalars. On the host a buffer is one typed
 * array of scalars. So `gpu.alloc(float4, n).read()` is a Float32Array of 4 * n values, x y z w x y ...
 */
export class DeviceBuffer<E extends ElementType = ElementType> {
  readonly element: E;
  readonly length: number;
  readonly address: number;
  readonly byteLength: number;
  /** Bytes of the allocation before the address that a kernel may use, too: 0 but for a pointer of a CUDA program. */
  readonly bytesBefore: number;
  readonly #owner: BufferOwner;
  /** The allocation that this is a part of. */
  readonly #whole: DeviceBuffer<E> | null;
  #freed = false;

  constructor(
    owner: BufferOwner,
    element: E,
    length: number,
    address: number,
    whole: DeviceBuffer<E> | null = null,
    bytesBefore: number = 0,
  ) {
    this.bytesBefore = bytesBefore;
    this.#owner = owner;
    this.#whole = whole;
    this.element = element;
    this.length = length;
    this.address = address;
    this.byteLength = length * byteSize(element);
  }

  /** Whether a value is a buffer, and nothing that only looks like one. */
  static is(value: unknown): value is DeviceBuffer {
    return typeof value === "object" && value !== null && #freed in value;
  }

  get owner(): BufferOwner {
    return this.#owner;
  }

  /** A part is freed with its whole. */
  get freed(): boolean {
    return this.#whole?.freed ?? this.#freed;
  }

  get #range(): MemoryRange {
    return { owner: this.#owner, address: this.address, bytes: this.byteLength };
  }

  get #defaultHow(): CopyHow {
    return { stream: this.#owner.defaultStreamKey ?? LEGACY_STREAM, async: false };
  }

  #view(): HostArray {
    if (this.freed) {
      throw freedBuffer("copy", this, {
        what: "This buffer was freed.",
        cure: "Allocate a new one, or free it later.",
      });
    }
    const scalar = scalarOf(this.element);
    return view(scalar, this.#owner.memoryBuffer, this.address, this.byteLength / byteSize(scalar));
  }

  /**
   * `length` elements from `offset` on, as pointer arithmetic gives them: the same memory. A kernel that gets it stays within
   * this part. All to the end unless `length` is given.
   * @throws InputError for a part that does not lie within the buffer.
   * @example
   * for (let i = 0; i < 4; i++) streams[i].write(data.sub(i * part, part), pinned.subarray(i * part, (i + 1) * part));
   */
  sub(offset: number, length: number = this.length - Number(offset)): DeviceBuffer<E> {
    const whole = (value: number): boolean => Number.isInteger(value) && value >= 0;
    if (!whole(offset) || !whole(length) || offset + length > this.length) {
      throw new InputError({
        what: `cudaErrorInvalidValue: ${shown(length)} elements from ${shown(offset)} on are no part of a buffer of ${this.length}.`,
        cure: "Give whole numbers that stay within it: buffer.sub(offset, length).",
      });
    }
    const address = this.address + offset * byteSize(this.element);
    return new DeviceBuffer(this.#owner, this.element, length, address, this.#whole ?? this);
  }

  /**
   * Copies the whole buffer to the host (cudaMemcpyDeviceToHost): a typed array of its scalars. For i32 and int4 that is
   * an Int32Array, of float2 and float4 a Float32Array, of i64 a BigInt64Array.
   */
  read(): ArrayOf<E> {
    return this.copyOut(this.#defaultHow);
  }

  /** Copies `data` to the device from scalar `offset` on (cudaMemcpyHostToDevice). */
  write(data: ArrayOf<E>, offset: number = 0): this {
    this.copyIn(data, offset, this.#defaultHow);
    return this;
  }

  /** Sets every scalar to `value` (an element-wise cudaMemset). */
  fill(value: number | bigint): this {
    this.set(value, this.#defaultHow);
    return this;
  }

  /** `read` in a stream, into an array if one is given. */
  copyOut(how: CopyHow, into?: ArrayOf<E>): ArrayOf<E> {
    const source = this.#view();
    const target: HostArray = into === undefined ? (source.slice() as HostArray) : this.#given(into);
    if (target.length < source.length) {
      throw new InputError({
        what: `cudaErrorInvalidValue: a buffer of ${source.length} values does not fit into an array of ${target.length}.`,
        cure: "Give a longer array, or read a part: buffer.sub(offset, length).",
      });
    }
    this.#note(how, "DtoH", target, this.address, this.byteLength);
    if (into !== undefined) this.#writeHost(how, target, source);
    return into ?? (target as ArrayOf<E>);
  }

  /** `write` in a stream. */
  copyIn(data: ArrayOf<E>, offset: number, how: CopyHow): void {
    const target = this.#view();
    const source = this.#given(data);
    if (!Number.isInteger(offset) || offset < 0 || offset + source.length > target.length) {
      throw new InputError({
        what: `cudaErrorInvalidValue: ${source.length} values at offset ${shown(offset)} do not fit into a buffer of ${target.length}.`,
        cure: "Allocate the buffer at least as large as what is copied into it.",
      });
    }
    this.#note(how, "HtoD", source, this.address + offset * target.BYTES_PER_ELEMENT, source.byteLength);
    setArray(target, source, offset);
  }

  /** `fill` in a stream. */
  set(value: number | bigint, { stream, async }: CopyHow): void {
    const target = this.#view();
    if (typeof value !== "number" && typeof value !== "bigint") {
      throw new InputError({
        what: `buffer.fill was given ${typeof value}.`,
        cure: "Give it a number: buffer.fill(0).",
      });
    }
    const wrong = unfit(scalarOf(this.element), value);
    if (wrong !== null) {
      throw new InputError({
        what: `buffer.fill: ${wrong.reason}, but the buffer holds ${cudaName(this.element)}.`,
        cure: `${wrong.cure}.`,
      });
    }
    note({ kind: "memset", ...this.#range, device: this.#owner.device ?? null, stream, async });
    if (target instanceof BigInt64Array || target instanceof BigUint64Array) target.fill(BigInt(value));
    else target.fill(Number(value));
  }

  /** cudaMemcpy2D to rows of this buffer, from an array without gaps; null: in the default stream. */
  copyRowsIn(data: ArrayOf<E>, shape: RowShape, how: CopyHow | null): void {
    const target = this.#view();
    const source = this.#given(data);
    const { rowLength, count } = this.#rows(shape);
    if (source.length !== count) this.#refuseRows(source.length, count);
    this.#note(how ?? this.#defaultHow, "HtoD", source, this.address, source.byteLength, shape);
    for (let y = 0; y < shape.height; y++) {
      const at = (y * shape.pitchBytes) / target.BYTES_PER_ELEMENT;
      setArray(target, source.subarray(y * rowLength, (y + 1) * rowLength), at);
    }
  }

  /** cudaMemcpy2D from rows of this buffer. */
  copyRowsOut(shape: RowShape, how: CopyHow | null, into?: ArrayOf<E>): ArrayOf<E> {
    const source = this.#view();
    const { rowLength, count } = this.#rows(shape);
    const target: HostArray = into === undefined ? (source.slice(0, count) as HostArray) : this.#given(into);
    if (target.length !== count) this.#refuseRows(target.length, count);
    this.#note(how ?? this.#defaultHow, "DtoH", target, this.address, target.byteLength, shape);
    if (into === undefined) copyRows(source, target, shape, rowLength);
    else this.#writeHost(how ?? this.#defaultHow, target, source, (from) => copyRows(from, target, shape, rowLength));
    return into ?? (target as ArrayOf<E>);
  }

  /** Copies all of `source` here, on the GPU. */
  copyFrom(source: DeviceBuffer<E>, { stream, async }: CopyHow): void {
    const target = this.#view();
    const values = source.#view();
    if (scalarOf(source.element) !== scalarOf(this.element)) this.#refuseType(values);
    if (values.length > target.length) {
      throw new InputError({
        what: `cudaErrorInvalidValue: a copy of ${values.length} values does not fit into a buffer of ${target.length}.`,
        cure: "Copy a part of the source, source.sub(0, length), or allocate a larger target.",
      });
    }
    const { address: from, byteLength: bytes } = source;
    const range = { owner: this.#owner, address: this.address, bytes };
    const device = this.#owner.device ?? null;
    const between = { host: null, pinned: null, elementBytes: 4, from, rows: null };
    note({ kind: "copy", way: "DtoD", ...range, device, stream, async, ...between });
    setArray(target, values);
  }

  /** An asynchronous copy into page-locked memory may come later, with the values of now. */
  #writeHost(
    { async }: CopyHow,
    target: HostArray,
    source: HostArray,
    write: (from: HostArray) => void = (from) => setArray(target, from),
  ): void {
    const keep = async && pinnedRange(target) !== null ? hostWriteKeeper() : null;
    if (keep === null) {
      write(source);
      return;
    }
    const values = source.slice() as HostArray;
    keep(() => write(values));
  }

  #rows({ width, height }: RowShape): { readonly rowLength: number; readonly count: number } {
    const rowLength = (width * byteSize(this.element)) / byteSize(scalarOf(this.element));
    return { rowLength, count: rowLength * height };
  }

  #refuseRows(given: number, count: number): never {
    throw new InputError({
      what: `cudaErrorInvalidValue: an array of ${given} values was given for the ${count} of a pitched buffer.`,
      cure: "Give one value for each element, row after row, without the gaps of the pitch.",
    });
  }

  /** An array that a caller gives for this buffer's values. */
  #given(array: HostArray): HostArray {
    if (scalarOfArray(array) !== scalarOf(this.element)) this.#refuseType(array);
    return plainArray(`A buffer of ${cudaName(this.element)}`, array);
  }

  #refuseType(given: unknown): never {
    throw new InputError({
      what: `A buffer of ${cudaName(this.element)} was given ${described(given)}.`,
      cure: `Give it ${ARRAY_NAMES[scalarOf(this.element)]}.`,
    });
  }

  #note(
    { stream, async }: CopyHow,
    way: CopyActivity["way"],
    array: HostArray,
    address: number,
    bytes: number,
    shape?: RowShape,
  ): void {
    const rows = shape === undefined ? null : { count: shape.height, pitchBytes: shape.pitchBytes };
    const device = this.#owner.device ?? null;
    const side = { host: hostMemoryOf(array), pinned: pinnedRange(array), elementBytes: array.BYTES_PER_ELEMENT };
    note({ kind: "copy", way, owner: this.#owner, address, bytes, device, stream, async, ...side, from: null, rows });
  }

  /** Gives the memory back (cudaFree). Freeing twice is an error. */
  free(): void {
    if (this.#whole !== null) {
      throw new InputError({
        what: "cudaErrorInvalidValue: a part of a buffer cannot be freed.",
        cure: "Free the buffer that sub() was called on.",
      });
    }
    if (this.#freed) {
      throw freedBuffer("free", this, {
        what: "This buffer was freed before.",
        cure: "Free a buffer once.",
      });
    }
    this.#freed = true;
    note({ kind: "free", ...this.#range });
    this.#owner.release(this);
  }
}

export const bufferShape: Shape = shape("what gpu.alloc or gpu.upload returns", DeviceBuffer.is);

summarized(
  DeviceBuffer.prototype,
  ({ element, length, address, owner }) =>
    `DeviceBuffer: ${length} ${cudaName(element)} at 0x${address.toString(16)}${owner.device === undefined ? "" : ` on ${owner.device.id}`}; read() has the values`,
);

/** A typed array that a buffer can be made of. */
export const hostArray: Shape = shape(
  "an Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array or BigUint64Array",
  (value) => scalarOfArray(value) !== undefined,
);

const hostIndex = (place: PropertyKey): void => {
  if (typeof place !== "string" || !/^\d+$/.test(place)) return;
  throw new InputError({
    what: `Element ${place} of a buffer is in the GPU's memory, which the host does not index.`,
    cure: `Copy the values first: buffer.read()[${place}]; to change them, buffer.write(values).`,
  });
};

// Below the buffer's own methods, so that it is asked for names that a buffer does not have.
Object.setPrototypeOf(
  DeviceBuffer.prototype,
  new Proxy(Object.create(Object.prototype), {
    get: (target, name, receiver): unknown => {
      hostIndex(name);
      return Reflect.get(target, name, receiver);
    },
    set: (target, name, value, receiver): boolean => {
      hostIndex(name);
      return Reflect.set(target, name, value, receiver);
    },
  }),
);
