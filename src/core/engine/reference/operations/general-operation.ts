/**
 * Any operation that a lane computes by itself, through its meaning in semantics/scalar.ts, lane by lane.
 */
import type { Instruction, RegisterType } from "../../../lower/program.js";
import { CANONICAL_NAN_F32 } from "../../semantics/float32.js";
import { operandType, resultType } from "../../semantics/operand-type.js";
import { CANONICAL_NAN_F64, type NumberFunction, scalarFunction } from "../../semantics/scalar.js";
import { type RegisterLayout, type RegisterViews, readLane } from "../register-layout.js";
import type { LaneOperation } from "./lane-operation.js";

/** null where the operation is not of this kind. */
export function generalOperation(
  instruction: Instruction,
  layout: RegisterLayout,
  views: RegisterViews,
): LaneOperation | null {
  const dst = instruction.dst[0];
  const result = resultType(instruction);
  if (dst === undefined || result === null) return null;
  const evaluate = instruction.op === "selp" ? selectBool : scalarFunction(instruction);
  if (evaluate === null) return null;
  const d = layout.rows[dst] ?? 0;
  const types = instruction.src.map((_, index) => operandType(instruction, index));
  const rows = instruction.src.map((_, index) => layout.operand(instruction, index));
  const compute = evaluate as (...operands: (number | bigint)[]) => number | bigint;
  const narrow = [...types, result].every(
    (type) => type === "i32" || type === "u32" || type === "f32" || type === "f64",
  );
  if (narrow && types.length < 4) return numberOperation(evaluate as NumberFunction, result, types, d, rows, views);
  const operands: (number | bigint)[] = types.map(() => 0);
  return (base, mask) => {
    for (let m = mask; m !== 0; m &= m - 1) {
      const lane = 31 - Math.clz32(m & -m);
      for (let k = 0; k < operands.length; k++) {
        operands[k] = readLane(views, base + rows[k]!, types[k]!, lane);
      }
      writeLane(views, base + d, result, lane, compute(...operands));
    }
  };
}

function selectBool(a: never, b: never, c: never): number {
  return c === 1 ? a : b;
}

/** Numbers only: i32, u32, f32 and f64 rows. */
function numberOperation(
  evaluate: NumberFunction,
  result: RegisterType,
  types: readonly RegisterType[],
  d: number,
  rows: readonly number[],
  views: RegisterViews,
): LaneOperation {
  const to = numberView(views, result);
  const from = types.map((type) => numberView(views, type));
  const shift = (type: RegisterType | undefined): number => (type === "f64" ? 1 : 0);
  const [a = to, b = a, c = b] = from;
  const [aRow = 0, bRow = aRow, cRow = bRow] = rows;
  const [aType = result, bType = aType, cType = bType] = types;
  const dShift = shift(result);
  const aShift = shift(aType);
  const bShift = shift(bType);
  const cShift = shift(cType);
  const { i32, u64 } = views;
  return (base, mask) => {
    for (let m = mask; m !== 0; m &= m - 1) {
      const l = 31 - Math.clz32(m & -m);
      const x = evaluate(
        a[((base + aRow) >> aShift) + l]!,
        b[((base + bRow) >> bShift) + l]!,
        c[((base + cRow) >> cShift) + l]!,
        0,
      );
      const at = ((base + d) >> dShift) + l;
      if (!Number.isNaN(x)) to[at] = x;
      else if (dShift === 0) i32[at] = CANONICAL_NAN_F32;
      else u64[at] = CANONICAL_NAN_F64;
    }
  };
}

function numberView(views: RegisterViews, type: RegisterType): Int32Array | Uint32Array | Float32Array | Float64Array {
  return type === "u32" ? views.u32 : type === "f32" ? views.f32 : type === "f64" ? views.f64 : views.i32;
}

/** Writes a computed value to one lane of the row at word offset `at`; NaN becomes the canonical one. */
export function writeLane(
  views: RegisterViews,
  at: number,
  type: RegisterType,
  lane: number,
  value: number | bigint,
): void {
  switch (type) {
    case "bool": {
      const bit = 1 << lane;
      views.i32[at] = Number(value) !== 0 ? views.i32[at]! | bit : views.i32[at]! & ~bit;
      break;
    }
    case "i64":
    case "u64":
      views.i64[(at >> 1) + lane] = value as bigint;
      break;
    case "f64":
    case "addr":
      if (Number.isNaN(value)) views.u64[(at >> 1) + lane] = CANONICAL_NAN_F64;
      else views.f64[(at >> 1) + lane] = value as number;
      break;
    case "f32":
      if (Number.isNaN(value)) views.i32[at + lane] = CANONICAL_NAN_F32;
      else views.f32[at + lane] = value as number;
      break;
    default:
      views.i32[at + lane] = value as number;
  }
}
