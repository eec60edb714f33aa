/** Builds the draft: registers of values, operands, instructions, moves. */
import type { Span } from "../../base/errors.js";
import { CLEAR_WIDE, MOVE, MOVE_WIDE, OVERHEAD } from "../machine/machine-instructions.js";
import { OperandForms } from "../machine/operand-forms.js";
import type { Target } from "../machine/target.js";
import { WARP_SIZE } from "../nvvm/control/warp-size.js";
import type { Guard, IssueSlot, Op, Operand, Reg, Register, RegisterType } from "../program.js";
import { type Inst, NO_MODIFIERS, resolve, type SsaFunction, type SsaOp, type Value } from "../ssa/ssa.js";
import { walkInstructions } from "../ssa/traversal.js";
import type { DraftInst, DraftRegion } from "./draft.js";

const NO_ISSUE: readonly IssueSlot[] = Object.freeze([]);

/** Starts of shared arrays whose only uses are the addresses of loads and stores. */
function readAtFixedPlaces(fn: SsaFunction): ReadonlySet<Value> {
  const found = new Set<Value>();
  walkInstructions(fn.body, (node) => {
    if (node.op === "base" && node.mods.root?.kind === "shared") found.add(node.results[0]!);
  });
  walkInstructions(fn.body, (node) => {
    if (node.op !== "ld" && node.op !== "st") for (const operand of node.operands) found.delete(resolve(operand));
  });
  return found;
}

/** Allocates registers and appends instructions to the draft. */
export class Emission {
  readonly registers: Register[] = [];
  region: DraftRegion = [];
  private readonly top: DraftRegion = this.region;
  /** The start of shared memory has been computed: for all code after it, or for this body. */
  private windowAtTop = false;
  private windowOf: Guard | DraftRegion | null = null;
  /** Starts of shared arrays that only accesses at constant offsets read. */
  private readonly fixedOnly: ReadonlySet<Value>;
  /**
   * In a predicated body, registers with several writes keep their old value where the guard fails. The first write
   * starts the live range: where its guard fails too, another write precedes every read.
   */
  merging = false;
  private readonly ofValue: Int32Array;
  private readonly phis = new Map<Value, Reg>();
  private readonly shared = new Set<Reg>();
  private readonly written = new Set<Reg>();
  private readonly target: Target;
  readonly forms: OperandForms;

  constructor(fn: SsaFunction, target: Target) {
    this.ofValue = new Int32Array(fn.valueCount).fill(-1);
    this.target = target;
    this.fixedOnly = readAtFixedPlaces(fn);
    this.forms = new OperandForms(fn, target);
  }

  newRegister(type: RegisterType, name: string | null): Reg {
    this.registers.push({ type, name });
    return this.registers.length - 1;
  }

  hasRegister(value: Value): boolean {
    return this.ofValue[value.id] !== -1;
  }

  register(value: Value): Reg {
    let reg = this.ofValue[value.id]!;
    if (reg === -1) {
      reg = this.newRegister(value.type, value.name);
      this.ofValue[value.id] = reg;
    }
    return reg;
  }

  /** The users read it as an immediate or from constant memory: no instruction writes a register. */
  isOperand(value: Value): boolean {
    const now = resolve(value);
    return now.constant !== null || (now.def !== null && this.immediateOperand(now.def) !== null);
  }

  private immediateOperand({ op, mods }: Inst): Operand | null {
    if (op === "warpSize") return { kind: "imm", value: WARP_SIZE };
    if (!this.target.constantOperands) return null;
    if (op === "param") return { kind: "param", index: mods.index! };
    const { special } = mods;
    if (op === "special" && (special?.name === "blockDim" || special?.name === "gridDim"))
      return { kind: "special", special };
    return null;
  }

  /** Puts `value` into `other`'s register. An instruction must write it (see `isOperand`). */
  share(value: Value, other: Value): void {
    if (this.isOperand(value)) throw new Error("a value that no instruction writes cannot share a register");
    const reg = this.register(other);
    this.ofValue[value.id] = reg;
    this.shared.add(reg);
  }

  operand(value: Value): Operand {
    const now = resolve(value);
    if (now.constant !== null) return { kind: "imm", value: now.constant };
    const named = now.def === null ? null : this.immediateOperand(now.def);
    return named ?? { kind: "reg", reg: this.register(now) };
  }

  /** A guard on a bool value; it folds negations. */
  guard(value: Value): Guard {
    let now = resolve(value);
    let negate = false;
    while (now.def !== null && now.def.op === "pnot") {
      now = resolve(now.def.operands[0]!);
      negate = !negate;
    }
    if (now.constant !== null) {
      const reg = this.newRegister("bool", null);
      this.push(
        "mov",
        "bool",
        [reg],
        [{ kind: "imm", value: now.constant }],
        null,
        // PT is always there.
        [],
        { line: 1, column: 0, length: 1 },
        0,
      );
      return { reg, negate };
    }
    return { reg: this.register(now), negate };
  }

  /** Both guards hold. The compare of the inner one combines with the outer one, so this is free. */
  conjunction(outer: Guard, inner: Guard, span: Span, source: number): Guard {
    const plain = (guard: Guard): Reg => {
      if (!guard.negate) return guard.reg;
      const not = this.newRegister("bool", null);
      this.push("pnot", "bool", [not], [{ kind: "reg", reg: guard.reg }], null, [], span, source);
      return not;
    };
    const both = this.newRegister("bool", null);
    const operands: Operand[] = [
      { kind: "reg", reg: plain(outer) },
      { kind: "reg", reg: plain(inner) },
    ];
    this.push("pand", "bool", [both], operands, null, [], span, source);
    return { reg: both, negate: false };
  }

  private push(
    op: Op,
    type: RegisterType,
    dst: Reg[],
    src: Operand[],
    guard: Guard | null,
    issue: readonly IssueSlot[],
    span: Span,
    source: number,
    copy = false,
    kills = true,
  ): void {
    const inst: DraftInst = {
      op,
      type,
      dst,
      src,
      guard,
      issue,
      span,
      source,
      mods: NO_MODIFIERS,
      kills,
      copy,
      target: null,
      pc: -1,
    };
    this.region.push({ kind: "inst", inst });
  }

  overhead(issue: readonly IssueSlot[], span: Span, source: number): void {
    this.push("overhead", "u32", [], [], null, issue, span, source);
  }

  inst(node: Inst, guard: Guard | null): void {
    const { op, mods } = node;
    if (this.immediateOperand(node) !== null) return;
    const issue = this.forms.slots(node);
    for (let moves = this.forms.moves(node); moves > 0; moves--) {
      this.push("overhead", "u32", [], [], guard, MOVE, node.span, node.source);
    }
    const dst = node.results.map((result) => this.register(result));
    const merges = this.merging && dst.some((reg) => this.shared.has(reg));
    const kills = !merges || !dst.some((reg) => this.written.has(reg));
    for (const reg of dst) this.written.add(reg);
    const draft = (programOp: Op, src: Operand[], slots = issue): void => {
      this.region.push({
        kind: "inst",
        inst: {
          op: programOp,
          type: node.type,
          dst,
          src,
          guard,
          issue: slots,
          span: node.span,
          source: node.source,
          mods,
          kills,
          copy: false,
          target: null,
          pc: -1,
        },
      });
    };
    switch (op) {
      case "param":
        draft("mov", [{ kind: "param", index: mods.index! }]);
        return;
      case "special":
        draft("mov", [{ kind: "special", special: mods.special! }]);
        return;
      case "base":
        if (mods.root?.kind === "shared" && this.target.sharedWindow) {
          // Other arrays start from the shared window; a constant offset folds into it.
          const body = guard ?? this.region;
          const found = this.windowAtTop || this.windowOf === body;
          if (!found) this.push("overhead", "u32", [], [], guard, OVERHEAD.sharedWindow, node.span, node.source);
          if (found && this.fixedOnly.has(node.results[0]!)) {
            draft("addr", [{ kind: "imm", value: 0 }], NO_ISSUE);
            return;
          }
          this.push("overhead", "u32", [], [], guard, OVERHEAD.sharedOffset, node.span, node.source);
          this.windowOf = body;
          if (body === this.top) this.windowAtTop = true;
        }
        draft("addr", [{ kind: "imm", value: 0 }]);
        return;
      case "addr": {
        const base = resolve(node.operands[0]!);
        draft("addr", [this.operand(node.operands[1]!), this.operand(base)]);
        return;
      }
      case "bar":
        draft(
          "bar",
          node.operands.map((value) => this.operand(value)),
          this.target.padsBarriers ? [...OVERHEAD.barrierPad, ...issue] : issue,
        );
        return;
      default:
        draft(
          op as SsaOp & Op,
          node.operands.map((value) => this.operand(value)),
        );
    }
  }

  /** Moves all `copies` at once. */
  parallelCopies(copies: readonly (readonly [Value, Value])[], span: Span, source: number, guard: Guard | null): void {
    const moves = copies.map(([target, value]) => this.move(this.register(resolve(target)), target.type, value));
    this.parallelMoves(moves, span, source, guard);
  }

  /** The register that brings a loop's parameter from outside and from the latch to the start of the loop. */
  private phi(param: Value): Reg {
    const now = resolve(param);
    let reg = this.phis.get(now);
    if (reg === undefined) {
      reg = this.newRegister(now.type, null);
      this.phis.set(now, reg);
    }
    return reg;
  }

  /** Moves `values` into the phi registers of `params`, at once. */
  copiesToPhis(params: readonly Value[], values: readonly Value[], span: Span, source: number): void {
    const moves = params.map((param, i) => ({
      ...this.move(this.phi(param), param.type, values[i]!),
      partner: this.register(resolve(param)),
    }));
    this.parallelMoves(moves, span, source, null);
  }

  /** At the start of a loop: its parameters take the values of their phi registers. */
  copiesFromPhis(params: readonly Value[], span: Span, source: number): void {
    const moves = params.map((param) => this.moveFromPhi(this.register(resolve(param)), param));
    this.parallelMoves(moves, span, source, null);
  }

  /** Behind the moves of the latch: `results` take what the next iteration's parameters would be. */
  resultsFromPhis(results: readonly (readonly [Value, Value])[], span: Span, source: number): void {
    const moves = results.map(([result, param]) => this.moveFromPhi(this.register(resolve(result)), param));
    this.parallelMoves(moves, span, source, null);
  }

  private moveFromPhi(to: Reg, param: Value): Move {
    return { to, from: { kind: "reg", reg: this.phi(param) }, type: param.type, unset: false, partner: null };
  }

  private move(to: Reg, type: RegisterType, value: Value): Move {
    return { to, from: this.operand(value), type, unset: resolve(value).unset, partner: null };
  }

  /** A cycle goes through one more register. */
  private parallelMoves(moves: readonly Move[], span: Span, source: number, guard: Guard | null): void {
    const pending = moves.filter(({ to, from }) => from.kind !== "reg" || from.reg !== to);
    const push = ({ to, from, type, unset }: Move): void => {
      const wide = type === "i64" || type === "u64" || type === "f64" || type === "addr";
      const kills = guard === null || (this.merging && !this.written.has(to));
      this.written.add(to);
      const clears = wide && this.target.clearsPairs && from.kind === "imm" && isZero(from.value);
      const slots = unset ? [] : clears ? CLEAR_WIDE : wide ? MOVE_WIDE : MOVE;
      this.push("mov", type, [to], [from], guard, slots, span, source, true, kills);
    };
    while (pending.length > 0) {
      // A move whose target no other one reads. A phi's partner counts as its target: the reads of both come first,
      // so that the two can share a register.
      const free = pending.findIndex(({ to, partner }, i) =>
        pending.every(({ from }, j) => j === i || from.kind !== "reg" || from.reg !== (partner ?? to)),
      );
      const next = pending[Math.max(free, 0)]!;
      if (free >= 0 || next.partner !== null) {
        pending.splice(Math.max(free, 0), 1);
        push(next);
        continue;
      }
      const saved = this.newRegister(next.type, null);
      push({ to: saved, from: { kind: "reg", reg: next.to }, type: next.type, unset: false, partner: null });
      pending.forEach((move, i) => {
        if (move.from.kind === "reg" && move.from.reg === next.to)
          pending[i] = { ...move, from: { kind: "reg", reg: saved } };
      });
    }
  }
}

interface Move {
  readonly to: Reg;
  readonly from: Operand;
  readonly type: RegisterType;
  readonly unset: boolean;
  /** For a move into a phi register: its parameter's own register. */
  readonly partner: Reg | null;
}

function isZero(value: number | bigint): boolean {
  return typeof value === "bigint" ? value === 0n : Object.is(value, 0);
}
