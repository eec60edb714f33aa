/** Writes the code of one WebAssembly function: opcodes, locals (reused once released), structured labels. */
import { ByteWriter } from "./bytes.js";
import { CONTROL, MEMORY, type Opcode, VALUE_TYPE, type ValueType } from "./opcodes.js";
import { F32X4, F64X2, I32X4, I64X2, V128 } from "./simd.js";

/** An open block, loop or if: the target of a branch. */
export interface Label {
  readonly depth: number;
}

export type Local = number;

/** Writes an instruction behind those of its operands. */
export type Expression = (body: FunctionBody) => void;

export class FunctionBody {
  private readonly prologue = new ByteWriter();
  private readonly main = new ByteWriter();
  /** Where code goes at the moment. */
  private code: ByteWriter = this.main;
  private readonly localTypes: ValueType[] = [];
  private readonly free: Record<ValueType, Local[]> = { i32: [], i64: [], f32: [], f64: [], v128: [] };
  private depth = 0;

  constructor(
    readonly params: readonly ValueType[],
    readonly results: readonly ValueType[],
  ) {}

  /** A local that is never used for anything else; 0 at first. */
  permanent(type: ValueType): Local {
    this.localTypes.push(type);
    return this.params.length + this.localTypes.length - 1;
  }
  /** A local whose content is undefined: write it first, release it last. */
  local(type: ValueType): Local {
    const known = this.free[type].pop();
    if (known !== undefined) return known;
    this.localTypes.push(type);
    return this.params.length + this.localTypes.length - 1;
  }
  typeOf(local: Local): ValueType {
    return this.params[local] ?? this.localTypes[local - this.params.length] ?? "i32";
  }
  release(...locals: readonly Local[]): void {
    for (const local of locals) if (local >= this.params.length) this.free[this.typeOf(local)].push(local);
  }

  /** Bytes of code so far. */
  get size(): number {
    return this.prologue.length + this.main.length;
  }

  /** Writes what `write` emits at the start of the function. */
  inPrologue(write: () => void): void {
    const { code, depth } = this;
    this.code = this.prologue;
    this.depth = 0;
    write();
    this.code = code;
    this.depth = depth;
  }

  /** Keeps what `write` emits back; `append` puts it where the same labels are open. */
  capture(write: () => void): ByteWriter {
    const outer = this.code;
    const captured = new ByteWriter();
    this.code = captured;
    write();
    this.code = outer;
    return captured;
  }
  append(captured: ByteWriter): void {
    this.code.append(captured);
  }

  op(...codes: readonly Opcode[]): void {
    for (const opcode of codes) {
      if (opcode < 0x100) this.code.byte(opcode);
      else {
        this.code.byte(opcode >> 12);
        this.code.u32(opcode & 0xfff);
      }
    }
  }

  /** Writes expressions one behind the other. */
  push(...expressions: readonly Expression[]): void {
    for (const expression of expressions) expression(this);
  }
  get(local: Local): void {
    this.code.byte(CONTROL.localGet);
    this.code.u32(local);
  }
  set(local: Local, value?: Expression): void {
    if (value !== undefined) this.push(value);
    this.code.byte(CONTROL.localSet);
    this.code.u32(local);
  }
  tee(local: Local, value?: Expression): void {
    if (value !== undefined) this.push(value);
    this.code.byte(CONTROL.localTee);
    this.code.u32(local);
  }

  i32(value: number): void {
    this.code.byte(0x41);
    this.code.s32(value);
  }
  i64(value: bigint | number): void {
    this.code.byte(0x42);
    if (typeof value === "number" && value >= -0x80000000 && value <= 0x7fffffff) this.code.s32(value);
    else this.code.s64(BigInt(value));
  }
  f32(value: number): void {
    this.code.byte(0x43);
    this.code.f32(value);
  }
  f64(value: number): void {
    this.code.byte(0x44);
    this.code.f64(value);
  }
  /** Four 32-bit lanes. */
  i32x4(a: number, b: number, c: number, d: number): void {
    this.op(V128.const);
    for (const lane of [a, b, c, d]) this.code.word(lane);
  }
  i64x2(a: bigint, b: bigint): void {
    this.op(V128.const);
    for (const lane of [a, b]) for (const half of [lane, lane >> 32n]) this.code.word(Number(BigInt.asIntN(32, half)));
  }

  /** A load or store: `offset` is added to the address on the stack (unsigned); alignment is only a hint. */
  memory(opcode: Opcode, offset = 0, align = 0): void {
    this.op(opcode);
    this.code.u32(align);
    this.code.u32(offset);
  }
  store(opcode: Opcode, offset: number, align: number, address: Expression, value: Expression): void {
    this.push(address, value);
    this.memory(opcode, offset, align);
  }
  /** A 32-bit word at an address that is a multiple of 4. */
  storeWord(offset: number, address: Expression, value: Expression): void {
    this.store(MEMORY.i32_store, offset, 2, address, value);
  }
  /** load32_lane and its like. */
  memoryLane(opcode: Opcode, lane: number, offset = 0): void {
    this.memory(opcode, offset);
    this.code.byte(lane);
  }
  extract(shape: "i32" | "f32" | "i64" | "f64", lane: number): void {
    this.op({ i32: I32X4, f32: F32X4, i64: I64X2, f64: F64X2 }[shape].extract);
    this.code.byte(lane);
  }
  replace(shape: "i32" | "f32" | "i64" | "f64", lane: number): void {
    this.op({ i32: I32X4, f32: F32X4, i64: I64X2, f64: F64X2 }[shape].replace);
    this.code.byte(lane);
  }
  splat(shape: "i32" | "f32" | "i64" | "f64"): void {
    this.op({ i32: I32X4, f32: F32X4, i64: I64X2, f64: F64X2 }[shape].splat);
  }
  /** Picks 32-bit words: 0 to 3 of the first operand, 4 to 7 of the second. */
  shuffleWords(a: number, b: number, c: number, d: number): void {
    this.op(V128.shuffle);
    for (const word of [a, b, c, d]) for (let byte = 0; byte < 4; byte++) this.code.byte(4 * word + byte);
  }

  block(result?: ValueType): Label {
    return this.open(CONTROL.block, result);
  }
  loop(): Label {
    return this.open(CONTROL.loop);
  }
  if(condition?: Expression, result?: ValueType): Label {
    if (condition !== undefined) this.push(condition);
    return this.open(CONTROL.if, result);
  }
  else(): void {
    this.code.byte(CONTROL.else);
  }
  end(): void {
    this.depth--;
    this.code.byte(CONTROL.end);
  }
  br(label: Label): void {
    this.code.byte(CONTROL.br);
    this.code.u32(this.depth - label.depth);
  }
  brIf(label: Label, condition?: Expression): void {
    if (condition !== undefined) this.push(condition);
    this.code.byte(CONTROL.brIf);
    this.code.u32(this.depth - label.depth);
  }
  /** Calls an imported function. */
  callImport(index: number): void {
    this.code.byte(CONTROL.call);
    this.code.u32(index);
  }
  /** Calls an own function of the module; its final number stands only once all imports are known. */
  call(own: number): void {
    this.code.byte(CONTROL.call);
    this.code.ownCall(own);
  }
  private open(opcode: Opcode, result?: ValueType): Label {
    this.code.byte(opcode);
    this.code.byte(result === undefined ? 0x40 : VALUE_TYPE[result]);
    this.depth++;
    return { depth: this.depth };
  }

  /** The function as the code section has it. */
  encode(): ByteWriter {
    if (this.depth !== 0) throw new Error("a WebAssembly block is not closed");
    const content = new ByteWriter();
    const groups: { type: ValueType; count: number }[] = [];
    for (const type of this.localTypes) {
      const last = groups.at(-1);
      if (last?.type === type) last.count++;
      else groups.push({ type, count: 1 });
    }
    content.u32(groups.length);
    for (const { type, count } of groups) {
      content.u32(count);
      content.byte(VALUE_TYPE[type]);
    }
    content.append(this.prologue);
    content.append(this.main);
    content.byte(CONTROL.end);
    const sized = new ByteWriter();
    sized.u32(content.length);
    sized.append(content);
    return sized;
  }
}
