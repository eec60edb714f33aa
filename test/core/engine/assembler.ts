/**
 * Structured text to a lowered `Program`, for tests of the engines and the timing model. One statement a line:
 *
 *   kernel NAME                          name of the program (else "test")
 *   param P ptr TYPE | param P TYPE      pointer (to global memory) or scalar parameter
 *   shared S TYPE COUNT                  static shared array; COUNT `dynamic` for extern __shared__
 *   local L TYPE COUNT                   array of each thread's own
 *   reg R TYPE                           declares a register (else: declared by its first assignment, of the result's type)
 *
 *   [@P | @!P] [D, ... =] OP[.SUFFIX...] OPERAND, ...
 *     an operand is a register, a scalar parameter, threadIdx.x blockIdx.y ..., laneId, clock, or a number (0x.., inf, nan)
 *     x = add.i32 a, 1                   suffix: the type
 *     p = setp.lt.u32 a, b               compare, operands' type; a third operand: setp.lt.u32.and a, b, q
 *     y = cvt.f32.i32 x                  to, from (bitcast likewise)
 *     a = addr P[i]                      start of the root P + i * element size; `addr P[i * 8]` other scale;
 *                                        `addr P[i] + b`: b instead of the start; `addr.i64 P[i]` type of i (i32)
 *     x, y = ld.i32 P[a + 8]             one destination a component; suffix .volatile
 *     st.i32 P[a], x
 *     old = atom.add.i32 P[a], x         old = atom.cas.i32 P[a], expected, desired; without `old =`: a reduction
 *     v = shflDown.i32 0xffffffff, v, 16, 32      m = ballot 0xffffffff, p      s = redux.add.i32 0xffffffff, v
 *     bar      c = bar.count p      syncwarp 0xffffffff      fence      gridsync      exit
 *     printf.i32.f32 "%d %f\n" x, y      suffixes: the arguments' types
 *
 *   if P { / if !P { ... } else { ... }     with bssy before and bsync after; `bare if` has neither
 *   loop { ... latch ... } while P          `latch` starts the part that `continue` runs; `} again` without condition;
 *                                           `synced loop` has bssy and bsync
 *   break [if [!]P]   continue [if [!]P]   exit [if [!]P]
 *
 * `//` starts a comment. Spans are the text's own lines; an `exit` is added at the end.
 */
import type { SourceText, Span } from "../../../src/core/base/errors.js";
import { operandType, resultType } from "../../../src/core/engine/semantics/operand-type.js";
import type { AtomicOp, CompareOp, Param } from "../../../src/core/ir/ir.js";
import { byteSize, type ElementType, type Scalar } from "../../../src/core/ir/types.js";
import type {
  Guard,
  Instruction,
  LocalLayout,
  Op,
  Operand,
  Pipe,
  Program,
  ProgramNode,
  Reg,
  Register,
  RegisterType,
  Root,
  SharedLayout,
} from "../../../src/core/lower/program.js";

export interface AssembleOptions {
  readonly computeCapability?: { readonly major: number; readonly minor: number };
}

const TYPES = new Set<string>(["bool", "i32", "u32", "i64", "u64", "f32", "f64", "addr"]);

type Draft = { -readonly [K in keyof Instruction]: Instruction[K] };

interface OpenIf {
  readonly kind: "if";
  readonly bssy: Draft | null;
  readonly branch: Draft;
  readonly condition: Guard;
  readonly outer: ProgramNode[];
  thenNodes: ProgramNode[] | null;
  jumpOver: Draft | null;
}
interface OpenLoop {
  readonly kind: "loop";
  readonly id: number;
  readonly bssy: Draft | null;
  readonly first: number;
  readonly outer: ProgramNode[];
  readonly breaks: Draft[];
  readonly continues: Draft[];
  body: ProgramNode[] | null;
  latchStart: number | null;
}

/** Assembles `text`; throws an Error that names the line where it cannot. */
export function assemble(text: string, options: AssembleOptions = {}): Program {
  return new Assembler(text, options).program();
}

class Assembler {
  private name = "test";
  private readonly params: Param[] = [];
  private readonly shared: SharedLayout[] = [];
  private readonly local: LocalLayout[] = [];
  private readonly localElements: ElementType[] = [];
  private readonly registers: Register[] = [];
  private readonly registerByName = new Map<string, Reg>();
  private readonly instructions: Draft[] = [];
  private readonly open: (OpenIf | OpenLoop)[] = [];
  private nodes: ProgramNode[] = [];
  private loops = 0;
  private localBytes = 0;
  private staticSharedBytes = 0;
  private span: Span = { line: 1, column: 0, length: 1 };

  constructor(
    private readonly text: string,
    private readonly options: AssembleOptions,
  ) {}

  program(): Program {
    for (const [index, raw] of this.text.split("\n").entries()) {
      const line = raw.replace(/(^|\s)\/\/.*$/, "").trim();
      if (line === "") continue;
      this.span = { line: index + 1, column: raw.length - raw.trimStart().length, length: line.length };
      try {
        this.statement(line);
      } catch (error) {
        throw new Error(`line ${index + 1}: ${line}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    if (this.open.length > 0) throw new Error("a block is not closed");
    const last = this.instructions.at(-1);
    if (last === undefined || last.op !== "exit" || last.guard !== null) this.jump("exit", null);
    const source: SourceText = { name: this.name, text: this.text, firstLine: 1 };
    return {
      name: this.name,
      sources: [source],
      params: this.params,
      registers: this.registers,
      instructions: this.instructions,
      body: this.nodes,
      shared: this.shared,
      local: this.local,
      staticSharedBytes: this.staticSharedBytes,
      usesDynamicShared: this.shared.some((layout) => layout.sizeBytes === null),
      localBytesPerThread: this.localBytes,
      registersPerThread: Math.min(255, this.registers.length + 10),
      cooperative: this.instructions.some((instruction) => instruction.op === "gridsync"),
      computeCapability: this.options.computeCapability ?? { major: 9, minor: 0 },
      warnings: [],
    };
  }

  private statement(line: string): void {
    const word = line.split(/\s+/);
    if (word[0] === "kernel") this.name = word[1] ?? this.name;
    else if (word[0] === "param") this.declareParam(word);
    else if (word[0] === "shared") this.declareShared(word);
    else if (word[0] === "local") this.declareLocal(word);
    else if (word[0] === "reg") this.register(word[1] ?? "", scalar(word[2]));
    else if (/^(bare )?if /.test(line)) this.openIf(line);
    else if (line === "} else {") this.openElse();
    else if (/^(synced )?loop \{$/.test(line)) this.openLoop(line.startsWith("synced"));
    else if (line === "latch") this.openLatch();
    else if (line === "}") this.closeIf();
    else if (line.startsWith("}")) this.closeLoop(line);
    else if (/^(break|continue|exit)( if .*)?$/.test(line)) {
      this.jump(word[0] as "break" | "continue" | "exit", word[2] === undefined ? null : this.guard(word[2]));
    } else this.instruction(line);
  }

  private declareParam(word: readonly string[]): void {
    const name = word[1] ?? "";
    if (word[2] === "ptr") {
      const type = { pointer: scalar(word[3]), space: "global", volatile: false } as const;
      this.params.push({ name, kind: "pointer", type });
    } else this.params.push({ name, kind: "scalar", type: scalar(word[2]) });
  }

  private declareShared(word: readonly string[]): void {
    const element = scalar(word[2]);
    const dynamic = word[3] === "dynamic";
    const sizeBytes = dynamic ? null : Number(word[3]) * byteSize(element);
    const dims = dynamic ? null : [Number(word[3])];
    const array = { name: word[1] ?? "", element, dims, volatile: false, span: this.span };
    this.shared.push({ array, offsetBytes: this.staticSharedBytes, sizeBytes });
    if (sizeBytes !== null) this.staticSharedBytes = Math.ceil((this.staticSharedBytes + sizeBytes) / 16) * 16;
  }

  private declareLocal(word: readonly string[]): void {
    const element = scalar(word[2]);
    const sizeBytes = Number(word[3]) * byteSize(element);
    this.local.push({ name: word[1] ?? "", offsetBytes: this.localBytes, sizeBytes });
    this.localElements.push(element);
    this.localBytes = Math.ceil((this.localBytes + sizeBytes) / 16) * 16;
  }

  private register(name: string, type: RegisterType): Reg {
    const known = this.registerByName.get(name);
    if (known !== undefined) return known;
    if (!/^[A-Za-z_]\w*$/.test(name)) throw new Error(`"${name}" is no register's name`);
    this.registers.push({ name, type });
    this.registerByName.set(name, this.registers.length - 1);
    return this.registers.length - 1;
  }

  private guard(text: string): Guard {
    const negate = text.startsWith("!");
    const reg = this.registerByName.get(negate ? text.slice(1) : text);
    if (reg === undefined) throw new Error(`no register ${text}`);
    return { reg, negate };
  }

  private emit(fields: Partial<Draft> & { op: Op }): Draft {
    const pc = this.instructions.length;
    const defaults = { pc, type: "i32" as RegisterType, dst: [], src: [], guard: null, span: this.span, source: 0 };
    const issue = [{ pipe: pipeOf(fields.op), mnemonic: fields.op.toUpperCase(), independent: false }];
    const instruction: Draft = { ...defaults, issue, ...fields };
    this.instructions.push(instruction);
    return instruction;
  }

  private emitInRun(fields: Partial<Draft> & { op: Op }): Draft {
    const instruction = this.emit(fields);
    const last = this.nodes.at(-1);
    if (last?.kind === "run" && last.first + last.count === instruction.pc) {
      this.nodes[this.nodes.length - 1] = { ...last, count: last.count + 1 };
    } else this.nodes.push({ kind: "run", first: instruction.pc, count: 1 });
    return instruction;
  }

  private openIf(line: string): void {
    const match = /^(bare )?if (!?\w+) \{$/.exec(line);
    if (match === null) throw new Error("write: if P {");
    const condition = this.guard(match[2] ?? "");
    const bssy = match[1] === undefined ? this.emitInRun({ op: "bssy" }) : null;
    const branch = this.emit({ op: "bra", guard: { reg: condition.reg, negate: !condition.negate } });
    this.open.push({ kind: "if", bssy, branch, condition, outer: this.nodes, thenNodes: null, jumpOver: null });
    this.nodes = [];
  }

  private openElse(): void {
    const top = this.open.at(-1);
    if (top?.kind !== "if" || top.thenNodes !== null) throw new Error("else without if");
    top.thenNodes = this.nodes;
    top.jumpOver = this.emit({ op: "bra" });
    top.branch.target = this.instructions.length;
    this.nodes = [];
  }

  private closeIf(): void {
    const top = this.open.pop();
    if (top?.kind !== "if") throw new Error("} without if (a loop ends by `} while P`)");
    const end = this.instructions.length;
    const { condition } = top;
    const then = top.thenNodes ?? this.nodes;
    if (top.jumpOver === null) top.branch.target = end;
    else top.jumpOver.target = end;
    const node = { kind: "if", branch: top.branch.pc, condition, then, jumpOver: top.jumpOver?.pc ?? null } as const;
    top.outer.push({ ...node, else: top.thenNodes === null ? [] : this.nodes });
    this.nodes = top.outer;
    if (top.bssy !== null) top.bssy.target = this.emitInRun({ op: "bsync" }).pc;
  }

  private openLoop(synced: boolean): void {
    const bssy = synced ? this.emitInRun({ op: "bssy" }) : null;
    const first = this.instructions.length;
    const lists = { breaks: [], continues: [], body: null, latchStart: null };
    this.open.push({ kind: "loop", id: this.loops++, bssy, first, outer: this.nodes, ...lists });
    this.nodes = [];
  }

  private openLatch(): void {
    const top = this.open.at(-1);
    if (top?.kind !== "loop" || top.body !== null) throw new Error("latch outside a loop");
    top.body = this.nodes;
    top.latchStart = this.instructions.length;
    this.nodes = [];
  }

  private closeLoop(line: string): void {
    const match = /^\} (?:while (!?\w+)|again)$/.exec(line);
    const top = this.open.pop();
    if (match === null || top?.kind !== "loop") throw new Error("a loop ends by `} while P` or `} again`");
    const condition = match[1] === undefined ? null : this.guard(match[1]);
    const latchStart = top.latchStart ?? this.instructions.length;
    const back = this.emit({ op: "bra", guard: condition, target: top.first });
    for (const jump of top.continues) jump.target = latchStart;
    for (const jump of top.breaks) jump.target = this.instructions.length;
    const body = top.body ?? this.nodes;
    const latch = top.body === null ? [] : this.nodes;
    top.outer.push({ kind: "loop", id: top.id, body, latch, backBranch: back.pc, condition });
    this.nodes = top.outer;
    if (top.bssy !== null) top.bssy.target = this.emitInRun({ op: "bsync" }).pc;
  }

  private jump(kind: "break" | "continue" | "exit", condition: Guard | null): void {
    const loop = this.open.filter((entry): entry is OpenLoop => entry.kind === "loop").at(-1);
    const instruction = this.emit({ op: kind === "exit" ? "exit" : "bra", guard: condition });
    if (kind !== "exit") {
      if (loop === undefined) throw new Error(`${kind} outside a loop`);
      (kind === "break" ? loop.breaks : loop.continues).push(instruction);
    }
    const id = kind === "exit" ? -1 : (loop?.id ?? -1);
    this.nodes.push({ kind, pc: instruction.pc, condition, loop: id });
  }

  private instruction(line: string): void {
    const match = /^(?:@(!?\w+)\s+)?(?:([\w\s,]+?)\s*=\s*)?(\w+)((?:\.\w+)*)\s*(.*)$/.exec(line);
    if (match === null) throw new Error("not understood");
    const guard = match[1] === undefined ? null : this.guard(match[1]);
    const op = match[3] as Op;
    const suffixes = (match[4] ?? "").split(".").filter((suffix) => suffix !== "");
    const types = suffixes.filter((suffix) => TYPES.has(suffix)) as RegisterType[];
    const others = suffixes.filter((suffix) => !TYPES.has(suffix));
    const fields: Partial<Draft> & { op: Op; type: RegisterType } = { op, guard, type: types[0] ?? "i32" };
    if (op === "setp") {
      fields.type = "bool";
      fields.sourceType = types[0] ?? "i32";
      fields.compare = others[0] as CompareOp;
      if (others[1] !== undefined) fields.combine = others[1] as "and" | "or";
    } else if (op === "cvt" || op === "bitcast") fields.sourceType = types[1] ?? "i32";
    else if (op === "atom") fields.atomic = others[0] as AtomicOp;
    else if (op === "redux") fields.redux = others[0] as NonNullable<Instruction["redux"]>;
    else if (op === "bar" && others[0] !== undefined) fields.barrierReduce = others[0] as "count" | "and" | "or";
    else if (op === "printf") fields.argTypes = types as Scalar[];
    if (others.includes("volatile")) fields.volatile = true;
    let rest = match[5] ?? "";
    if (op === "printf") {
      const quoted = /^("(?:[^"\\]|\\.)*")\s*/.exec(rest);
      if (quoted === null) throw new Error('write: printf.i32 "format" x');
      fields.format = JSON.parse(quoted[1] ?? "") as string;
      rest = rest.slice(quoted[0].length);
    }
    if (op === "addr") {
      fields.type = "addr";
      fields.sourceType = types[0] ?? "i32";
    }
    const src = this.operands(fields, rest);
    const result = resultType(fields);
    const names = match[2] === undefined ? [] : match[2].split(",").map((name) => name.trim());
    if (names.length > 0 && result === null) throw new Error(`${op} has no result`);
    const dst = names.map((name) => this.register(name, result ?? "i32"));
    this.emitInRun({ ...fields, src, dst });
  }

  private operands(fields: Partial<Draft> & { op: Op; type: RegisterType }, text: string): Operand[] {
    const list = text.trim() === "" ? [] : text.split(",").map((item) => item.trim());
    const src: Operand[] = [];
    if (["addr", "ld", "st", "atom"].includes(fields.op)) {
      const match = /^(\w+)\[\s*(-?[\w.]+)\s*(?:([+*-])\s*(\d+))?\s*\](?:\s*\+\s*(\w+))?$/.exec(list.shift() ?? "");
      if (match === null) throw new Error("write: ROOT[REGISTER + OFFSET]");
      const { root, space, element } = this.root(match[1] ?? "");
      fields.root = root;
      fields.space = space;
      src.push(this.operand(match[2] ?? "", operandType(fields, 0)));
      const number = Number(match[4] ?? 0);
      if (fields.op === "addr") {
        fields.scale = match[3] === undefined ? byteSize(element) : number;
        if (match[5] !== undefined) src.push(this.operand(match[5], "addr"));
      } else fields.offset = match[3] === "-" ? -number : number;
    }
    for (const item of list) src.push(this.operand(item, operandType(fields, src.length)));
    return src;
  }

  private root(name: string): { root: Root; space: "global" | "shared" | "local"; element: ElementType } {
    const shared = this.shared.findIndex((layout) => layout.array.name === name);
    const layout = this.shared[shared];
    if (layout !== undefined) {
      return { root: { kind: "shared", array: shared }, space: "shared", element: layout.array.element };
    }
    const local = this.local.findIndex((entry) => entry.name === name);
    const element = this.localElements[local];
    if (element !== undefined) return { root: { kind: "local", array: local }, space: "local", element };
    const index = this.params.findIndex((param) => param.name === name);
    const param = this.params[index];
    if (param?.kind !== "pointer") throw new Error(`no pointer or array ${name}`);
    return { root: { kind: "param", index }, space: "global", element: param.type.pointer };
  }

  private operand(text: string, type: RegisterType): Operand {
    const special = /^(threadIdx|blockIdx|blockDim|gridDim)\.([xyz])$/.exec(text);
    if (special !== null) {
      const name = special[1] as "threadIdx" | "blockIdx" | "blockDim" | "gridDim";
      return { kind: "special", special: { name, axis: special[2] as "x" | "y" | "z" } };
    }
    if (text === "laneId" || text === "clock") return { kind: "special", special: { name: text } };
    const reg = this.registerByName.get(text);
    if (reg !== undefined) return { kind: "reg", reg };
    const index = this.params.findIndex((param) => param.name === text && param.kind === "scalar");
    if (index >= 0) return { kind: "param", index };
    if (type === "i64" || type === "u64") return { kind: "imm", value: BigInt(text) };
    const words: Record<string, number> = { inf: Infinity, "-inf": -Infinity, nan: NaN, true: 1, false: 0 };
    const value = words[text] ?? Number(text);
    if (Number.isNaN(value) && text !== "nan") throw new Error(`no register, parameter or number "${text}"`);
    return { kind: "imm", value: type === "f32" ? Math.fround(value) : value };
  }
}

function scalar(text: string | undefined): Scalar {
  if (text === undefined || !TYPES.has(text) || text === "addr") throw new Error(`no type ${text ?? ""}`);
  return text as Scalar;
}

function pipeOf(op: Op): Pipe {
  if (["ld", "st", "atom"].includes(op)) return "lsu";
  if (op.startsWith("shfl")) return "shuffle";
  if (["ballot", "any", "all", "matchAny", "matchAll", "matchAllPredicate", "redux", "activemask"].includes(op)) {
    return "vote";
  }
  if (["bra", "bssy", "bsync", "exit", "syncwarp"].includes(op)) return "cbu";
  if (["bar", "fence", "gridsync"].includes(op)) return "adu";
  return op === "mad" || op === "mul" ? "imad" : "alu";
}
