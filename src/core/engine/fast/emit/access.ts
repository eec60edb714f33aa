/** How each load, store and atomic is made, by the shape of its address; and bounds checks for whole warps. */
import type { Narrow, Scalar, Space } from "../../../ir/types.js";
import { componentBytes, type Instruction } from "../../../lower/program.js";
import { accessBytes } from "../../faults.js";
import { IGNORED_BITS } from "../../semantics/shared-address.js";
import type { FunctionBody } from "../wasm/body.js";
import { get, i32 } from "../wasm/expression.js";
import { CONTROL, CONVERT, I32, I64, MEMORY } from "../wasm/opcodes.js";
import { BLOCK, type Context, type Mask } from "./context.js";
import { CHECK_AFFINE } from "./library/fault-library.js";
import { storageOfType } from "./scalar-operation.js";

/**
 * - uniform: all lanes at one address, checked once;
 * - unit: lane l's one element follows lane l-1's: whole vectors, checked once;
 * - strided: affine otherwise: checked once, lanes one by one;
 * - gather: any addresses, checked lane by lane.
 */
export type AccessKind = "uniform" | "unit" | "strided" | "gather";

export interface Access {
  readonly pc: number;
  readonly kind: AccessKind;
  readonly space: Space;
  readonly type: Scalar;
  readonly narrow: Narrow | null;
  /** Bytes of one component, number of components (vector lanes), bytes of all. */
  readonly size: number;
  readonly components: number;
  readonly bytes: number;
  readonly offset: number;
  /** The address register has 64 bits (global memory, or an index that is not proven to be small), else 32. */
  readonly wide: boolean;
  /** The address may be no multiple of the access's bytes (at most 16). */
  readonly mayBeMisaligned: boolean;
}

export function describeAccess(context: Context, pc: number): Access {
  const instruction = context.instruction(pc);
  // A pointer into global memory that does not fit into the registers lies in local memory.
  const type = instruction.type === "addr" ? "u64" : instruction.type;
  const size = componentBytes(instruction.type, instruction.narrow);
  const bytes = accessBytes(instruction);
  const space: Space =
    instruction.space ??
    (instruction.root?.kind === "shared" ? "shared" : instruction.root?.kind === "local" ? "local" : "global");
  const shape = context.operandShape(pc, 0);
  const components = bytes / size;
  const web = context.analysis.table.src[pc]![0] ?? null;
  const wide = web === null ? space === "global" : context.analysis.storageOf(web) === "i64";
  const mayBeMisaligned = context.analysis.alignmentOf(pc) % Math.min(bytes, 16) !== 0;
  let kind: AccessKind = "gather";
  if (space !== "local" && bytes <= 16) {
    if (shape.kind === "uniform") kind = "uniform";
    else if (shape.kind === "affine" && !mayBeMisaligned) {
      kind = shape.stride === size && size >= 4 && components === 1 ? "unit" : "strided";
    }
  }
  const { narrow = null, offset = 0 } = instruction;
  return { pc, kind, space, type, narrow, size, components, bytes, offset, wide, mayBeMisaligned };
}

const LOADS = { i32: MEMORY.i32_load, i64: MEMORY.i64_load, f32: MEMORY.f32_load, f64: MEMORY.f64_load };
const STORES = { i32: MEMORY.i32_store, i64: MEMORY.i64_store, f32: MEMORY.f32_store, f64: MEMORY.f64_store };
const NARROW_LOADS: Readonly<Record<Narrow, number>> = {
  i8: MEMORY.i32_load8_s,
  u8: MEMORY.i32_load8_u,
  i16: MEMORY.i32_load16_s,
  u16: MEMORY.i32_load16_u,
};

/** Loads a component from the address on the stack. */
export function loadComponent(body: FunctionBody, access: Access, component: number): void {
  const opcode = access.narrow === null ? LOADS[storageOfType(access.type)] : NARROW_LOADS[access.narrow];
  body.memory(opcode, component * access.size, Math.log2(access.size));
}

/** Stores a component: its address and its value are on the stack. */
export function storeComponent(body: FunctionBody, access: Access, component: number): void {
  const narrow = access.size === 1 ? MEMORY.i32_store8 : MEMORY.i32_store16;
  const opcode = access.narrow === null ? STORES[storageOfType(access.type)] : narrow;
  body.memory(opcode, component * access.size, Math.log2(access.size));
}

/** Pushes the first byte of the access's root in its space, in the width of the address. */
export function pushRootStart(context: Context, access: Access): void {
  const { root } = context.instruction(access.pc);
  const { program } = context.analysis;
  if (root?.kind === "param") {
    context.body.get(context.rootStart(root.index));
    return;
  }
  const start =
    root?.kind === "shared" ? program.shared[root.array]!.offsetBytes : program.local[root?.array ?? 0]!.offsetBytes;
  if (access.wide) context.body.i64(start);
  else context.body.i32(start);
}

/** Pushes how many offsets from the root's start an access of `span` bytes may have, in the width of the address. */
export function pushValidOffsets(context: Context, access: Access, span: number): void {
  const { root } = context.instruction(access.pc);
  if (root?.kind === "param") {
    context.body.get(context.rootOffsets(root.index, span));
    return;
  }
  if (root?.kind === "shared") context.pushSharedOffsets(root.array, span);
  else context.body.i32(Math.max(0, context.analysis.program.local[root?.array ?? 0]!.sizeBytes - span + 1));
  if (access.wide) context.body.op(CONVERT.i64_extend_i32_u);
}

/** Pushes lane 0's (or the uniform) offset from the root's start, in the width of the address. */
function pushOffset(context: Context, access: Access): void {
  const { body } = context;
  const { wide } = access;
  context.pushScalar(access.pc, 0);
  pushRootStart(context, access);
  body.op(wide ? I64.sub : I32.sub);
  if (access.offset === 0) return;
  if (wide) body.i64(access.offset);
  else body.i32(access.offset);
  body.op(wide ? I64.add : I32.add);
}

/** Pushes the place of lane 0's access (or the uniform one's) in the linear memory, i32. */
export function pushLinearBase(context: Context, access: Access): void {
  const { body } = context;
  context.pushScalar(access.pc, 0);
  if (access.wide) body.op(CONVERT.i32_wrap_i64);
  if (access.space === "shared") {
    body.push(i32.add(get(context.sharedBase)));
  }
  if (access.offset !== 0) {
    body.push(i32.add(i32(access.offset)));
  }
}

/**
 * Faults if an active lane of a uniform, unit or strided access is out of bounds. One comparison says that all 32 lanes
 * are in bounds; only where it fails are the lanes looked at.
 */
export function emitCheck(context: Context, access: Access, mask: Mask): void {
  const { body, library } = context;
  const { pc, bytes } = access;
  const { wide } = access;
  const shape = context.operandShape(pc, 0);
  const stride = shape.kind === "affine" ? shape.stride : 0;
  const ops = wide ? I64 : I32;
  const storage = wide ? "i64" : "i32";
  const offset = body.local(storage);
  pushOffset(context, access);
  body.tee(offset);
  if (stride === "dynamic") {
    // The first and the last active lane in bounds, and the stride too small to wrap between them.
    body.op(CONTROL.drop);
    const lane = (push: () => void): void => {
      body.get(offset);
      push();
      if (wide) body.op(CONVERT.i64_extend_i32_u);
      context.pushStride(pc, 0, storage);
      body.op(ops.mul, ops.add);
      pushValidOffsets(context, access, bytes);
      body.op(ops.ge_u);
    };
    lane(() => {
      context.pushMask(mask);
      body.op(I32.ctz);
    });
    lane(() => {
      body.i32(31);
      context.pushMask(mask);
      body.op(I32.clz, I32.sub);
    });
    body.op(I32.or);
    context.pushStride(pc, 0, storage);
    pushConstant(2 ** 25);
    body.op(ops.add);
    pushConstant(2 ** 26);
    body.op(ops.ge_u, I32.or);
  } else {
    if (stride < 0) {
      pushConstant(31 * stride);
      body.op(ops.add);
    }
    pushValidOffsets(context, access, 31 * Math.abs(stride) + bytes);
    body.op(ops.ge_u);
  }
  if (access.mayBeMisaligned) {
    context.pushScalar(pc, 0);
    pushConstant(access.offset);
    body.op(ops.add);
    pushConstant(Math.min(bytes, 16) - 1);
    body.op(ops.and);
    pushConstant(0);
    body.op(ops.ne, I32.or);
  }
  body.if();
  body.push(i32(pc), get(BLOCK), get(context.warp));
  context.pushMask(mask);
  body.get(offset);
  if (!wide) body.op(CONVERT.i64_extend_i32_s);
  context.pushStride(pc, 0, storage);
  if (!wide) body.op(CONVERT.i64_extend_i32_s);
  pushValidOffsets(context, access, bytes);
  if (!wide) body.op(CONVERT.i64_extend_i32_u);
  body.i64(Math.min(bytes, 16) - 1);
  pushRootStart(context, access);
  if (!wide) body.op(CONVERT.i64_extend_i32_u);
  body.i64(wrapShift(context, access));
  library.call(body, CHECK_AFFINE);
  body.end();
  body.release(offset);

  function pushConstant(value: number): void {
    if (wide) body.i64(value);
    else body.i32(value);
  }
}

/**
 * Where lanes' indices may wrap, the upper bits of the offset do not count: bytes wrap at 2^32 times the scale. The
 * number of those bits; negative for unsigned indices, 0 where no lane wraps but far out of bounds.
 */
export function wrapShift(context: Context, access: Access): number {
  if (access.wide && access.space !== "global") return IGNORED_BITS;
  const shape = context.operandShape(access.pc, 0);
  if (shape.kind !== "affine" || !access.wide) return 0;
  const [def] = context.analysis.table.src[access.pc]![0]?.defs ?? [];
  const start = def === undefined ? undefined : context.instruction(def);
  const bits = 32 - Math.log2(start?.scale ?? access.size);
  if (!Number.isInteger(bits)) return 0;
  // Added to an address that is somewhere in the array, an unsigned index that may wrap is not affine.
  const unsigned = start?.sourceType === "u32" && startsAtRoot(context, start);
  if (access.space === "global" && unsigned && access.offset === 0) return -bits;
  return shape.stride === "dynamic" ? bits : 0;
}

/** The address that the `addr` computes counts from the root's first byte. */
function startsAtRoot(context: Context, { pc, src }: Instruction): boolean {
  if (src.length < 2) return true;
  const [start, ...others] = context.analysis.table.src[pc]![1]?.defs ?? [];
  if (start === undefined || others.length > 0) return false;
  const [index, next] = context.instruction(start).src;
  return next === undefined && index?.kind === "imm" && Number(index.value) === 0;
}
