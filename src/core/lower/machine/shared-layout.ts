/**
 * The layout of shared memory per block and of local memory per thread. Arrays lie in declaration order, aligned to
 * 16 bytes, or to the widest access in them if they are smaller. Dynamic arrays all start after the static ones, at a multiple
 * of 16 bytes. Source: CUDA C++ Programming Guide, "Dynamic shared memory" and "Built-in vector types".
 */
import type { LocalArray, SharedArray } from "../../ir/ir.js";
import { byteSize } from "../../ir/types.js";
import type { LocalLayout, SharedLayout } from "../program.js";

function alignUp(offset: number, alignment: number): number {
  return Math.ceil(offset / alignment) * alignment;
}

/** Arrays are aligned for the widest access that they hold: 8 bytes of three ints may be read at once. */
function wideAlignment(bytes: number): number {
  return bytes >= 16 ? 16 : bytes >= 8 ? 8 : bytes >= 4 ? 4 : bytes >= 2 ? 2 : 1;
}

/** The size of an array with constant dimensions. */
export function byteLength(array: {
  readonly element: SharedArray["element"];
  readonly dims: readonly number[];
}): number {
  return array.dims.reduce((total, dim) => total * dim, byteSize(array.element));
}

export interface SharedPlan {
  readonly layout: readonly SharedLayout[];
  readonly staticBytes: number;
  readonly dynamic: boolean;
}

export function layoutShared(arrays: readonly SharedArray[]): SharedPlan {
  let offset = 0;
  const offsets = arrays.map((array) => {
    if (array.dims === null) return 0;
    const length = byteLength({ element: array.element, dims: array.dims });
    const at = alignUp(offset, wideAlignment(length));
    offset = at + length;
    return at;
  });
  const staticBytes = offset;
  const dynamicOffset = alignUp(staticBytes, 16);
  const layout = arrays.map((array, i): SharedLayout => {
    if (array.dims === null) return { array, offsetBytes: dynamicOffset, sizeBytes: null };
    return { array, offsetBytes: offsets[i]!, sizeBytes: byteLength({ element: array.element, dims: array.dims }) };
  });
  const dynamic = arrays.some((array) => array.dims === null);
  // The gap before dynamic arrays counts as static, so the launch's bytes all belong to them.
  return { layout, staticBytes: dynamic ? dynamicOffset : staticBytes, dynamic };
}

export interface LocalPlan {
  readonly layout: readonly LocalLayout[];
  readonly bytesPerThread: number;
}

/** `used`: the arrays still in memory; the others live in registers. Spilled values follow the arrays. */
export function layoutLocal(arrays: readonly LocalArray[], used: ReadonlySet<number>, spillBytes: number): LocalPlan {
  let offset = 0;
  const layout = arrays.map((array, i): LocalLayout => {
    if (!used.has(i)) return { name: array.name, offsetBytes: offset, sizeBytes: 0 };
    const sizeBytes = byteLength(array);
    const at = alignUp(offset, wideAlignment(sizeBytes));
    offset = at + sizeBytes;
    return { name: array.name, offsetBytes: at, sizeBytes };
  });
  if (spillBytes > 0) {
    const at = alignUp(offset, 8);
    layout.push({ name: "spilled values", offsetBytes: at, sizeBytes: spillBytes, spills: true });
    offset = at + spillBytes;
  }
  return { layout, bytesPerThread: alignUp(offset, 16) };
}
