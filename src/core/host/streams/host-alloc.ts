/** Page-locked arrays of the host. */
import { InputError } from "../../base/errors.js";
import { shown } from "../../base/shown.js";
import { byteSize, cudaName, type ElementType } from "../../ir/types.js";
import { note } from "../activity.js";
import { type ArrayOf, scalarOf, view } from "../buffer.js";
import { pin } from "./pinned.js";

/** Bytes that a host's array may have everywhere: 4 GiB. */
const MOST_BYTES = 2 ** 32;

/** @throws InputError for a length that is no whole number. */
export function hostAlloc<E extends ElementType>(owner: object, element: E, length: number): ArrayOf<E> {
  if (!Number.isInteger(length) || length < 0) {
    throw new InputError({
      what: `cudaErrorInvalidValue: gpu.hostAlloc: ${shown(length)} elements of ${cudaName(element)}.`,
      cure: "Give a whole number that is not negative: gpu.hostAlloc(f32, 1024).",
    });
  }
  const bytes = length * byteSize(element);
  if (bytes > MOST_BYTES) {
    throw new InputError({
      what: `cudaErrorMemoryAllocation: gpu.hostAlloc: ${bytes} bytes; an array may have ${MOST_BYTES}.`,
      cure: "Allocate several arrays, or copy the data in parts.",
    });
  }
  const memory = new ArrayBuffer(bytes);
  pin(memory);
  note({ kind: "host-alloc", owner, bytes });
  const scalar = scalarOf(element);
  return view(scalar, memory, 0, bytes / byteSize(scalar)) as ArrayOf<E>;
}
