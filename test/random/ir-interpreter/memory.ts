/** Memory of the interpreter of the IR: bytes, and typed places in them. */
import { byteSize, type ElementType, type Narrow, type Scalar, type Space } from "../../../src/core/ir/types.js";
import type { Scalar as Value } from "../oracle-arithmetic.js";

export interface Pointer {
  readonly bytes: DataView;
  readonly at: number;
  readonly space: Space;
}

export function moved(pointer: Pointer, elements: Value, type: ElementType): Pointer {
  return { ...pointer, at: pointer.at + Number(elements) * byteSize(type) };
}

export function newMemory(bytes: number, space: Space): Pointer {
  return { bytes: new DataView(new ArrayBuffer(bytes)), at: 0, space };
}

const LITTLE_ENDIAN = true;

export function read({ bytes, at }: Pointer, type: Scalar | Narrow): Value {
  switch (type) {
    case "i8":
      return bytes.getInt8(at);
    case "u8":
      return bytes.getUint8(at);
    case "i16":
      return bytes.getInt16(at, LITTLE_ENDIAN);
    case "u16":
      return bytes.getUint16(at, LITTLE_ENDIAN);
    case "f32":
      return bytes.getFloat32(at, LITTLE_ENDIAN);
    case "f64":
      return bytes.getFloat64(at, LITTLE_ENDIAN);
    case "i64":
      return bytes.getBigInt64(at, LITTLE_ENDIAN);
    case "u64":
      return bytes.getBigUint64(at, LITTLE_ENDIAN);
    case "u32":
      return bytes.getUint32(at, LITTLE_ENDIAN);
    default:
      return bytes.getInt32(at, LITTLE_ENDIAN);
  }
}

export function write({ bytes, at }: Pointer, type: Scalar | Narrow, value: Value): void {
  switch (type) {
    case "i8":
    case "u8":
      bytes.setUint8(at, Number(value));
      return;
    case "i16":
    case "u16":
      bytes.setUint16(at, Number(value), LITTLE_ENDIAN);
      return;
    case "f32":
      bytes.setFloat32(at, Number(value), LITTLE_ENDIAN);
      return;
    case "f64":
      bytes.setFloat64(at, Number(value), LITTLE_ENDIAN);
      return;
    case "i64":
    case "u64":
      bytes.setBigUint64(at, BigInt.asUintN(64, BigInt(value)), LITTLE_ENDIAN);
      return;
    default:
      bytes.setUint32(at, Number(value), LITTLE_ENDIAN);
  }
}
