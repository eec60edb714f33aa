/**
 * Warp primitives and barriers, with CUDA's parameter types (CUDA C++ Programming Guide, Warp Vote, Match, Reduce and
 * Shuffle Functions, Synchronization Functions). Which GPU has which is the lowering's business.
 */
import type { IntrinsicName } from "../../../ir/ir.js";
import { isFloat, type Scalar } from "../../../ir/types.js";
import { aType } from "../../text/type-name.js";
import type { CallHandler, CallSite, Translator } from "../translator.js";
import { convertTo, type ScalarExpr } from "../values/convert.js";
import { constant, isConst } from "../values/fold.js";
import { argument, fullMask, intrinsic, requireCount, scalarAs } from "./arguments.js";

function mask(t: Translator, call: CallSite): ScalarExpr {
  return scalarAs(t, call, 0, "u32");
}

/** A number that a lane gives to others; a truth value goes as 0 or 1. */
export function laneValue(t: Translator, call: CallSite, index: number): ScalarExpr {
  const value = t.scalar(argument(call, index));
  return value.type === "bool" ? convertTo(value, "i32") : value;
}

/** The lanes of a segment; all 32 unless told. */
function widthArgument(t: Translator, call: CallSite, index: number): ScalarExpr {
  if (call.args.length <= index) return constant("i32", 32, call.span);
  const width = scalarAs(t, call, index, "i32");
  if (isConst(width) && ![1, 2, 4, 8, 16, 32].includes(Number(width.value))) {
    t.report.failOnValue(width.span, `A shuffle of width ${width.value}.`, "The width is a power of two from 2 to 32.");
  }
  return width;
}

function shuffle(name: IntrinsicName, laneType: Scalar, laneName: string): CallHandler {
  return (t, call) => {
    requireCount(t, call, 3, 4, `${call.name}(0xffffffff, value, ${laneName}) with the mask of the taking lanes first`);
    const value = laneValue(t, call, 1);
    const lane = scalarAs(t, call, 2, laneType);
    return intrinsic(call, name, value.type, [mask(t, call), value, lane, widthArgument(t, call, 3)]);
  };
}

function vote(name: IntrinsicName, type: Scalar): CallHandler {
  return (t, call) => {
    requireCount(t, call, 2, 2, `${call.name}(0xffffffff, condition)`);
    return intrinsic(call, name, type, [mask(t, call), t.condition(argument(call, 1))]);
  };
}

const matchAny: CallHandler = (t, call) => {
  requireCount(t, call, 2, 2, "match_any_sync(0xffffffff, value)");
  return intrinsic(call, "matchAny", "u32", [mask(t, call), laneValue(t, call, 1)]);
};

/** CUDA returns the mask and sets a predicate by pointer; here the result is `{ mask, predicate }`. */
const matchAll: CallHandler = (t, call) => {
  requireCount(t, call, 2, 2, "const { mask, predicate } = match_all_sync(0xffffffff, value)");
  const args = [mask(t, call), laneValue(t, call, 1)];
  return {
    kind: "record",
    fields: new Map([
      ["mask", intrinsic(call, "matchAll", "u32", args)],
      ["predicate", intrinsic(call, "matchAllPredicate", "bool", args)],
    ]),
  };
};

/** Before CUDA 9: over the lanes that happen to be active, without a mask. */
function legacyShuffle(name: IntrinsicName, laneType: Scalar, laneName: string): CallHandler {
  return (t, call) => {
    requireCount(t, call, 2, 3, `${call.name}(value, ${laneName})`);
    warnOfLegacy(t, call);
    const value = laneValue(t, call, 0);
    const lane = scalarAs(t, call, 1, laneType);
    return intrinsic(call, name, value.type, [value, lane, widthArgument(t, call, 2)]);
  };
}

function legacyVote(name: IntrinsicName, type: Scalar): CallHandler {
  return (t, call) => {
    requireCount(t, call, 1, 1, `${call.name}(condition)`);
    warnOfLegacy(t, call);
    return intrinsic(call, name, type, [t.condition(argument(call, 0))]);
  };
}

/** As nvcc does (sm_30_intrinsics.h). */
function warnOfLegacy(t: Translator, call: CallSite): void {
  t.report.warn(
    call.span,
    `${call.name}() is deprecated in favor of ${call.name}_sync(), whose first argument is the mask of the lanes that take part; from compute capability 7.0 on it is refused.`,
  );
}

function reduce(name: IntrinsicName, bitwise: boolean): CallHandler {
  return (t, call) => {
    requireCount(t, call, 2, 2, `${call.name}(0xffffffff, value)`);
    const value = laneValue(t, call, 1);
    if (isFloat(value.type) || value.type === "i64" || value.type === "u64") {
      t.report.fail(
        value.span,
        `${call.name} reduces 32-bit integers; this is ${aType(value.type)}.`,
        "Reduce by shuffles: value += shfl_xor_sync(0xffffffff, value, offset) for the offsets 16, 8, 4, 2, 1.",
      );
    }
    const converted = bitwise ? convertTo(value, "u32") : value;
    return intrinsic(call, name, converted.type, [mask(t, call), converted]);
  };
}

function plainCall(name: IntrinsicName, type: Scalar | "void"): CallHandler {
  return (t, call) => {
    requireCount(t, call, 0, 0, `${call.name}()`);
    return intrinsic(call, name, type, []);
  };
}

const syncwarp: CallHandler = (t, call) => {
  requireCount(t, call, 0, 1, "syncwarp() or syncwarp(mask)");
  return intrinsic(call, "syncwarp", "void", [call.args.length === 1 ? mask(t, call) : fullMask(call)]);
};

function barrierVote(name: IntrinsicName, type: Scalar): CallHandler {
  return (t, call) => {
    requireCount(t, call, 1, 1, `${call.name}(condition)`);
    return intrinsic(call, name, type, [t.condition(argument(call, 0))]);
  };
}

/** Under both names: `shfl_sync` and CUDA's `__shfl_sync`. */
const named: readonly (readonly [string, CallHandler])[] = [
  ["shfl_sync", shuffle("shfl", "i32", "sourceLane")],
  ["shfl_up_sync", shuffle("shflUp", "u32", "delta")],
  ["shfl_down_sync", shuffle("shflDown", "u32", "delta")],
  ["shfl_xor_sync", shuffle("shflXor", "i32", "laneMask")],
  ["shfl", legacyShuffle("legacyShfl", "i32", "sourceLane")],
  ["shfl_up", legacyShuffle("legacyShflUp", "u32", "delta")],
  ["shfl_down", legacyShuffle("legacyShflDown", "u32", "delta")],
  ["shfl_xor", legacyShuffle("legacyShflXor", "i32", "laneMask")],
  ["ballot", legacyVote("legacyBallot", "u32")],
  ["any", legacyVote("legacyAny", "bool")],
  ["all", legacyVote("legacyAll", "bool")],
  ["ballot_sync", vote("ballot", "u32")],
  ["any_sync", vote("any", "bool")],
  ["all_sync", vote("all", "bool")],
  ["activemask", plainCall("activemask", "u32")],
  ["match_any_sync", matchAny],
  ["match_all_sync", matchAll],
  ["reduce_add_sync", reduce("reduceAdd", false)],
  ["reduce_min_sync", reduce("reduceMin", false)],
  ["reduce_max_sync", reduce("reduceMax", false)],
  ["reduce_and_sync", reduce("reduceAnd", true)],
  ["reduce_or_sync", reduce("reduceOr", true)],
  ["reduce_xor_sync", reduce("reduceXor", true)],
  ["syncwarp", syncwarp],
  ["syncthreads", plainCall("syncthreads", "void")],
  ["syncthreads_count", barrierVote("syncthreadsCount", "i32")],
  ["syncthreads_and", barrierVote("syncthreadsAnd", "bool")],
  ["syncthreads_or", barrierVote("syncthreadsOr", "bool")],
  ["threadfence", plainCall("threadfence", "void")],
  ["threadfence_block", plainCall("threadfenceBlock", "void")],
];

export const warpFunctions: ReadonlyMap<string, CallHandler> = new Map<string, CallHandler>([
  ...named,
  ...named.map(([name, handler]): [string, CallHandler] => [`__${name}`, handler]),
  ["laneId", plainCall("laneId", "u32")],
  ["syncthreadsCount", barrierVote("syncthreadsCount", "i32")],
  ["syncthreadsAnd", barrierVote("syncthreadsAnd", "bool")],
  ["syncthreadsOr", barrierVote("syncthreadsOr", "bool")],
  ["deviceSynchronize", plainCall("deviceSynchronize", "void")],
  ["clock", plainCall("clock", "u32")],
]);

/** The lane's number in its warp. */
export function laneIdOf(call: CallSite): ScalarExpr {
  return { kind: "intrinsic", name: "laneId", type: "u32", args: [], span: call.span };
}
