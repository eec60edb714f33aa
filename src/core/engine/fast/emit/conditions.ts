/**
 * Comparisons of an affine operand with a uniform one: the lane mask in a few scalar instructions, without looking at
 * the lanes.
 */
import type { CompareOp } from "../../../ir/ir.js";
import type { RegisterType } from "../../../lower/program.js";
import { isSmallInteger } from "../analysis/range.js";
import type { Local } from "../wasm/body.js";
import { apply, convert, get, i32, i64, select, tee } from "../wasm/expression.js";
import { CONVERT, I32 } from "../wasm/opcodes.js";
import type { Context } from "./context.js";
import type { LibraryFunction } from "./library/library.js";

const SWAPPED: Readonly<Record<CompareOp, CompareOp>> = { eq: "eq", ne: "ne", lt: "gt", gt: "lt", le: "ge", ge: "le" };

/** True if `pushComparison` can emit the setp at `pc`. */
export function hasClosedForm(context: Context, pc: number): boolean {
  const instruction = context.instruction(pc);
  if (instruction.op !== "setp" || !isSmallInteger(instruction.sourceType ?? "i32")) return false;
  const [a, b] = [context.operandShape(pc, 0), context.operandShape(pc, 1)];
  const order = instruction.compare !== "eq" && instruction.compare !== "ne";
  const fits = (kind: typeof a): boolean =>
    kind.kind === "affine" && (kind.stride === 1 || (order && (kind.stride === "dynamic" || kind.stride > 0)));
  return (fits(a) && b.kind === "uniform") || (fits(b) && a.kind === "uniform");
}

/** Pushes the lane mask (i32) of the setp at `pc`, without its combined operand. Lanes that are not active count too. */
export function pushComparison(context: Context, pc: number): void {
  const { body } = context;
  const instruction = context.instruction(pc);
  const swapped = context.operandShape(pc, 0).kind === "uniform";
  const affine = swapped ? 1 : 0;
  const compare = swapped ? SWAPPED[instruction.compare ?? "eq"] : (instruction.compare ?? "eq");
  const type = instruction.sourceType ?? "i32";
  const base = body.local("i32");
  const limit = body.local("i32");
  context.pushScalar(pc, affine);
  body.set(base);
  context.pushScalar(pc, 1 - affine);
  body.set(limit);
  const negate = compare === "ne" || compare === "ge" || compare === "gt";
  if (compare === "eq" || compare === "ne") {
    // Lane limit - base, if there is one; right even where the lanes wrap.
    const lane = body.local("i32");
    body.push(select(i32.shl(i32(1), tee(lane, i32.sub(get(limit), get(base)))), i32(0), i32.lt_u(get(lane), i32(32))));
    body.release(lane);
  } else {
    const inclusive = compare === "le" || compare === "gt";
    const shape = context.operandShape(pc, affine);
    if (shape.kind === "affine" && shape.stride === 1)
      pushUnitPrefix(context, pc, affine, base, limit, type, inclusive);
    else pushStridedPrefix(context, pc, affine, base, limit, type, inclusive);
  }
  if (negate) {
    body.push(i32.xor(i32(-1)));
  }
  body.release(base, limit);
}

function pushUnitPrefix(
  context: Context,
  pc: number,
  affine: number,
  base: Local,
  limit: Local,
  type: RegisterType,
  inclusive: boolean,
): void {
  const { body } = context;
  const range = context.analysis.ranges.operand(pc, affine, type);
  // The interval holds in all lanes, but for the few that a partial last warp lacks.
  const proven = type === "u32" ? range.high <= 0xffffffff - 64 : range.high <= 0x7fffffff - 64;
  if (proven) {
    pushPrefix(context, base, limit, type, inclusive);
    return;
  }
  body.if(apply(type === "u32" ? I32.le_u : I32.le_s, get(base), i32(type === "u32" ? -32 : 0x7fffffff - 31)), "i32");
  pushPrefix(context, base, limit, type, inclusive);
  body.else();
  body.push(get(base), i32(1), get(limit));
  context.library.call(body, LANE_BY_LANE[`${inclusive ? "le" : "lt"} ${type as "i32" | "u32"}`]);
  body.end();
}

/** The same with lanes `stride` apart: all, none, or as many as a division says; lane by lane where they wrap or fall. */
function pushStridedPrefix(
  context: Context,
  pc: number,
  affine: number,
  base: Local,
  limit: Local,
  type: RegisterType,
  inclusive: boolean,
): void {
  const { body } = context;
  const extend = type === "u32" ? CONVERT.i64_extend_i32_u : CONVERT.i64_extend_i32_s;
  const [first, step, end] = [body.local("i64"), body.local("i64"), body.local("i64")];
  const stride = body.local("i32");
  context.pushStride(pc, affine, "i32");
  body.tee(stride);
  body.op(CONVERT.i64_extend_i32_s);
  body.set(step);
  body.set(first, apply(extend, get(base)));
  body.push(apply(extend, get(limit)));
  if (inclusive) {
    body.push(i64.add(i64(1)));
  }
  body.set(end);
  body.if(
    i32.and(
      i32.gt_s(get(stride), i32(0)),
      i64.le_s(i64.add(get(first), i64.mul(get(step), i64(31))), i64(type === "u32" ? 0xffffffffn : 0x7fffffffn)),
    ),
    "i32",
  );
  body.if(i64.ge_s(get(first), get(end)), "i32");
  body.i32(0);
  body.else();
  body.if(i64.lt_s(i64.add(get(first), i64.mul(get(step), i64(31))), get(end)), "i32");
  body.i32(-1);
  body.else();
  // ceil((end - first) / step) lanes, 1 to 31.
  body.push(
    i32.sub(
      i32.shl(
        i32(1),
        i32.add(convert.i32_wrap_i64(i64.div_u(i64.sub(i64.sub(get(end), get(first)), i64(1)), get(step))), i32(1)),
      ),
      i32(1),
    ),
  );
  body.end();
  body.end();
  body.else();
  body.push(get(base), get(stride), get(limit));
  context.library.call(body, LANE_BY_LANE[`${inclusive ? "le" : "lt"} ${type as "i32" | "u32"}`]);
  body.end();
  body.release(first, step, end, stride);
}

/** Lanes l with base + l < limit (<= if inclusive): the lowest n, n = clamp(limit - base [+ 1], 0, 32). */
function pushPrefix(context: Context, base: number, limit: number, type: RegisterType, inclusive: boolean): void {
  const { body } = context;
  // In 64 bits nothing wraps, and a shift by 32 is one.
  const extend = type === "u32" ? CONVERT.i64_extend_i32_u : CONVERT.i64_extend_i32_s;
  const lanes = body.local("i64");
  body.push(i64.sub(apply(extend, get(limit)), apply(extend, get(base))));
  if (inclusive) {
    body.push(i64.add(i64(1)));
  }
  body.tee(lanes);
  body.set(
    lanes,
    select(tee(lanes, select(i64(32), i64.lt_s(get(lanes), i64(32)))), i64(0), i64.gt_s(get(lanes), i64(0))),
  );
  body.push(convert.i32_wrap_i64(i64.sub(i64.shl(i64(1), get(lanes)), i64(1))));
  body.release(lanes);
}

/** (base, stride, limit): lanes l with base + l * stride < limit (or <=), one after the other. */
function laneByLane(compare: "lt" | "le", type: "i32" | "u32"): LibraryFunction {
  return {
    name: `laneByLane ${compare} ${type}`,
    params: ["i32", "i32", "i32"],
    results: ["i32"],
    write: (body) => {
      const lane = body.local("i32");
      const mask = body.local("i32");
      const again = body.loop();
      body.push(get(mask), i32.add(get(0), i32.mul(get(lane), get(1))), get(2));
      body.op(I32[`${compare}_${type === "i32" ? "s" : "u"}`]);
      body.set(mask, i32.or(i32.shl(get(lane))));
      body.brIf(again, i32.lt_u(tee(lane, i32.add(get(lane), i32(1))), i32(32)));
      body.end();
      body.get(mask);
    },
  };
}

const LANE_BY_LANE: Readonly<Record<"lt i32" | "lt u32" | "le i32" | "le u32", LibraryFunction>> = {
  "lt i32": laneByLane("lt", "i32"),
  "lt u32": laneByLane("lt", "u32"),
  "le i32": laneByLane("le", "i32"),
  "le u32": laneByLane("le", "u32"),
};
