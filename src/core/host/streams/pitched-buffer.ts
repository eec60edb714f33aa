/** A 2-D allocation whose rows start at aligned addresses (cudaMallocPitch), with copies row by row (cudaMemcpy2D). */
import { InputError } from "../../base/errors.js";
import { type Shape, shape } from "../../base/shape.js";
import { shown } from "../../base/shown.js";
import { summarized } from "../../base/summary.js";
import { byteSize, cudaName, type ElementType } from "../../ir/types.js";
import { type ArrayOf, type BufferOwner, type CopyHow, DeviceBuffer } from "../buffer.js";

/** Rows start at multiples of this: measured on an H200 (test/reference/h200/micro/transfers.json, pitch). */
const PITCH_ALIGNMENT_BYTES = 512;

/** Bytes from one row to the next. */
export function pitchBytesOf(element: ElementType, width: number): number {
  const rowBytes = Math.max(1, width * byteSize(element));
  return Math.ceil(rowBytes / PITCH_ALIGNMENT_BYTES) * PITCH_ALIGNMENT_BYTES;
}

/** @throws InputError for sizes that are no whole numbers above 0, and elements that the pitch is no multiple of. */
export function checkPitched(element: ElementType, width: number, height: number): void {
  for (const [name, value] of [
    ["width", width],
    ["height", height],
  ] as const) {
    if (Number.isInteger(value) && value > 0) continue;
    throw new InputError({
      what: `cudaErrorInvalidValue: gpu.allocPitch: ${name} is ${shown(value)}.`,
      cure: "Give whole numbers above 0: gpu.allocPitch(f32, width, height).",
    });
  }
  if (PITCH_ALIGNMENT_BYTES % byteSize(element) !== 0) {
    throw new InputError({
      what: `gpu.allocPitch: rows of ${PITCH_ALIGNMENT_BYTES} bytes hold no whole number of ${cudaName(element)}.`,
      cure: "Give a type of 4, 8 or 16 bytes, such as f32 or float4.",
    });
  }
}

/**
 * `width` x `height` elements in rows of `pitch` elements. A kernel takes `buffer` and `pitch`: element (x, y) is
 * `data[y * pitch + x]`.
 * @example
 * const image = gpu.allocPitch(f32, 1000, 600);
 * image.write(pixels); // 600,000 values, without gaps
 * gpu.launch(blur, { grid, block }, { image: image.buffer, pitch: image.pitch });
 */
export class PitchedBuffer<E extends ElementType = ElementType> {
  readonly #pitched = true;
  readonly pitchBytes: number;
  /** Elements from one row to the next. */
  readonly pitch: number;

  constructor(
    readonly buffer: DeviceBuffer<E>,
    readonly width: number,
    readonly height: number,
  ) {
    this.pitchBytes = pitchBytesOf(buffer.element, width);
    this.pitch = this.pitchBytes / byteSize(buffer.element);
  }

  /** Whether a value is a pitched buffer, and nothing that only looks like one. */
  static is(value: unknown): value is PitchedBuffer {
    return typeof value === "object" && value !== null && #pitched in value;
  }

  get owner(): BufferOwner {
    return this.buffer.owner;
  }

  /** The elements of row `y`, as a part of the buffer. */
  row(y: number): DeviceBuffer<E> {
    if (!Number.isInteger(y) || y < 0 || y >= this.height) {
      throw new InputError({
        what: `cudaErrorInvalidValue: a pitched buffer of ${this.height} rows has no row ${shown(y)}.`,
        cure: `Give a whole number from 0 to ${this.height - 1}.`,
      });
    }
    return this.buffer.sub(y * this.pitch, this.width);
  }

  /** Copies `data`, whose rows follow one another without gaps, to the device (cudaMemcpy2D). */
  write(data: ArrayOf<E>): this {
    this.copyIn(data, null);
    return this;
  }

  /** Copies the rows to the host, without the gaps between them (cudaMemcpy2D). */
  read(): ArrayOf<E> {
    return this.copyOut(null);
  }

  /** Null: the default stream, which waits. */
  copyIn(data: ArrayOf<E>, how: CopyHow | null): void {
    this.buffer.copyRowsIn(data, this, how);
  }

  copyOut(how: CopyHow | null, into?: ArrayOf<E>): ArrayOf<E> {
    return this.buffer.copyRowsOut(this, how, into);
  }

  free(): void {
    this.buffer.free();
  }
}

export const anyBuffer: Shape = shape(
  "what gpu.alloc, gpu.upload or gpu.allocPitch returns",
  (value) => DeviceBuffer.is(value) || PitchedBuffer.is(value),
);

summarized(
  PitchedBuffer.prototype,
  ({ buffer, width, height, pitch }) =>
    `PitchedBuffer: ${width} x ${height} ${cudaName(buffer.element)}, ${pitch} from row to row; read() has the values`,
);
