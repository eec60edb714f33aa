/** Whether a number of the host is one that a scalar type holds: what CUDA's compiler would change in silence is refused. */
import { cudaName, type Narrow, type Scalar } from "./types.js";

const INTEGER_RANGES: Readonly<Partial<Record<Scalar | Narrow, readonly [bigint, bigint]>>> = {
  i8: [-(2n ** 7n), 2n ** 7n - 1n],
  u8: [0n, 2n ** 8n - 1n],
  i16: [-(2n ** 15n), 2n ** 15n - 1n],
  u16: [0n, 2n ** 16n - 1n],
  i32: [-(2n ** 31n), 2n ** 31n - 1n],
  u32: [0n, 2n ** 32n - 1n],
  i64: [-(2n ** 63n), 2n ** 63n - 1n],
  u64: [0n, 2n ** 64n - 1n],
};

interface Unfit {
  readonly reason: string;
  readonly cure: string;
}

/** Why a value is none of the type's; null where it is. A float takes every number, rounded. */
export function unfit(type: Scalar | Narrow, value: number | bigint): Unfit | null {
  const range = INTEGER_RANGES[type];
  if (range === undefined) return null;
  if (typeof value === "number" && !Number.isInteger(value)) {
    return { reason: `${value} is not an integer`, cure: "Round it first (Math.trunc), or use f32 or f64" };
  }
  const exact = BigInt(value);
  const [low, high] = range;
  if (exact >= low && exact <= high) return null;
  const wrapped = type === "u32" && exact < 0n ? `, or the same bits, ${BigInt.asUintN(32, exact)}` : "";
  return {
    reason: `${exact} is outside ${low} to ${high}, those of ${cudaName(type)}`,
    cure: `Use a wider type${wrapped}`,
  };
}
