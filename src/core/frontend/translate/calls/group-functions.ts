/**
 * The collective operations of cooperative groups as device functions in the kernel language itself. They shuffle within
 * a tile, or from rank to rank of coalesced threads, as CUDA's cooperative_groups headers do.
 */
import { isFloat, type Scalar } from "../../../ir/types.js";
import { type ConstantInput, callees, type DeviceDefinition } from "../../declare/definition.js";
import { bool, f32, f64, i32, i64, type ScalarType, TypedConstant, u32, u64 } from "../../declare/element.js";
import type { Parameters } from "../../declare/parameter.js";
import type { GroupOperator } from "../values/value.js";

const scalarTypes: Readonly<Record<Scalar, ScalarType>> = { bool, i32, u32, i64, u64, f32, f64 };

const combine: Readonly<Record<GroupOperator["name"], string>> = {
  plus: "result + other",
  less: "min(result, other)",
  greater: "max(result, other)",
  bit_and: "result & other",
  bit_or: "result | other",
  bit_xor: "result ^ other",
};

const known = new Map<string, DeviceDefinition>();

function define(
  name: string,
  params: Parameters,
  text: string,
  constants: Readonly<Record<string, ConstantInput>> = {},
  functions: Readonly<Record<string, DeviceDefinition>> = {},
): DeviceDefinition {
  const found = known.get(name);
  if (found !== undefined) return found;
  const made: DeviceDefinition = Object.freeze({
    ...{ kind: "device", name, text, params, constants, functions },
    library: true,
  });
  callees.add(made);
  known.set(name, made);
  return made;
}

/** The lane of the coalesced thread with a rank; this lane where no thread has it. */
export function laneOfRank(): DeviceDefinition {
  return define(
    "cg_lane_of_rank",
    { mask: u32, rank: i32 },
    `({ mask, rank }, { ffs, laneId, i32 }) => {
  let rest = mask;
  for (let i = 0; i < rank; i++) rest &= rest - 1;
  return rest === 0 || rank < 0 ? i32(laneId()) : ffs(i32(rest)) - 1;
}`,
  );
}

/** Ballot bits of the lanes in a mask, moved together so that bit i is rank i. */
export function packedByRank(): DeviceDefinition {
  return define(
    "cg_packed_by_rank",
    { mask: u32, lanes: u32 },
    `({ mask, lanes }, { ffs, u32, i32 }) => {
  let packed = u32(0);
  let rank = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    packed |= ((lanes >> (ffs(i32(rest)) - 1)) & 1) << rank;
    rank++;
  }
  return packed;
}`,
  );
}

/** Butterfly over a tile: every lane has the result. */
export function tileReduce(operator: GroupOperator, type: Scalar, width: number): DeviceDefinition {
  return define(
    `cg_reduce_${operator.name}_${type}_${width}`,
    { mask: u32, value: scalarTypes[type] },
    `({ mask, value }, { shfl_xor_sync, min, max }, { WIDTH }) => {
  let result = value;
  for (let offset = WIDTH >> 1; offset > 0; offset >>= 1) {
    const other = shfl_xor_sync(mask, result, offset, WIDTH);
    result = ${combine[operator.name]};
  }
  return result;
}`,
    { WIDTH: width },
  );
}

/** Tree over the ranks of coalesced threads; rank 0's result goes to all. */
export function coalescedReduce(operator: GroupOperator, type: Scalar): DeviceDefinition {
  return define(
    `cg_reduce_${operator.name}_${type}_coalesced`,
    { mask: u32, rank: i32, value: scalarTypes[type] },
    `({ mask, rank, value }, { shfl_sync, popc, min, max }, { laneOf }) => {
  const size = popc(mask);
  let result = value;
  for (let offset = 1; offset < size; offset *= 2) {
    const other = shfl_sync(mask, result, laneOf(mask, rank + offset));
    if (rank % (2 * offset) === 0 && rank + offset < size) result = ${combine[operator.name]};
  }
  return shfl_sync(mask, result, laneOf(mask, 0));
}`,
    {},
    { laneOf: laneOfRank() },
  );
}

/** The neutral value of an operator. */
function neutral(operator: GroupOperator, type: Scalar): TypedConstant {
  const unsigned = type === "u32" || type === "u64";
  const bits = BigInt(type === "i64" || type === "u64" ? 64 : 32);
  const largest = isFloat(type) ? Number.POSITIVE_INFINITY : unsigned ? (1n << bits) - 1n : (1n << (bits - 1n)) - 1n;
  const smallest = isFloat(type) ? Number.NEGATIVE_INFINITY : unsigned ? 0n : -(1n << (bits - 1n));
  const values = { plus: 0, less: largest, greater: smallest, bit_and: -1, bit_or: 0, bit_xor: 0 };
  return new TypedConstant(type, values[operator.name]);
}

/** Hillis and Steele's scan by shfl_up, over a tile or over the ranks of coalesced threads. */
export function scan(
  operator: GroupOperator,
  type: Scalar,
  width: number | "coalesced",
  inclusive: boolean,
): DeviceDefinition {
  const tile = width !== "coalesced";
  const from = (distance: string): string =>
    tile
      ? `shfl_up_sync(mask, result, ${distance}, WIDTH)`
      : `shfl_sync(mask, result, laneOf(mask, rank - ${distance}))`;
  const last = inclusive ? "return result;" : `const before = ${from("1")};\n  return rank === 0 ? NEUTRAL : before;`;
  return define(
    `cg_${inclusive ? "inclusive" : "exclusive"}_scan_${operator.name}_${type}_${width}`,
    { mask: u32, rank: i32, value: scalarTypes[type] },
    `({ mask, rank, value }, { shfl_up_sync, shfl_sync, popc, min, max }, { WIDTH, NEUTRAL, laneOf }) => {
  let result = value;
  for (let offset = 1; offset < ${tile ? "WIDTH" : "popc(mask)"}; offset *= 2) {
    const other = ${from("offset")};
    if (rank >= offset) result = ${combine[operator.name]};
  }
  ${last}
}`,
    { WIDTH: tile ? width : 32, NEUTRAL: neutral(operator, type) },
    { laneOf: laneOfRank() },
  );
}
