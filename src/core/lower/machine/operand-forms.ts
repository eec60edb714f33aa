/**
 * Operands that need no instruction of their own. Before 9.0, instructions read parameters and blockDim from
 * constant memory (`IMAD.WIDE R2, R2, R3, c[0x0][0x160]`). Shared memory starts at 0, and a shared access scales its
 * index by 4, 8 or 16 (`LDS [R7.X4]`). An instruction holds one constant at most, and a memory instruction only
 * zero. Others are moved to a register, once per basic block. From machine code of nvcc 13.0 for sm_75 to sm_89
 * (NVCC-RULES.md, 11).
 */

import type { IssueSlot } from "../program.js";
import { type Inst, resolve, type SsaFunction, type Value, walk } from "../ssa/ssa.js";
import { readsOf } from "../ssa/traversal.js";
import { issueSlots } from "./machine-instructions.js";
import type { Target } from "./target.js";
import { vectorMoves } from "./vector-moves.js";

const NONE: readonly IssueSlot[] = Object.freeze([]);
const SHIFT: readonly IssueSlot[] = Object.freeze([{ mnemonic: "SHF.L.U32", pipe: "alu", independent: false }]);
const UNIFORM_LOAD: readonly IssueSlot[] = Object.freeze([
  { mnemonic: "ULDC.64", pipe: "constant", independent: false },
]);
const MOVE_PAIR: readonly IssueSlot[] = Object.freeze([
  { mnemonic: "MOV", pipe: "alu", independent: false },
  { mnemonic: "MOV", pipe: "alu", independent: true },
]);

/** Adding a constant to a 64-bit pointer takes two instructions. */
const ADD_TO_POINTER: readonly IssueSlot[] = Object.freeze([
  { mnemonic: "IADD3", pipe: "alu", independent: false },
  { mnemonic: "IADD3.X", pipe: "alu", independent: false },
]);

/** The scales that a shared access encodes. */
const SCALES: ReadonlySet<number> = new Set([4, 8, 16]);
const ACCESSES: ReadonlySet<string> = new Set(["ld", "st", "atom"]);

export class OperandForms {
  private readonly target: Target;
  /** Addresses and pointers with a use other than an access or an address. */
  private readonly readElsewhere = new Set<Value>();
  /** Pointers that accesses use directly. */
  private readonly accessed = new Set<Value>();
  /** The constants that this basic block has in registers. */
  private moved = new Set<string>();

  private readonly vectorMoves: ReadonlyMap<Inst, number>;

  constructor(fn: SsaFunction, target: Target) {
    this.target = target;
    this.vectorMoves = vectorMoves(fn);
    if (!target.constantOperands) return;
    walk(fn.body, (node) => {
      readsOf(node).forEach((operand, i) => {
        const value = resolve(operand);
        if (i === 0 && node.kind === "inst" && ACCESSES.has(node.op)) this.accessed.add(value);
        else if (!(i === 0 && node.kind === "inst" && node.op === "addr" && value.def?.op === "base"))
          this.readElsewhere.add(value);
      });
    });
  }

  /** The machine instructions of `inst` itself. */
  slots(inst: Inst): readonly IssueSlot[] {
    const { op, mods } = inst;
    const stepped = op === "addr" && mods.space === "global" && resolve(inst.operands[1]!).constant !== null;
    const usual = inst.slots ?? (stepped ? ADD_TO_POINTER : issueSlots(op, inst.type, mods));
    if (!this.target.constantOperands || usual.length === 0) return usual;
    const result = inst.results[0];
    if (op === "param" || isLaunchSize(inst)) return NONE;
    if (op === "base" && result !== undefined) {
      if (mods.root?.kind === "shared") return NONE;
      if (mods.root?.kind !== "param") return usual;
      if (this.readElsewhere.has(result)) return MOVE_PAIR;
      if (!this.accessed.has(result)) return NONE;
      return this.target.uniformDatapath ? UNIFORM_LOAD : MOVE_PAIR;
    }
    if (op === "addr" && result !== undefined && mods.space === "shared" && SCALES.has(mods.scale ?? 0)) {
      if (resolve(inst.operands[0]!).def?.op !== "base") return usual;
      if (inst.slots !== null) return inst.slots.length > 1 ? SHIFT : inst.slots;
      return this.readElsewhere.has(result) ? SHIFT : NONE;
    }
    return usual;
  }

  /** Starts a basic block: constants are no longer in registers. */
  newBlock(): void {
    this.moved = new Set();
  }

  /** Runs `build` for a predicated body, which may use the block's constants but adds none. */
  underGuard(build: () => void): void {
    const outer = this.moved;
    this.moved = new Set(outer);
    build();
    this.moved = outer;
  }

  /** The number of operands that must be moved to registers before `inst`. */
  moves(inst: Inst): number {
    let count = this.vectorMoves.get(inst) ?? 0;
    if (!this.target.constantOperands || this.slots(inst).length === 0) return count;
    for (const key of this.inTheWay(inst)) {
      if (this.moved.has(key)) continue;
      this.moved.add(key);
      count++;
    }
    return count;
  }

  /** The constants that the instruction cannot encode. */
  private inTheWay(inst: Inst): readonly string[] {
    const { op, mods } = inst;
    if (op === "addr") {
      const base = resolve(inst.operands[0]!).def;
      if (mods.space !== "global" || inst.slots !== null || base?.op !== "base" || base.mods.root?.kind !== "param")
        return [];
      return [`${mods.scale}`];
    }
    const inMemory = inst.operands.map(constantKey);
    if (ACCESSES.has(op)) return inMemory.filter((key, i) => key !== null && i > 0) as string[];
    const places = inMemory.filter((key) => key !== null) as string[];
    const immediates = inst.operands.filter((operand) => {
      const { constant } = resolve(operand);
      return constant !== null && Number(constant) !== 0;
    }).length;
    return places.slice(0, Math.max(0, places.length + immediates - 1));
  }
}

function isLaunchSize(inst: Inst): boolean {
  const name = inst.mods.special?.name;
  return inst.op === "special" && (name === "blockDim" || name === "gridDim");
}

/** The constant memory location of a value; null if it is in a register or an immediate. */
function constantKey(value: Value): string | null {
  const { def } = resolve(value);
  if (def?.op === "param") return `param ${def.mods.index}`;
  if (def === null || !isLaunchSize(def)) return null;
  const special = def.mods.special!;
  return `${special.name} ${"axis" in special ? special.axis : ""}`;
}
