/** A buffer in device memory, as cudaMalloc gives it, with its element type; copies go through typed arrays. */
import { type ErrorParts, InputError } from "../base/errors.js";
import type { DeviceSpec } from "../device/index.js";
import { byteSize, cudaName, type ElementType, type Scalar } from "../ir/types.js";
import { type FreedUse, type MemoryRange, note } from "./activity.js";

export type HostArray = Int32Array | Uint32Array | Float32Array | Float64Array | BigInt64Array | BigUint64Array;

interface ArrayByScalar {
  i32: Int32Array;
  u32: Uint32Array;
  f32: Float32Array;
  f64: Float64Array;
  i64: BigInt64Array;
  u64: BigUint64Array;
  bool: never;
}

/** The typed array that holds elements of a type: a vector's are its scalars, one after the other. */
export type ArrayOf<E extends ElementType> = E extends Scalar
  ? ArrayByScalar[E]
  : E extends { readonly scalar: infer S extends Scalar }
    ? ArrayByScalar[S]
    : never;

/** A vector's scalar; a scalar itself. */
export function scalarOf(element: ElementType): Scalar {
  return typeof element === "string" ? element : element.scalar;
}

/** `count` scalars at a byte address, not copied. */
export function view(scalar: Scalar, buffer: ArrayBufferLike, address: number, count: number): HostArray {
  switch (scalar) {
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

const ARRAY_NAMES: Readonly<Record<Scalar, string>> = {
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
export function freedBuffer(use: FreedUse, buffer: DeviceBuffer, parts: ErrorParts): FreedBufferError {
  const { owner, address, byteLength: bytes } = buffer;
  note({ kind: "use-after-free", use, owner, address, bytes, cure: parts.cure });
  return new FreedBufferError(parts);
}

/** The part of a GPU that a buffer needs. */
export interface BufferOwner {
  readonly memoryBuffer: ArrayBufferLike;
  readonly device?: DeviceSpec;
  release(buffer: DeviceBuffer): void;
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
  readonly #owner: BufferOwner;
  #freed = false;

  constructor(owner: BufferOwner, element: E, length: number, address: number) {
    this.#owner = owner;
    this.element = element;
    this.length = length;
    this.address = address;
    this.byteLength = length * byteSize(element);
  }

  get owner(): BufferOwner {
    return this.#owner;
  }

  get freed(): boolean {
    return this.#freed;
  }

  get #range(): MemoryRange {
    return { owner: this.#owner, address: this.address, bytes: this.byteLength };
  }

  #view(): HostArray {
    if (this.#freed) {
      throw freedBuffer("copy", this, {
        what: "This buffer was freed.",
        cure: "Allocate a new one, or free it later.",
      });
    }
    const scalar = scalarOf(this.element);
    return view(scalar, this.#owner.memoryBuffer, this.address, this.byteLength / byteSize(scalar));
  }

  /**
   * Copies the whole buffer to the host (cudaMemcpyDeviceToHost): a typed array of its scalars. For i32 and int4 that is
   * an Int32Array, of float2 and float4 a Float32Array, of i64 a BigInt64Array.
   */
  read(): ArrayOf<E> {
    const source = this.#view();
    note({ kind: "copy", way: "DtoH", ...this.#range, device: this.#owner.device ?? null });
    return source.slice() as ArrayOf<E>;
  }

  /** Copies `data` to the device from scalar `offset` on (cudaMemcpyHostToDevice). */
  write(data: ArrayOf<E>, offset: number = 0): this {
    const target = this.#view();
    const source: HostArray = data;
    if (source.constructor.name !== target.constructor.name) {
      throw new InputError({
        what: `A buffer of ${cudaName(this.element)} was given ${source.constructor.name}.`,
        cure: `Give it ${ARRAY_NAMES[scalarOf(this.element)]}.`,
      });
    }
    if (!Number.isInteger(offset) || offset < 0 || offset + source.length > target.length) {
      throw new InputError({
        what: `cudaErrorInvalidValue: ${source.length} values at offset ${offset} do not fit into a buffer of ${target.length}.`,
        cure: "Allocate the buffer at least as large as what is copied into it.",
      });
    }
    const address = this.address + offset * target.BYTES_PER_ELEMENT;
    const { byteLength: bytes } = source;
    note({ kind: "copy", way: "HtoD", ...this.#range, address, bytes, device: this.#owner.device ?? null });
    if (target instanceof BigInt64Array || target instanceof BigUint64Array) {
      target.set(source as BigInt64Array, offset);
    } else {
      target.set(source as Int32Array, offset);
    }
    return this;
  }

  /** Sets every scalar to `value` (an element-wise cudaMemset). */
  fill(value: number | bigint): this {
    const target = this.#view();
    if (typeof value !== "number" && typeof value !== "bigint") {
      throw new InputError({
        what: `buffer.fill was given ${typeof value}.`,
        cure: "Give it a number: buffer.fill(0).",
      });
    }
    note({ kind: "memset", ...this.#range, device: this.#owner.device ?? null });
    if (target instanceof BigInt64Array || target instanceof BigUint64Array) target.fill(BigInt(value));
    else target.fill(Number(value));
    return this;
  }

  /** Gives the memory back (cudaFree). Freeing twice is an error. */
  free(): void {
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
