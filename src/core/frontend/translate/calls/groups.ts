/**
 * Cooperative groups, which exist at compile time only: a block, a grid, a tile of a warp, the coalesced threads of a
 * branch. Their members become built-in values, warp primitives with the group's mask, and device functions
 * (CUDA C++ Programming Guide, Cooperative Groups).
 */
import type { Axis, BuiltinName, Expr, IntrinsicName } from "../../../ir/ir.js";
import { isFloat, type Scalar } from "../../../ir/types.js";
import type { DeviceDefinition } from "../../declare/definition.js";
import { aType } from "../../text/type-name.js";
import type { CallHandler, CallSite, Translator } from "../translator.js";
import { convertTo, type ScalarExpr } from "../values/convert.js";
import { constant, isConst } from "../values/fold.js";
import { binary, integerDivide } from "../values/operators.js";
import { describe, type Group, type GroupOperator, plain, type Value } from "../values/value.js";
import { argument, fullMask, integerArgument, intrinsic, requireCount, scalarAs } from "./arguments.js";
import { coalescedReduce, laneOfRank, packedByRank, scan, tileReduce } from "./group-functions.js";
import { laneIdOf, laneValue } from "./warp.js";

export const groupOperators: ReadonlyMap<string, GroupOperator> = new Map(
  (["plus", "less", "greater", "bit_and", "bit_or", "bit_xor"] as const).map((name) => [name, { name }]),
);

function op(t: Translator, operator: string, left: ScalarExpr, right: ScalarExpr | number, call: CallSite): ScalarExpr {
  const other = typeof right === "number" ? constant(left.type, right, call.span) : right;
  return binary(t, operator, left, other, call.span);
}

function builtin(name: BuiltinName, axis: Axis, call: CallSite): ScalarExpr {
  return { kind: "builtin", type: "u32", name, axis, span: call.span };
}

/** Sizes multiplied, in 32 or 64 bits. */
function volume(t: Translator, name: BuiltinName, type: Scalar, call: CallSite): ScalarExpr {
  const [x, y, z] = (["x", "y", "z"] as const).map((axis) => convertTo(builtin(name, axis, call), type));
  if (x === undefined || y === undefined || z === undefined) return fullMask(call);
  return op(t, "*", op(t, "*", x, y, call), z, call);
}

/** An index with three dimensions as one number, x fastest. */
function linear(t: Translator, index: BuiltinName, size: BuiltinName, call: CallSite): ScalarExpr {
  const row = op(t, "*", builtin(size, "y", call), builtin(index, "z", call), call);
  const rows = op(t, "+", builtin(index, "y", call), row, call);
  return op(t, "+", builtin(index, "x", call), op(t, "*", rows, builtin(size, "x", call), call), call);
}

/** The lanes of this thread's tile. */
function tileMask(t: Translator, size: number, call: CallSite): ScalarExpr {
  if (size === 32) return fullMask(call);
  return op(t, "<<", constant("u32", 2 ** size - 1, call.span), firstLane(t, size, call), call);
}

function firstLane(t: Translator, size: number, call: CallSite): ScalarExpr {
  return op(t, "&", laneIdOf(call), (~(size - 1) >>> 0) & 31, call);
}

function maskOf(t: Translator, group: Group, call: CallSite): ScalarExpr {
  if (group.kind === "coalesced") return { ...group.mask, span: call.span };
  return group.kind === "tile" ? tileMask(t, group.size, call) : fullMask(call);
}

/** Rank in a tile or among coalesced threads; u32. */
function rankOf(t: Translator, group: Group, call: CallSite): ScalarExpr {
  if (group.kind === "tile") return op(t, "&", laneIdOf(call), group.size - 1, call);
  const below = op(t, "-", op(t, "<<", constant("u32", 1, call.span), laneIdOf(call), call), 1, call);
  return popc(op(t, "&", maskOf(t, group, call), below, call), call);
}

function popc(value: ScalarExpr, call: CallSite): ScalarExpr {
  const count: ScalarExpr = { kind: "intrinsic", name: "popc", type: "i32", args: [value], span: call.span };
  return convertTo(count, "u32");
}

function invoke(t: Translator, device: DeviceDefinition, args: readonly Expr[], call: CallSite): Value {
  const callee = t.tables.instance(
    device,
    args.map(() => null),
    call.span,
    t.report,
  );
  const type = t.tables.functions[callee]?.returns ?? "void";
  return plain({ kind: "call", type, callee, args, span: call.span });
}

function invokeScalar(t: Translator, device: DeviceDefinition, args: readonly Expr[], call: CallSite): ScalarExpr {
  const callee = t.tables.instance(
    device,
    args.map(() => null),
    call.span,
    t.report,
  );
  const returns = t.tables.functions[callee]?.returns;
  const type = typeof returns === "string" && returns !== "void" ? returns : "i32";
  return { kind: "call", type, callee, args, span: call.span };
}

/** size, thread_rank and sync of the group, the others by kind. */
export function groupMember(t: Translator, group: Group, call: CallSite): Value {
  const none = (): void => requireCount(t, call, 0, 0, `${call.name}()`);
  switch (call.name) {
    case "sync":
      none();
      return syncOf(t, group, call);
    case "size":
    case "num_threads":
      none();
      return plain(sizeOf(t, group, call));
    case "thread_rank":
      none();
      return plain(threadRank(t, group, call));
    default:
      return group.kind === "tile" || group.kind === "coalesced"
        ? tileMember(t, group, call)
        : wholeMember(t, group, call);
  }
}

function syncOf(t: Translator, group: Group, call: CallSite): Value {
  if (group.kind === "block") return intrinsic(call, "syncthreads", "void", []);
  if (group.kind === "grid") return intrinsic(call, "gridSync", "void", []);
  return intrinsic(call, "syncwarp", "void", [maskOf(t, group, call)]);
}

function sizeOf(t: Translator, group: Group, call: CallSite): ScalarExpr {
  switch (group.kind) {
    case "block":
      return volume(t, "blockDim", "u32", call);
    case "grid":
      return op(t, "*", volume(t, "gridDim", "u64", call), volume(t, "blockDim", "u64", call), call);
    case "tile":
      return constant("u32", group.size, call.span);
    case "coalesced":
      return popc(maskOf(t, group, call), call);
  }
}

function threadRank(t: Translator, group: Group, call: CallSite): ScalarExpr {
  const inBlock = linear(t, "threadIdx", "blockDim", call);
  if (group.kind === "block") return inBlock;
  if (group.kind !== "grid") return rankOf(t, group, call);
  const block = convertTo(linear(t, "blockIdx", "gridDim", call), "u64");
  return op(t, "+", op(t, "*", block, volume(t, "blockDim", "u64", call), call), convertTo(inBlock, "u64"), call);
}

function wholeMember(t: Translator, group: Group, call: CallSite): Value {
  const members =
    group.kind === "grid"
      ? "sync(), size(), thread_rank(), num_blocks() and block_rank()"
      : "sync(), size() and thread_rank()";
  if (group.kind === "grid" && call.name === "num_blocks") return plain(volume(t, "gridDim", "u64", call));
  if (group.kind === "grid" && call.name === "block_rank")
    return plain(convertTo(linear(t, "blockIdx", "gridDim", call), "u64"));
  return t.report.fail(
    call.span,
    `A ${group.kind} as a group has no ${call.name}().`,
    `It has ${members}. Values are exchanged within tiles: tiled_partition(block, 32).`,
  );
}

type WarpGroup = Group & { readonly kind: "tile" | "coalesced" };

function tileMember(t: Translator, group: WarpGroup, call: CallSite): Value {
  switch (call.name) {
    case "shfl":
    case "shfl_up":
    case "shfl_down":
    case "shfl_xor":
      return groupShuffle(t, group, call, call.name);
    case "ballot":
      return ballot(t, group, call);
    case "any":
    case "all":
      requireCount(t, call, 1, 1, `tile.${call.name}(condition)`);
      return intrinsic(call, call.name, "bool", [maskOf(t, group, call), t.condition(argument(call, 0))]);
    case "meta_group_rank":
      requireCount(t, call, 0, 0, "tile.meta_group_rank()");
      return plain(metaGroupRank(t, group, call));
    case "meta_group_size":
      requireCount(t, call, 0, 0, "tile.meta_group_size()");
      return plain(metaGroupSize(t, group, call));
  }
  return t.report.fail(
    call.span,
    `A ${group.kind === "tile" ? "tile" : "group of coalesced threads"} has no ${call.name}().`,
    "It has sync(), size(), thread_rank(), meta_group_rank(), meta_group_size(), shfl(), shfl_up(), shfl_down(), ballot(), any(), all(); tiles have shfl_xor() too. reduce(tile, value, plus) and the scans are functions.",
  );
}

/** Number of this group among those made when its parent was split; coalesced threads are not split from anything. */
function metaGroupRank(t: Translator, group: WarpGroup, call: CallSite): ScalarExpr {
  if (group.kind === "coalesced") return constant("u32", 0, call.span);
  const inParent =
    group.parentSize === null
      ? linear(t, "threadIdx", "blockDim", call)
      : op(t, "&", laneIdOf(call), group.parentSize - 1, call);
  return integerDivide(t, inParent, constant("u32", group.size, call.span), call.span);
}

/** How many groups were made then; the last one of a block may lack threads. */
function metaGroupSize(t: Translator, group: WarpGroup, call: CallSite): ScalarExpr {
  if (group.kind === "coalesced") return constant("u32", 1, call.span);
  if (group.parentSize !== null) return constant("u32", group.parentSize / group.size, call.span);
  const rounded = op(t, "+", volume(t, "blockDim", "u32", call), group.size - 1, call);
  return integerDivide(t, rounded, constant("u32", group.size, call.span), call.span);
}

const shuffles: Readonly<Record<string, IntrinsicName>> = {
  shfl: "shfl",
  shfl_up: "shflUp",
  shfl_down: "shflDown",
  shfl_xor: "shflXor",
};

function groupShuffle(t: Translator, group: WarpGroup, call: CallSite, name: string): Value {
  requireCount(
    t,
    call,
    2,
    2,
    `tile.${name}(value, ${name === "shfl" ? "rank" : name === "shfl_xor" ? "mask" : "delta"})`,
  );
  const value = laneValue(t, call, 0);
  const mask = maskOf(t, group, call);
  if (group.kind === "tile") {
    const lane = scalarAs(t, call, 1, name === "shfl" || name === "shfl_xor" ? "i32" : "u32");
    return intrinsic(call, shuffles[name] ?? "shfl", value.type, [
      mask,
      value,
      lane,
      constant("i32", group.size, call.span),
    ]);
  }
  const given = scalarAs(t, call, 1, "i32");
  const own = convertTo(rankOf(t, group, call), "i32");
  if (name === "shfl_xor") {
    return t.report.fail(
      call.span,
      "Coalesced threads have no shfl_xor(): their number need not be a power of two.",
      "Use shfl_down(), or reduce(group, value, plus).",
    );
  }
  const rank = name === "shfl" ? given : op(t, name === "shfl_up" ? "-" : "+", own, given, call);
  const lane = invokeScalar(t, laneOfRank(), [mask, rank], call);
  return intrinsic(call, "shfl", value.type, [mask, value, lane, constant("i32", 32, call.span)]);
}

/** Bit i of the result belongs to rank i of the group. */
function ballot(t: Translator, group: WarpGroup, call: CallSite): Value {
  requireCount(t, call, 1, 1, "tile.ballot(condition)");
  const mask = maskOf(t, group, call);
  const condition = t.condition(argument(call, 0));
  const lanes: ScalarExpr = {
    kind: "intrinsic",
    name: "ballot",
    type: "u32",
    args: [mask, condition],
    span: call.span,
  };
  if (group.kind === "coalesced") return invoke(t, packedByRank(), [mask, lanes], call);
  if (group.size === 32) return plain(lanes);
  return plain(op(t, "&", op(t, ">>", lanes, firstLane(t, group.size, call), call), 2 ** group.size - 1, call));
}

const thisBlock: CallHandler = (t, call) => {
  requireCount(t, call, 0, 0, "this_thread_block()");
  return { kind: "group", group: { kind: "block" } };
};

const thisGrid: CallHandler = (t, call) => {
  requireCount(t, call, 0, 0, "this_grid()");
  return { kind: "group", group: { kind: "grid" } };
};

const tiledPartition: CallHandler = (t, call) => {
  requireCount(t, call, 2, 2, "tiled_partition(block, 32)");
  const parent = groupArgument(t, call);
  const size = integerArgument(t, call, 1);
  const count = isConst(size) ? Number(size.value) : 0;
  if (![1, 2, 4, 8, 16, 32].includes(count)) {
    const isLarge = [64, 128, 256, 512, 1024].includes(count);
    t.report.failOnValue(
      call.span,
      isLarge
        ? `A tile of ${count} threads is none of this language's: in CUDA its warps exchange values through a block_tile_memory.`
        : "The size of a tile is 1, 2, 4, 8, 16 or 32, and known when the kernel is compiled.",
      isLarge
        ? "Write tiled_partition(block, 32), and pass the tiles' values through shared memory with block.sync() around it."
        : "Write tiled_partition(block, 32).",
    );
  }
  if (parent.kind === "grid" || parent.kind === "coalesced") {
    return t.report.fail(
      call.span,
      `A ${parent.kind} group is not split into tiles here.`,
      "Split the block: tiled_partition(this_thread_block(), 32).",
    );
  }
  if (parent.kind === "tile" && parent.size < count) {
    t.report.failOnValue(
      call.span,
      `A tile of ${parent.size} threads is split into tiles of ${count}.`,
      "Choose a smaller size.",
    );
  }
  return {
    kind: "group",
    group: { kind: "tile", size: count, parentSize: parent.kind === "tile" ? parent.size : null },
  };
};

const coalescedThreads: CallHandler = (t, call) => {
  requireCount(t, call, 0, 0, "coalesced_threads()");
  const active: ScalarExpr = { kind: "intrinsic", name: "activemask", type: "u32", args: [], span: call.span };
  const mask = t.hold(`${t.resultName ?? "coalesced"}_mask`, { ...active, type: "u32" });
  return { kind: "group", group: { kind: "coalesced", mask } };
};

function groupArgument(t: Translator, call: CallSite): Group {
  const node = argument(call, 0);
  const value = t.value(node);
  if (value.kind === "group") return value.group;
  return t.report.fail(
    t.span(node),
    `${call.name} works on a group; this is ${describe(value)}.`,
    "Make one: tiled_partition(this_thread_block(), 32).",
  );
}

interface Collective {
  readonly group: WarpGroup;
  readonly value: ScalarExpr;
  readonly operator: GroupOperator;
}

function collective(t: Translator, call: CallSite): Collective {
  requireCount(t, call, 2, 3, `${call.name}(tile, value, plus)`);
  const group = groupArgument(t, call);
  if (group.kind !== "tile" && group.kind !== "coalesced") {
    return t.report.fail(
      call.span,
      `${call.name} works within a warp; this group is the ${group.kind}.`,
      "Use a tile: tiled_partition(block, 32), then combine the warps through shared memory.",
    );
  }
  const value = laneValue(t, call, 1);
  const third = call.args[2];
  const given: Value = third === undefined ? { kind: "operator", operator: { name: "plus" } } : t.value(third);
  if (given.kind !== "operator") {
    return t.report.fail(
      call.span,
      `${call.name} takes an operator; this is ${describe(given)}.`,
      "Use plus, less, greater, bit_and, bit_or or bit_xor.",
    );
  }
  const { operator } = given;
  if (operator.name.startsWith("bit_") && isFloat(value.type)) {
    t.report.fail(
      call.span,
      `${operator.name} works on integers; this is ${aType(value.type)}.`,
      "Use plus, less or greater.",
    );
  }
  return { group, value, operator };
}

const reduce: CallHandler = (t, call) => {
  const { group, value, operator } = collective(t, call);
  const mask = maskOf(t, group, call);
  if (group.kind === "tile") return invoke(t, tileReduce(operator, value.type, group.size), [mask, value], call);
  return invoke(
    t,
    coalescedReduce(operator, value.type),
    [mask, convertTo(rankOf(t, group, call), "i32"), value],
    call,
  );
};

function scanOf(inclusive: boolean): CallHandler {
  return (t, call) => {
    const { group, value, operator } = collective(t, call);
    const width = group.kind === "tile" ? group.size : "coalesced";
    const rank = convertTo(rankOf(t, group, call), "i32");
    return invoke(t, scan(operator, value.type, width, inclusive), [maskOf(t, group, call), rank, value], call);
  };
}

export const groupFunctions: ReadonlyMap<string, CallHandler> = new Map<string, CallHandler>([
  ["this_thread_block", thisBlock],
  ["this_grid", thisGrid],
  ["tiled_partition", tiledPartition],
  ["coalesced_threads", coalescedThreads],
  ["reduce", reduce],
  ["inclusive_scan", scanOf(true)],
  ["exclusive_scan", scanOf(false)],
]);
