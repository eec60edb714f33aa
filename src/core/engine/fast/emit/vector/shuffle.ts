/**
 * Shuffles. If all lanes are active and the second operand is known when compiling, a shuffle is a load from another
 * address of the value's slot. Else the lanes are done one after the other.
 */
import { type ShuffleOp, shuffleSource } from "../../../semantics/warp-primitives.js";
import type { Web } from "../../analysis/webs.js";
import { MASK_TABLE } from "../../layout.js";
import { get, i32, load, v128 } from "../../wasm/expression.js";
import { I32 } from "../../wasm/opcodes.js";
import { V128 } from "../../wasm/simd.js";
import { type Context, type Mask, SCRATCH } from "../context.js";
import type { Places } from "../places.js";
import type { Chunk } from "./chunk.js";
import { isWide, type VectorValue } from "./vector-target.js";

/** The web whose slot a vector shuffle reads; null if the shuffle at `pc` has no such form. */
export function vectorShuffleSource(context: Context, pc: number, mask: Mask): Web | null {
  const instruction = context.instruction(pc);
  if (mask !== "full" || instruction.guard !== null || isWide(instruction.type)) return null;
  const [lanes, , argument, width] = instruction.src;
  if (lanes?.kind !== "imm" || (Number(lanes.value) | 0) !== -1) return null;
  if (argument?.kind !== "imm" || (width !== undefined && width.kind !== "imm")) return null;
  const web = context.analysis.table.src[pc]![1] ?? null;
  if (web === null || context.shapeOf(web).kind !== "varying" || web.type === "bool") return null;
  // Chunks of its own source that it has overwritten already would be read again.
  if (context.analysis.table.dst[pc]![0] === web && !readsUpwards(context, pc)) return null;
  const argumentValue = Number(argument.value) >>> 0;
  const sources = sourceLanes(
    instruction.op as ShuffleOp,
    argumentValue,
    width === undefined ? 32 : Number(width.value),
  );
  return planOf(instruction.op as ShuffleOp, sources) === null ? null : web;
}

function sourceLanes(op: ShuffleOp, argument: number, width: number): number[] {
  return Array.from({ length: 32 }, (_, lane) => shuffleSource(op, lane, argument, width));
}

/**
 * The lane that each moving lane reads: `distance` lanes on, lane xor `flip`, or one lane of each group. The other lanes
 * keep their own value.
 */
type Plan =
  | { readonly kind: "shift"; readonly distance: number; readonly moving: number }
  | { readonly kind: "flip"; readonly flip: number }
  | { readonly kind: "one"; readonly lane: number };

function planOf(op: ShuffleOp, sources: readonly number[]): Plan | null {
  const [first = 0] = sources;
  if (sources.every((source) => source === first)) return { kind: "one", lane: first };
  if (op === "shflXor" && sources.every((source, lane) => source === (lane ^ first)))
    return { kind: "flip", flip: first };
  const distances = new Set(sources.map((source, lane) => source - lane).filter((distance) => distance !== 0));
  const [distance] = distances;
  if (distances.size > 1) return null;
  let moving = 0;
  sources.forEach((source, lane) => {
    if (source !== lane) moving |= 1 << lane;
  });
  return { kind: "shift", distance: distance ?? 0, moving };
}

/** True if chunks may be overwritten in ascending order while later ones still read: the shuffle reads upwards only. */
export function readsUpwards(context: Context, pc: number): boolean {
  return context.instruction(pc).op === "shflDown";
}

export function emitShuffleVector(context: Context, places: Places, chunk: Chunk, pc: number): VectorValue {
  const { body } = context;
  const instruction = context.instruction(pc);
  const web = context.analysis.table.src[pc]![1]!;
  const place = places.slot(web);
  const argument = instruction.src[2];
  const width = instruction.src[3];
  const op = instruction.op as ShuffleOp;
  const sources = sourceLanes(
    op,
    argument?.kind === "imm" ? Number(argument.value) >>> 0 : 0,
    width?.kind === "imm" ? Number(width.value) : 32,
  );
  const plan = planOf(op, sources)!;
  const result = body.local("v128");
  switch (plan.kind) {
    case "one":
      body.push(load(V128.load32_splat, place.offset + 4 * plan.lane, 2, get(place.base)));
      break;
    case "flip": {
      body.push(
        load(V128.load, place.offset, 4, i32.add(get(place.base), i32.xor(get(chunk.at), i32((plan.flip >> 2) << 4)))),
      );
      const within = plan.flip & 3;
      if (within !== 0) {
        body.tee(result);
        body.get(result);
        body.shuffleWords(within, 1 ^ within, 2 ^ within, 3 ^ within);
      }
      break;
    }
    case "shift":
      chunk.pushRowAddress(place.base, false);
      body.memory(V128.load, place.offset + 4 * plan.distance, 2);
      chunk.pushRowAddress(place.base, false);
      body.memory(V128.load, place.offset, 4);
      body.i32(plan.moving);
      chunk.pushFirstLane();
      body.op(I32.shr_u);
      body.push(
        v128.bitselect(load(V128.load, MASK_TABLE, 4, i32.add(i32.shl(i32.and(i32(15)), i32(4)), get(SCRATCH)))),
      );
  }
  body.set(result);
  return { parts: [result], rawNaN: false };
}
