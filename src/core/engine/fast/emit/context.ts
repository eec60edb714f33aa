/** The state that the emitters of one kernel share: the function being written, places of values, counts, library functions. */
import type { Instruction, Operand, RegisterType } from "../../../lower/program.js";
import { operandType } from "../../semantics/operand-type.js";
import type { Analysis, Storage } from "../analysis/analysis.js";
import { fixedShape, type Shape } from "../analysis/shape.js";
import type { ShapeTable } from "../analysis/shapes.js";
import type { Web } from "../analysis/webs.js";
import { CounterPlan } from "../counter-plan.js";
import { LAUNCH, LAUNCH_AREA, POINTER, ScratchLayout } from "../layout.js";
import { FunctionBody, type Local } from "../wasm/body.js";
import { get, i32, i64, load, loadWord, select, tee } from "../wasm/expression.js";
import type { ModuleBuilder } from "../wasm/module.js";
import { CONVERT, I64, MEMORY, type ValueType } from "../wasm/opcodes.js";
import { Library } from "./library/library.js";

/** The active lanes: all 32, known when compiling, or an i32 local with a bit a lane. */
export type Mask = Local | "full";

/** Parameters of the block function. */
export const SCRATCH: Local = 0;
export const BLOCK: Local = 1;

export class Context {
  readonly body: FunctionBody = new FunctionBody(["i32", "i32"], []);
  readonly layout: ScratchLayout;
  readonly counters: CounterPlan = new CounterPlan();
  readonly library: Library;
  /** Index of the warp whose code runs, and the address of its frame (scratch + warp * frame size). */
  readonly warp: Local;
  readonly frame: Local;
  /** Warps of a block, and whether all have 32 lanes. */
  readonly warps: number;
  readonly threads: number;
  readonly fullWarps: boolean;
  /** Shapes of the webs in the code being written: those of the program, or better ones that a speculation assumes. */
  shapes: ShapeTable;
  /** Set where a warp primitive checks at run time that its lanes are there. */
  mayWait = false;
  private readonly reserved: Record<ValueType, Local[]> = { i32: [], i64: [], f32: [], f64: [], v128: [] };
  private readonly fixed = new Map<string, Local>();
  private readonly scalars = new Map<Web, Local>();
  private readonly strides = new Map<Web, Local>();
  /** Block-uniform webs redefined inside the phase at hand: their locals by pc of the definition, ascending. */
  private versions = new Map<Web, { readonly pc: number; readonly local: Local }[]>();

  constructor(
    readonly analysis: Analysis,
    readonly module: ModuleBuilder,
  ) {
    const { program, shape } = analysis;
    this.shapes = analysis.shapes;
    this.layout = new ScratchLayout(program.params.length, program.instructions.length);
    this.library = new Library(module);
    this.threads = shape.block[0] * shape.block[1] * shape.block[2];
    this.warps = Math.ceil(this.threads / 32);
    this.fullWarps = this.threads % 32 === 0;
    this.warp = this.body.permanent("i32");
    this.frame = this.body.permanent("i32");
  }

  /**
   * Locals for what is set up before a loop whose body is written already: none that the body uses for anything else.
   */
  takeReserved(type: ValueType): Local {
    return this.reserved[type].pop() ?? this.body.permanent(type);
  }
  giveReserved(type: ValueType, locals: readonly Local[]): void {
    this.reserved[type].push(...locals);
  }

  instruction(pc: number): Instruction {
    return this.analysis.program.instructions[pc]!;
  }

  /** A value that the prologue computes once a block. */
  private once(key: string, storage: Storage, emit: (body: FunctionBody) => void): Local {
    const known = this.fixed.get(key);
    if (known !== undefined) return known;
    const local = this.body.permanent(storage);
    this.fixed.set(key, local);
    this.body.inPrologue(() => {
      emit(this.body);
      this.body.set(local);
    });
    return local;
  }

  private launchWord(offset: number): Local {
    return this.once(`launch ${offset}`, "i32", (body) => {
      body.push(loadWord(LAUNCH_AREA + offset, get(SCRATCH)));
    });
  }

  get banks(): Local {
    return this.launchWord(LAUNCH.banks);
  }

  /** Bytes of the device memory: the end of what can be touched. */
  get memoryBytes(): Local {
    return this.once("memory bytes", "i64", (body) => {
      body.push(load(MEMORY.i64_load, LAUNCH_AREA + LAUNCH.memoryBytes, 3, get(SCRATCH)));
    });
  }

  /** Warp instructions that a block issues in loops before it asks for more. */
  get blockSteps(): Local {
    return this.once("block steps", "i64", (body) => {
      body.push(load(MEMORY.i64_load, LAUNCH_AREA + LAUNCH.blockSteps, 3, get(SCRATCH)));
    });
  }

  /** Linear-memory address of the block's shared memory. */
  get sharedBase(): Local {
    return this.once("shared base", "i32", (body) => {
      body.push(i32.add(loadWord(LAUNCH_AREA + LAUNCH.sharedOffset, get(SCRATCH)), get(SCRATCH)));
    });
  }

  /** Bytes of shared memory of the launch, static and dynamic. */
  get sharedBytes(): Local {
    return this.launchWord(LAUNCH.sharedBytes);
  }

  /** Linear-memory address of the local memory of the block's first thread. */
  get localBase(): Local {
    return this.once("local base", "i32", (body) => {
      body.push(i32.add(loadWord(LAUNCH_AREA + LAUNCH.localOffset, get(SCRATCH)), get(SCRATCH)));
    });
  }
  /** Bytes of local memory a thread. */
  get localBytes(): number {
    return Math.ceil(this.analysis.program.localBytesPerThread / 16) * 16;
  }

  rootAddress(param: number): Local {
    return this.once(`address ${param}`, "i64", (body) => {
      body.push(load(MEMORY.i64_load, this.layout.argument(param), 3, get(SCRATCH)));
    });
  }

  /** First byte that a pointer parameter may reach. */
  rootStart(param: number): Local {
    return this.once(`start ${param}`, "i64", (body) => {
      body.push(load(MEMORY.i64_load, this.layout.argument(param) + POINTER.start, 3, get(SCRATCH)));
    });
  }

  /** How many byte offsets a `span` bytes long access may have in the root: max(0, length - span + 1). */
  rootOffsets(param: number, span: number): Local {
    return this.once(`offsets ${param} ${span}`, "i64", (body) => {
      const length = body.permanent("i64");
      body.push(
        select(
          tee(
            length,
            i64.sub(
              load(MEMORY.i64_load, this.layout.argument(param) + POINTER.length, 3, get(SCRATCH)),
              i64(span - 1),
            ),
          ),
          i64(0),
          i64.gt_s(get(length), i64(0)),
        ),
      );
    });
  }

  /** Pushes the same for a shared array, i32; dynamic ones end with the launch's shared memory. */
  pushSharedOffsets(array: number, span: number): void {
    const layout = this.analysis.program.shared[array]!;
    if (layout.sizeBytes !== null) {
      this.body.i32(Math.max(0, layout.sizeBytes - span + 1));
      return;
    }
    const shared = this.sharedBytes;
    const local = this.once(`shared offsets ${layout.offsetBytes} ${span}`, "i32", (body) => {
      const length = body.permanent("i32");
      body.push(
        select(
          tee(length, i32.sub(get(shared), i32(layout.offsetBytes + span - 1))),
          i32(0),
          i32.gt_s(get(length), i32(0)),
        ),
      );
    });
    this.body.get(local);
  }

  /** Block index along an axis, or grid size; u32. */
  blockIndex(axis: "x" | "y" | "z"): Local {
    const gridX = this.launchWord(LAUNCH.gridX);
    const gridY = this.launchWord(LAUNCH.gridY);
    return this.once(`blockIdx ${axis}`, "i32", (body) => {
      body.get(BLOCK);
      if (axis !== "x") {
        body.push(i32.div_u(get(gridX)));
      }
      if (axis === "z") {
        body.push(i32.div_u(get(gridY)));
      } else {
        body.push(i32.rem_u(get(axis === "x" ? gridX : gridY)));
      }
    });
  }

  /** Pushes a uniform operand that is no register. */
  pushFixed(operand: Operand, type: RegisterType): void {
    const { body } = this;
    if (operand.kind === "imm") this.pushImmediate(operand.value, type);
    else if (operand.kind === "param") {
      const param = this.analysis.program.params[operand.index]!;
      const storage = param.kind === "scalar" ? this.analysis.storage(param.type) : "i32";
      const local = this.once(`param ${operand.index}`, storage, () => {
        body.get(SCRATCH);
        const load = { i32: MEMORY.i32_load, i64: MEMORY.i64_load, f32: MEMORY.f32_load, f64: MEMORY.f64_load }[
          storage
        ];
        body.memory(load, this.layout.argument(operand.index), storage === "i64" || storage === "f64" ? 3 : 2);
      });
      body.get(local);
    } else if (operand.kind === "special") {
      const { special } = operand;
      if (special.name === "laneId" || special.name === "clock") throw new Error(`${special.name} is not uniform`);
      const axis = { x: 0, y: 1, z: 2 }[special.axis] as 0 | 1 | 2;
      const { block } = this.analysis.shape;
      if (special.name === "blockDim") body.i32(block[axis]);
      else if (special.name === "blockIdx") body.get(this.blockIndex(special.axis));
      else if (special.name === "gridDim") body.get(this.launchWord([LAUNCH.gridX, LAUNCH.gridY, LAUNCH.gridZ][axis]!));
      else this.pushThreadIndexBase(axis);
    }
  }

  /** Base (lane 0's value) of a thread index that is uniform or affine in the warp. */
  private pushThreadIndexBase(axis: 0 | 1 | 2): void {
    const { body } = this;
    const [x, y, z] = this.analysis.shape.block;
    if ([x, y, z][axis] === 1) {
      body.i32(0);
      return;
    }
    body.push(i32.shl(get(this.warp), i32(5)));
    if (axis === 0) {
      if (y === 1 && z === 1) return;
      body.push(i32.rem_u(i32(x)));
    } else if (axis === 1) {
      body.push(i32.div_u(i32(x)));
      if (z === 1) return;
      body.push(i32.rem_u(i32(y)));
    } else {
      body.push(i32.div_u(i32(x * y)));
    }
  }

  pushImmediate(value: number | bigint, type: RegisterType): void {
    const { body } = this;
    switch (this.analysis.storage(type)) {
      case "i64":
        body.i64(BigInt.asIntN(64, BigInt(value)));
        return;
      case "f32":
        body.f32(Number(value));
        return;
      case "f64":
        body.f64(Number(value));
        return;
      default:
        body.i32(type === "bool" ? (Number(value) === 0 ? 0 : 1) : Number(value) | 0);
    }
  }

  /** The local of a uniform web's value, an affine web's base, or a varying bool's lane mask. */
  scalar(web: Web): Local {
    let local = this.scalars.get(web);
    if (local === undefined) {
      local = this.body.permanent(this.analysis.storageOf(web));
      this.scalars.set(web, local);
    }
    return local;
  }
  /** The local of an affine web's dynamic stride, of the web's storage. */
  stride(web: Web): Local {
    let local = this.strides.get(web);
    if (local === undefined) {
      local = this.body.permanent(this.analysis.storageOf(web));
      this.strides.set(web, local);
    }
    return local;
  }

  /** A new local for a block-uniform web that changes inside the phase at `pc`. */
  newVersion(web: Web, pc: number): Local {
    const local = this.body.permanent(this.analysis.storageOf(web));
    const list = this.versions.get(web) ?? [];
    list.push({ pc, local });
    this.versions.set(web, list);
    return local;
  }
  /** Ends the phase: the last versions become the webs' values. */
  settleVersions(): void {
    for (const [web, list] of this.versions) {
      this.body.set(this.scalar(web), get(list.at(-1)!.local));
      this.body.release(...list.map((version) => version.local));
    }
    this.versions = new Map();
  }

  /** The local that holds a scalar web as the instruction at `pc` sees it. */
  seenAt(web: Web, pc: number): Local {
    const list = this.versions.get(web);
    let local = this.scalar(web);
    for (const version of list ?? []) if (version.pc < pc) local = version.local;
    return local;
  }

  shapeOf(web: Web): Shape {
    return this.shapes.shapeOf(web);
  }
  operandShape(pc: number, index: number): Shape {
    const web = this.analysis.table.src[pc]![index];
    if (web != null) return this.shapeOf(web);
    const operand = this.instruction(pc).src[index];
    return operand === undefined ? { kind: "uniform", scope: "block" } : fixedShape(operand, this.analysis.shape.block);
  }

  /** Pushes a uniform operand's value or an affine operand's base, as the operation's operand type. */
  pushScalar(pc: number, index: number): void {
    const instruction = this.instruction(pc);
    const operand = instruction.src[index];
    if (operand === undefined) throw new Error(`instruction ${pc} (${instruction.op}) lacks source ${index}`);
    const type = operandType(instruction, index);
    if (operand.kind !== "reg") {
      if (operand.kind === "special" && operand.special.name === "laneId") this.body.i32(0);
      else this.pushFixed(operand, type);
      return;
    }
    const web = this.analysis.table.src[pc]![index]!;
    this.body.get(this.seenAt(web, pc));
    if (type === "bool" && web.type !== "bool") {
      this.body.push(i32.ne(i32(0)));
    }
  }

  /** Pushes the stride of an affine operand, or 0 of a uniform one, as a scalar of `storage`. */
  pushStride(pc: number, index: number, storage: Storage): void {
    const shape = this.operandShape(pc, index);
    const stride = shape.kind === "affine" ? shape.stride : 0;
    if (stride === "dynamic") this.body.get(this.stride(this.analysis.table.src[pc]![index]!));
    else if (storage === "i64") this.body.i64(stride);
    else this.body.i32(stride);
  }

  /** Adds the i64 on the stack to a count: `push` leaves it there. */
  bump(count: number, push: () => void): void {
    const { body } = this;
    const offset = this.layout.counters + 8 * count;
    body.push(get(SCRATCH), load(MEMORY.i64_load, offset, 3, get(SCRATCH)));
    push();
    body.op(I64.add);
    body.memory(MEMORY.i64_store, offset, 3);
  }
  bumpBy(count: number, amount: number): void {
    this.bump(count, () => this.body.i64(amount));
  }
  /** Adds an i32 (unsigned). */
  bumpI32(count: number, push: () => void): void {
    this.bump(count, () => {
      push();
      this.body.op(CONVERT.i64_extend_i32_u);
    });
  }

  pushMask(mask: Mask): void {
    if (mask === "full") this.body.i32(-1);
    else this.body.get(mask);
  }
}
