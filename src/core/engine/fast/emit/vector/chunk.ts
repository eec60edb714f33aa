/**
 * The values of four lanes at a time while a segment's loop over the chunks of a warp is written. It knows which values
 * are in v128 locals already, which are loaded from slots, and which are set up before the loop.
 */
import type { RegisterType } from "../../../../lower/program.js";
import { operandType } from "../../../semantics/operand-type.js";
import type { Web } from "../../analysis/webs.js";
import { MASK_TABLE } from "../../layout.js";
import type { Local } from "../../wasm/body.js";
import { f32x4, get, i32, i32x4, load, v128 } from "../../wasm/expression.js";
import { CONVERT, I32, I64, MEMORY } from "../../wasm/opcodes.js";
import { I32X4, I64X2, V128 } from "../../wasm/simd.js";
import { type Context, type Mask, SCRATCH } from "../context.js";
import { isWideWeb, type Places } from "../places.js";
import { storageOfType } from "../scalar-operation.js";
import { isWide, type VectorTarget, type VectorValue } from "./vector-target.js";

export class Chunk {
  /** Byte offset of the chunk in a row of 32-bit values: 0, 16, ... 112. */
  readonly at: Local;
  private readonly values = new Map<Web, VectorValue>();
  private readonly before = new Map<string, readonly Local[]>();
  private readonly setups: (() => void)[] = [];
  private readonly steps: (() => void)[] = [];
  private readonly temporaries: Local[] = [];
  private active: Local | null = null;

  constructor(
    readonly context: Context,
    readonly places: Places,
    readonly mask: Mask,
  ) {
    this.at = context.body.local("i32");
  }

  /** A v128 that the setup computes once and `step` changes from chunk to chunk. */
  private prepared(
    key: string,
    count: number,
    setup: (locals: readonly Local[]) => void,
    step?: (locals: readonly Local[]) => void,
  ): readonly Local[] {
    const known = this.before.get(key);
    if (known !== undefined) return known;
    const locals = Array.from({ length: count }, () => this.context.takeReserved("v128"));
    this.before.set(key, locals);
    this.setups.push(() => setup(locals));
    if (step !== undefined) this.steps.push(() => step(locals));
    return locals;
  }

  /** Emits what stands before the loop; the first chunk's offset is already in `at`. */
  emitSetups(): void {
    for (const setup of this.setups) setup();
  }
  /** Emits what moves the prepared values to the next chunk. */
  emitSteps(): void {
    for (const step of this.steps) step();
  }
  release(): void {
    const { body } = this.context;
    for (const locals of this.before.values()) this.context.giveReserved("v128", locals);
    for (const value of this.values.values()) body.release(...value.parts);
    body.release(this.at, ...this.temporaries);
  }

  /** Pushes log2-free lane number of the chunk's first lane: at / 4. */
  pushFirstLane(): void {
    this.context.body.push(i32.shr_u(get(this.at), i32(2)));
  }

  /** Pushes the four bits of a lane mask that belong to the chunk (upper bits undefined). */
  pushBitsOf(mask: Local): void {
    const { body } = this.context;
    body.get(mask);
    this.pushFirstLane();
    body.op(I32.shr_u);
  }

  /** Pushes a lane mask's chunk as all-ones words. */
  pushExpanded(mask: Local): void {
    const { body } = this.context;
    this.pushBitsOf(mask);
    body.push(load(V128.load, MASK_TABLE, 4, i32.add(i32.shl(i32.and(i32(15)), i32(4)), get(SCRATCH))));
  }

  /** Pushes the active lanes as all-ones words; null if all are, known when compiling. */
  activeLanes(): Local | null {
    if (this.mask === "full") return null;
    if (this.active === null) {
      this.active = this.context.body.local("v128");
      this.temporaries.push(this.active);
      this.pushExpanded(this.mask);
      this.context.body.set(this.active);
    }
    return this.active;
  }

  /** Pushes the address for a memory instruction on a row's chunk: `part` of a row of 64-bit values is 16 bytes on. */
  pushRowAddress(base: Local, wide: boolean): void {
    const { body } = this.context;
    body.push(get(base), get(this.at));
    if (wide) {
      body.push(i32.shl(i32(1)));
    }
    body.op(I32.add);
  }

  /** The web's value in this chunk, loaded if need be. */
  value(web: Web): VectorValue {
    const known = this.values.get(web);
    if (known !== undefined) return known;
    const { body } = this.context;
    let parts: Local[];
    if (web.type === "bool") {
      parts = [body.local("v128")];
      this.pushExpanded(this.context.scalar(web));
      body.set(parts[0]!);
    } else {
      const place = this.places.slot(web);
      const wide = isWideWeb(this.context, web);
      parts = (wide ? [0, 1] : [0]).map((part) => {
        const local = body.local("v128");
        this.pushRowAddress(place.base, wide);
        body.memory(V128.load, place.offset + 16 * part, 4);
        body.set(local);
        return local;
      });
    }
    const value = { parts, rawNaN: false };
    this.values.set(web, value);
    return value;
  }

  /** Makes `value` the web's value for what follows in the chunk. */
  assign(web: Web, value: VectorValue): void {
    const old = this.values.get(web);
    if (old !== undefined) this.temporaries.push(...old.parts);
    this.values.set(web, value);
  }

  store(web: Web, value: VectorValue): void {
    const { body } = this.context;
    const place = this.places.slot(web);
    const wide = isWideWeb(this.context, web);
    value.parts.forEach((part, index) => {
      this.pushRowAddress(place.base, wide);
      body.get(part);
      if (value.rawNaN) this.canonical();
      body.memory(V128.store, place.offset + 16 * index, 4);
    });
  }

  /** Makes float32 NaNs on the stack canonical. */
  canonical(): void {
    const { body } = this.context;
    const value = body.local("v128");
    body.tee(value);
    body.push(v128.bitselect(i32x4(0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff), f32x4.eq(get(value), get(value))));
    body.release(value);
  }

  /** Sources of the instruction at `pc`, as the vector operations ask for them. */
  target(pc: number): VectorTarget {
    const { context } = this;
    const instruction = context.instruction(pc);
    const uniform = (index: number): boolean => context.operandShape(pc, index).kind === "uniform";
    return {
      body: context.body,
      library: context.library,
      push: (index, part = 0) => this.pushOperand(pc, index, part, false),
      pushBits: (index, part = 0) => this.pushOperand(pc, index, part, true),
      wideAddress:
        instruction.type === "addr" && context.analysis.table.dst[pc]!.some((web) => isWideWeb(context, web)),
      isUniform: (index) => instruction.src[index]?.kind === "imm" || uniform(index),
      pushUniform: (index) => context.pushScalar(pc, index),
      isNatural: (index) => context.analysis.ranges.operand(pc, index, operandType(instruction, index)).low >= 0,
    };
  }

  pushOperand(pc: number, index: number, part: 0 | 1, bits: boolean): void {
    const { context } = this;
    const { body } = context;
    const instruction = context.instruction(pc);
    const operand = instruction.src[index]!;
    const type = operandType(instruction, index);
    const shape = context.operandShape(pc, index);
    const web = context.analysis.table.src[pc]![index] ?? null;
    if (operand.kind === "imm") {
      this.pushImmediate(operand.value, type);
    } else if (shape.kind === "uniform") {
      body.get(this.splat(pc, index, type));
    } else if (shape.kind === "affine") {
      body.get(this.affine(pc, index, type, part));
    } else if (web !== null) {
      const value = this.value(web);
      body.get(value.parts[part] ?? value.parts[0]!);
      if (bits && value.rawNaN) this.canonical();
      if (type === "bool" && web.type !== "bool") {
        body.push(i32x4.ne(i32x4(0, 0, 0, 0)));
      } else if (type !== "bool" && web.type === "bool") {
        body.push(v128.and(i32x4(1, 1, 1, 1)));
      }
    } else if (operand.kind === "special" && operand.special.name === "threadIdx") {
      this.pushThreadIndex({ x: 0, y: 1, z: 2 }[operand.special.axis] as 0 | 1 | 2);
    } else throw new Error(`source ${index} of instruction ${pc} cannot be read`);
  }

  private pushImmediate(value: number | bigint, type: RegisterType): void {
    const { body } = this.context;
    switch (storageOfType(type)) {
      case "i64": {
        const bits = BigInt.asIntN(64, BigInt(value));
        body.i64x2(bits, bits);
        return;
      }
      case "f64": {
        const [bits = 0n] = new BigInt64Array(Float64Array.of(Number(value)).buffer);
        body.i64x2(bits, bits);
        return;
      }
      case "f32": {
        const [bits = 0] = new Int32Array(Float32Array.of(Number(value)).buffer);
        body.i32x4(bits, bits, bits, bits);
        return;
      }
      default: {
        const bits = type === "bool" ? (Number(value) === 0 ? 0 : -1) : Number(value) | 0;
        body.i32x4(bits, bits, bits, bits);
      }
    }
  }

  private splat(pc: number, index: number, type: RegisterType): Local {
    const { context } = this;
    const { body } = context;
    const web = context.analysis.table.src[pc]![index];
    const operand = context.instruction(pc).src[index]!;
    const source = web == null ? JSON.stringify(operand) : `local ${context.seenAt(web, pc)}`;
    const storage = type === "addr" && web != null ? context.analysis.storageOf(web) : storageOfType(type);
    return this.prepared(`splat ${type === "bool"} ${storage} ${source}`, 1, ([local]) => {
      if (type === "bool") {
        body.i32(0);
        context.pushScalar(pc, index);
        body.op(I32.sub);
      } else context.pushScalar(pc, index);
      body.splat(storage);
      body.set(local!);
    })[0]!;
  }

  /** base + lane * stride of the chunk's lanes; for 64-bit values of the part's two lanes. */
  private affine(pc: number, index: number, type: RegisterType, part: 0 | 1): Local {
    const { context } = this;
    const { body } = context;
    const web = context.analysis.table.src[pc]![index];
    const operand = context.instruction(pc).src[index]!;
    const source = web == null ? JSON.stringify(operand) : `web ${web.id}`;
    const storage = web == null ? "i32" : context.analysis.storageOf(web);
    const wide = storage === "i64";
    const ops = wide ? I64X2 : I32X4;
    const perVector = wide ? 2 : 4;
    const locals = this.prepared(
      `affine ${source}`,
      wide ? 2 : 1,
      (parts) => {
        parts.forEach((local, half) => {
          const lanes = wide ? 2 * half : 0;
          context.pushScalar(pc, index);
          // The first chunk may not be that of lane 0.
          this.pushFirstLane();
          if (wide) body.op(CONVERT.i64_extend_i32_u);
          context.pushStride(pc, index, storage);
          body.op(wide ? I64.mul : I32.mul, wide ? I64.add : I32.add);
          body.splat(storage);
          context.pushStride(pc, index, storage);
          body.splat(storage);
          if (wide) body.i64x2(BigInt(lanes), BigInt(lanes + 1));
          else body.i32x4(0, 1, 2, 3);
          body.op(ops.mul, ops.add);
          body.set(local);
        });
      },
      (parts) => {
        for (const local of parts) {
          body.get(local);
          context.pushStride(pc, index, storage);
          if (wide) body.i64(4);
          else body.i32(perVector);
          body.op(wide ? I64.mul : I32.mul);
          body.splat(storage);
          body.op(ops.add);
          body.set(local);
        }
      },
    );
    if (isWide(type) || wide) return locals[part] ?? locals[0]!;
    return locals[0]!;
  }

  private pushThreadIndex(axis: 0 | 1 | 2): void {
    const { context } = this;
    const { body } = context;
    body.push(
      load(
        V128.load,
        this.places.threadTables[axis],
        4,
        i32.add(i32.add(i32.shl(get(context.warp), i32(7)), get(SCRATCH)), get(this.at)),
      ),
    );
  }

  /** Stores four 32-bit values at a fixed area of the scratch memory, by lane. */
  storeWords(area: number, push: () => void): void {
    const { body } = this.context;
    body.push(i32.add(get(SCRATCH), get(this.at)));
    push();
    body.memory(V128.store, area, 4);
  }

  /** Or's the chunk's lanes of the all-ones words on the stack into a lane mask. */
  collect(mask: Local): void {
    const { body } = this.context;
    body.op(I32X4.bitmask);
    this.pushFirstLane();
    body.op(I32.shl);
    body.set(mask, i32.or(get(mask)));
  }
}

export const LOAD_OF: Readonly<Record<"i32" | "i64" | "f32" | "f64", number>> = {
  i32: MEMORY.i32_load,
  i64: MEMORY.i64_load,
  f32: MEMORY.f32_load,
  f64: MEMORY.f64_load,
};
