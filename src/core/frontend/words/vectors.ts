/** Short vectors and the casts: types are words of the language too. */
import type { Vector2, Vector4 } from "../declare/element.js";
import { word } from "./host.js";

export {
  bool,
  double2,
  f32,
  f64,
  float2,
  float4,
  i8,
  i16,
  i32,
  i64,
  int2,
  int4,
  u8,
  u16,
  u32,
  u64,
  uint2,
  uint4,
} from "../declare/element.js";

/** An int2 of its components. */
export const make_int2: (x: number, y: number) => Vector2 = word("make_int2");

/** An int4 of its components. */
export const make_int4: (x: number, y: number, z: number, w: number) => Vector4 = word("make_int4");

/** A uint2 of its components. */
export const make_uint2: (x: number, y: number) => Vector2 = word("make_uint2");

/** A uint4 of its components. */
export const make_uint4: (x: number, y: number, z: number, w: number) => Vector4 = word("make_uint4");

/** A float2 of its components. */
export const make_float2: (x: number, y: number) => Vector2 = word("make_float2");

/** A float4 of its components. */
export const make_float4: (x: number, y: number, z: number, w: number) => Vector4 = word("make_float4");

/** A double2 of its components. */
export const make_double2: (x: number, y: number) => Vector2 = word("make_double2");
