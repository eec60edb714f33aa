/** What the lanes of a warp give each other, from the definitions of the CUDA C++ Programming Guide. */
import { type Scalar, wrap } from "./oracle-arithmetic.js";
import type { Type, WarpOp } from "./tree.js";

/** What each lane of `lanes` gets. `args[lane]` are its arguments. */
export function exchanged(
  op: WarpOp,
  t: Type,
  mask: number,
  args: ReadonlyMap<number, readonly Scalar[]>,
  lane: number,
): Scalar {
  const lanes = [...args.keys()];
  const values = lanes.map((other) => args.get(other)?.[0] ?? 0);
  const [own = 0, argument = 0, width = 32] = args.get(lane) ?? [];
  const w = Number(width);
  const position = lane % w;
  const start = lane - position;
  const from = (other: number): Scalar => args.get(other)?.[0] ?? (typeof own === "bigint" ? 0n : 0);
  const count = Number(argument);
  const bitsWhere = (test: (value: Scalar) => boolean): number =>
    lanes.reduce((bits, other) => (test(args.get(other)?.[0] ?? 0) ? bits | (1 << other) : bits), 0) >>> 0;
  const fold = (step: (a: bigint, b: bigint) => bigint): Scalar =>
    wrap(t, values.map((value) => BigInt(value)).reduce(step));
  switch (op) {
    case "shfl_sync":
      return from(start + (((count % w) + w) % w));
    case "shfl_up_sync":
      return position - count < 0 ? own : from(lane - count);
    case "shfl_down_sync":
      return position + count >= w ? own : from(lane + count);
    case "shfl_xor_sync": {
      const other = lane ^ count;
      return other >= start + w ? own : from(other);
    }
    case "ballot_sync":
      return bitsWhere((value) => value !== 0);
    case "any_sync":
      return values.some((value) => value !== 0) ? 1 : 0;
    case "all_sync":
      return values.every((value) => value !== 0) ? 1 : 0;
    case "match_any_sync":
      return bitsWhere((value) => value === own);
    case "match_all_sync": {
      const same = values.every((value) => value === own);
      return t === "bool" ? (same ? 1 : 0) : same ? mask >>> 0 : 0;
    }
    case "reduce_add_sync":
      return fold((a, b) => a + b);
    case "reduce_min_sync":
      return fold((a, b) => (a < b ? a : b));
    case "reduce_max_sync":
      return fold((a, b) => (a > b ? a : b));
    case "reduce_and_sync":
      return fold((a, b) => BigInt.asUintN(32, a) & BigInt.asUintN(32, b));
    case "reduce_or_sync":
      return fold((a, b) => BigInt.asUintN(32, a) | BigInt.asUintN(32, b));
    case "reduce_xor_sync":
      return fold((a, b) => BigInt.asUintN(32, a) ^ BigInt.asUintN(32, b));
    case "activemask":
      throw new Error("the oracle has no activemask");
  }
}
