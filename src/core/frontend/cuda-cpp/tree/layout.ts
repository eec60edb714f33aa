/** Sizes and offsets of types in memory, as the C++ ABI of x86-64 and of nvcc lays them out. */
import { byteSize } from "../../../ir/types.js";
import type { CScalar, CType } from "./types.js";

export interface Field {
  readonly name: string;
  readonly type: CType;
  readonly offset: number;
}

export interface Layout {
  readonly size: number;
  readonly align: number;
  readonly fields: readonly Field[];
  /** All fields begin at the same place. */
  readonly union: boolean;
}

/** A record's own declaration: its fields in their order. */
export interface RecordShape {
  readonly fields: readonly {
    readonly name: string;
    readonly type: CType;
    readonly align?: number;
    /** The first byte that it may have, after a base whose end is kept free. */
    readonly from?: number;
  }[];
  readonly align?: number;
  readonly union?: boolean;
}

const VECTOR_STEMS: Readonly<Record<string, CScalar>> = {
  char: "i8",
  uchar: "u8",
  short: "i16",
  ushort: "u16",
  int: "i32",
  uint: "u32",
  long: "i64",
  ulong: "u64",
  longlong: "i64",
  ulonglong: "u64",
  float: "f32",
  double: "f64",
};

/** The scalar and the number of lanes of a short vector type of CUDA, such as float4. */
export function vectorOf(name: string): { readonly scalar: CScalar; readonly lanes: number } | null {
  const found = /^(u?char|u?short|u?int|u?longlong|u?long|float|double)([1-4])$/.exec(name);
  const scalar = VECTOR_STEMS[found?.[1] ?? ""];
  return scalar === undefined ? null : { scalar, lanes: Number(found?.[2]) };
}

/** The shape of a record of CUDA's own headers. */
export function headerRecord(name: string): RecordShape | null {
  if (name === "dim3") return vectorShape("u32", 3);
  const vector = vectorOf(name);
  return vector === null ? null : vectorShape(vector.scalar, vector.lanes);
}

function vectorShape(scalar: CScalar, lanes: number): RecordShape {
  const fields = ["x", "y", "z", "w"]
    .slice(0, lanes)
    .map((name) => ({ name, type: { kind: "scalar", scalar } as const }));
  const align = lanes === 2 || lanes === 4 ? Math.min(16, lanes * byteSize(scalar)) : byteSize(scalar);
  return { fields, align };
}

export class Layouts {
  private readonly known = new Map<string, Layout | null>();

  constructor(private readonly shapeOf: (name: string) => RecordShape | null) {}

  size(type: CType): number | null {
    return this.measure(type)?.size ?? null;
  }

  measure(type: CType): { readonly size: number; readonly align: number } | null {
    switch (type.kind) {
      case "scalar": {
        const size = byteSize(type.scalar);
        return { size, align: size };
      }
      case "pointer":
      case "reference":
        return { size: 8, align: 8 };
      case "array": {
        const of = this.measure(type.of);
        return of === null || type.length === null ? null : { size: of.size * type.length, align: of.align };
      }
      case "record":
        return this.record(type.name);
      default:
        return null;
    }
  }

  record(name: string): Layout | null {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const shape = this.shapeOf(name) ?? headerRecord(name);
    const layout = shape === null ? null : this.laidOut(shape);
    this.known.set(name, layout);
    return layout;
  }

  private laidOut(shape: RecordShape): Layout | null {
    let size = 0;
    let align = shape.align ?? 1;
    const fields: Field[] = [];
    for (const field of shape.fields) {
      const measured = this.measure(field.type);
      if (measured === null) return null;
      const own = Math.max(measured.align, field.align ?? 1);
      align = Math.max(align, own);
      const offset = shape.union ? 0 : Math.ceil(Math.max(size, field.from ?? 0) / own) * own;
      fields.push({ name: field.name, type: field.type, offset });
      size = shape.union ? Math.max(size, measured.size) : offset + measured.size;
    }
    return { size: Math.max(1, Math.ceil(size / align) * align), align, fields, union: shape.union === true };
  }
}
