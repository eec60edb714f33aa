/** Definitions of uniform and affine webs: one value for the warp (or block), and a stride. */
import { operandType, resultType } from "../../semantics/operand-type.js";
import { isIntegerDivision } from "../analysis/shape.js";
import type { Local } from "../wasm/body.js";
import { get, i32 } from "../wasm/expression.js";
import { CONVERT, I32, I64 } from "../wasm/opcodes.js";
import { BLOCK, type Context, type Mask } from "./context.js";
import { FAULT, FAULT_PARAMS } from "./library/fault-library.js";
import { emitScalar } from "./scalar-operation.js";

/** Emits the definition at `pc` for the lanes of `mask`, into the web's locals or into `target`. */
export function emitScalarDefinition(context: Context, pc: number, mask: Mask, target?: Local): void {
  const { body } = context;
  const instruction = context.instruction(pc);
  const web = context.analysis.table.dst[pc]![0]!;
  const shape = context.shapeOf(web);
  if (isIntegerDivision(instruction.op, instruction.type)) refuseZero(context, pc, mask);
  const strided = shape.kind === "affine" && shape.stride === "dynamic";
  // The stride first: the base may overwrite an operand.
  let stride: Local | null = null;
  if (strided) {
    stride = body.local(context.analysis.storageOf(web));
    pushResultStride(context, pc);
    body.set(stride);
  }
  if (instruction.op === "addr") pushAddress(context, pc);
  else {
    emitScalar(instruction, { body, library: context.library, push: (index) => context.pushScalar(pc, index) });
    if (resultType(instruction) !== "bool" && web.type === "bool") {
      body.push(i32.ne(i32(0)));
    }
  }
  body.set(target ?? context.scalar(web));
  if (stride !== null) {
    body.set(context.stride(web), get(stride));
    body.release(stride);
  }
}

function refuseZero(context: Context, pc: number, mask: Mask): void {
  const { body } = context;
  const type = operandType(context.instruction(pc), 1);
  const wide = context.analysis.storage(type) === "i64";
  const { low, high } = context.analysis.ranges.operand(pc, 1, type);
  if (!wide && (low > 0 || high < 0)) return;
  context.pushScalar(pc, 1);
  body.op(wide ? I64.eqz : I32.eqz);
  body.if();
  body.push(i32(FAULT.division), i32(pc), get(BLOCK), get(context.warp));
  context.pushMask(mask);
  body.f64(0);
  context.library.callImport(body, "fault", FAULT_PARAMS, []);
  body.end();
}

/** Pushes the address that the `addr` at `pc` computes for lane 0, in the width of its register. */
function pushAddress(context: Context, pc: number): void {
  const { body, analysis } = context;
  const instruction = context.instruction(pc);
  const { root } = instruction;
  const { program } = analysis;
  const wide = analysis.storageOf(analysis.table.dst[pc]![0]!) === "i64";
  if (instruction.src.length > 1) {
    context.pushScalar(pc, 1);
    if (wide && !isWideSource(context, pc)) body.op(CONVERT.i64_extend_i32_s);
  } else if (root?.kind === "param") body.get(context.rootAddress(root.index));
  else {
    const start =
      root?.kind === "shared" ? program.shared[root.array]!.offsetBytes : program.local[root?.array ?? 0]!.offsetBytes;
    if (wide) body.i64(start);
    else body.i32(start);
  }
  context.pushScalar(pc, 0);
  extendIndex(context, pc, wide);
  pushScale(context, pc, wide);
  body.op(wide ? I64.mul : I32.mul, wide ? I64.add : I32.add);
}

/** The address that the `addr` at `pc` starts from has 64 bits. */
export function isWideSource(context: Context, pc: number): boolean {
  const web = context.analysis.table.src[pc]![1] ?? null;
  return web !== null && context.analysis.storageOf(web) === "i64";
}

function pushScale(context: Context, pc: number, wide: boolean): void {
  const scale = context.instruction(pc).scale ?? 1;
  if (wide) context.body.i64(scale);
  else context.body.i32(scale);
}

/**
 * Turns the index on the stack into the width of the address. In shared and local memory an unsigned index of 2^32 - 1
 * is -1, as on the machine. An affine index is its first lane's, which may stand for a negative number.
 */
function extendIndex(context: Context, pc: number, wide: boolean): void {
  const { body } = context;
  const instruction = context.instruction(pc);
  const type = operandType(instruction, 0);
  const longIndex = type === "i64" || type === "u64";
  if (wide && !longIndex) {
    const unsigned =
      type === "u32" && instruction.root?.kind === "param" && context.operandShape(pc, 0).kind === "uniform";
    body.op(unsigned ? CONVERT.i64_extend_i32_u : CONVERT.i64_extend_i32_s);
  } else if (!wide && longIndex) body.op(CONVERT.i32_wrap_i64);
}

function pushResultStride(context: Context, pc: number): void {
  const { body } = context;
  const instruction = context.instruction(pc);
  const web = context.analysis.table.dst[pc]![0]!;
  const storage = context.analysis.storageOf(web);
  const wide = storage === "i64";
  const ops = wide ? I64 : I32;
  const stride = (index: number): void => context.pushStride(pc, index, storage);
  const isAffine = (index: number): boolean => context.operandShape(pc, index).kind === "affine";
  /** Stride of the product of sources 0 and 1, of which one is uniform. */
  const product = (): void => {
    const affine = isAffine(0) ? 0 : 1;
    stride(affine);
    context.pushScalar(pc, 1 - affine);
    body.op(ops.mul);
  };
  switch (instruction.op) {
    case "add":
      stride(0);
      stride(1);
      body.op(ops.add);
      return;
    case "add3":
      stride(0);
      stride(1);
      body.op(ops.add);
      stride(2);
      body.op(ops.add);
      return;
    case "sub":
      stride(0);
      stride(1);
      body.op(ops.sub);
      return;
    case "neg":
      if (wide) body.i64(0);
      else body.i32(0);
      stride(0);
      body.op(ops.sub);
      return;
    case "mul":
      product();
      return;
    case "mad":
      if (isAffine(0) || isAffine(1)) product();
      else if (wide) body.i64(0);
      else body.i32(0);
      stride(2);
      body.op(ops.add);
      return;
    case "shl":
    case "lea":
      stride(0);
      shiftLeft(context, pc, instruction.op === "shl" ? 1 : 2, wide);
      if (instruction.op === "lea") {
        stride(1);
        body.op(ops.add);
      }
      return;
    case "addr": {
      const type = operandType(instruction, 0);
      const longIndex = type === "i64" || type === "u64";
      context.pushStride(pc, 0, longIndex ? "i64" : "i32");
      if (wide && !longIndex) body.op(CONVERT.i64_extend_i32_s);
      else if (!wide && longIndex) body.op(CONVERT.i32_wrap_i64);
      pushScale(context, pc, wide);
      body.op(ops.mul);
      if (instruction.src.length > 1) {
        const longStart = isWideSource(context, pc);
        context.pushStride(pc, 1, longStart ? "i64" : "i32");
        if (wide && !longStart) body.op(CONVERT.i64_extend_i32_s);
        body.op(ops.add);
      }
      return;
    }
    default:
      stride(0);
  }
}

function shiftLeft(context: Context, pc: number, countIndex: number, wide: boolean): void {
  const { body } = context;
  context.pushScalar(pc, countIndex);
  if (wide) body.op(CONVERT.i64_extend_i32_u, I64.shl);
  else body.op(I32.shl);
}
