/**
 * Aggregates atomics of a warp on one address into one atomic by its highest active lane, as ptxas does. The value
 * is a REDUX of the lanes' values (compute capability 8.0), or the value times the number of lanes. Float additions
 * to shared memory are a compare-and-swap loop, since the hardware has none. So are 64-bit shared atomics, except an
 * exchange. A minimum or maximum stays one instruction here.
 */

import type { Scalar } from "../../ir/types.js";
import { decidingSwaps } from "../analysis/deciding-swaps.js";
import { Divergence } from "../analysis/divergence.js";
import { overheadAt } from "../machine/overhead.js";
import type { Target } from "../machine/target.js";
import type { IssueSlot, RegisterType } from "../program.js";
import {
  emptyRegion,
  type IfNode,
  Inst,
  type LoopNode,
  type Modifiers,
  type Region,
  resolve,
  type SsaFunction,
  type SsaNode,
  type SsaOp,
  type Value,
  walk,
} from "../ssa/ssa.js";
import { readsOf } from "../ssa/traversal.js";

const NONE: readonly IssueSlot[] = Object.freeze([]);

function slots(...list: readonly (readonly [string, IssueSlot["pipe"]])[]): readonly IssueSlot[] {
  return Object.freeze(list.map(([mnemonic, pipe]) => ({ mnemonic, pipe, independent: false })));
}

const VOTE = slots(["VOTEU.ANY", "vote"]);
const FIND_LEADER = slots(["UFLO.U32", "uniform"]);
const LOWER_LANES = slots(["S2R SR_LTMASK", "special"]);
const SHARED_INCREMENT = slots(["ATOMS.POPC.INC.32", "lsu"]);
const YIELD = slots(["YIELD", "cbu"]);
/** The constant address is in a uniform register; each iteration moves it to another one. */
const MOVE = slots(["MOV", "alu"]);
const FOUND = slots(["ISETP.EQ.U32.AND", "alu"]);
const FOUND_WIDE = slots(["ISETP.EQ.U32.AND", "alu"], ["ISETP.EQ.U32.AND.EX", "alu"]);
/** The new value of the word, for atomics that become a compare-and-swap loop. */
const CHANGES: Partial<Record<string, SsaOp>> = { add: "add", sub: "sub", and: "and", or: "or", xor: "xor" };
const WIDE: ReadonlySet<RegisterType> = new Set<RegisterType>(["i64", "u64", "f64"]);
const REDUX_OF: Partial<Record<string, NonNullable<Modifiers["redux"]>>> = {
  add: "add",
  sub: "add",
  min: "min",
  max: "max",
  and: "and",
  or: "or",
  xor: "xor",
};

export function expandAtomics(fn: SsaFunction, target: Target): void {
  new Expansion(fn, target).run();
}

class Expansion {
  private readonly fn: SsaFunction;
  private readonly target: Target;
  private readonly divergence: Divergence;
  private readonly apartInTime: Divergence;
  private readonly used = new Set<Value>();
  private out: SsaNode[] = [];
  private at!: Inst;
  /** Lanes of the warp may have diverged, so the uniform datapath is unusable. */
  private apart = false;
  /** Atomics whose results decide whether the loop continues. */
  private deciding: ReadonlySet<Inst> = new Set();

  constructor(fn: SsaFunction, target: Target) {
    this.fn = fn;
    this.target = target;
    this.divergence = new Divergence(fn);
    this.apartInTime = new Divergence(fn, true);
  }

  run(): void {
    walk(this.fn.body, (node) => {
      for (const value of readsOf(node)) this.used.add(resolve(value));
    });
    this.region(this.fn.body, false);
  }

  /** `alone`: a condition on threadIdx.x leaves one lane. */
  private region(region: Region, alone: boolean): void {
    const outer = this.out;
    this.out = [];
    this.leads = null;
    let single = alone;
    for (const node of region.nodes) {
      if (node.kind === "inst") {
        if (node.op === "bar") this.leads = null;
        if (node.op === "atom") this.atomic(node, single);
        else this.out.push(node);
        continue;
      }
      const outerApart = this.apart;
      if (node.condition !== null && this.divergence.differs(node.condition)) this.apart = true;
      if (node.kind === "if") {
        this.region(node.then, single || picksOne(node.condition, true));
        this.region(node.else, single || picksOne(node.condition, false));
        if (node.then.end.kind === "exit" && picksOne(node.condition, false)) single = true;
        if (node.else.end.kind === "exit" && picksOne(node.condition, true)) single = true;
      } else {
        const outerDeciding = this.deciding;
        this.deciding = decidingSwaps(node);
        this.region(node.body, single);
        this.region(node.latch, single);
        this.deciding = outerDeciding;
      }
      this.apart = outerApart;
      this.leads = null;
      this.out.push(node);
    }
    region.nodes = this.out;
    this.out = outer;
  }

  private emit(
    op: SsaOp,
    type: RegisterType,
    operands: Value[],
    mods: Modifiers = {},
    own: readonly IssueSlot[] | null = null,
  ): Value {
    const result = this.fn.value(op === "setp" ? "bool" : type);
    const inst = new Inst(op, type, [result], operands, mods, this.at.span, this.at.source);
    inst.slots = own;
    this.out.push(inst);
    return result;
  }

  /** Atomics with no branch or barrier between them share one leader. */
  private leads: Leader | null = null;

  private atomic(inst: Inst, alone: boolean): void {
    this.at = inst;
    const result = inst.results[0];
    const read = result !== undefined && this.used.has(result);
    if (!read) inst.results = [];
    if (this.deciding.has(inst)) this.out.push(overheadAt(inst, YIELD));
    const { space, atomic } = inst.mods;
    const operand = resolve(inst.operands[1]!);
    const integer = inst.type === "i32" || inst.type === "u32";
    const change = atomic === undefined || space !== "shared" ? undefined : CHANGES[atomic];
    if (change !== undefined && (WIDE.has(inst.type) || (inst.type === "f32" && change === "add"))) {
      this.compareAndSwapLoop(inst, change, read ? result : null);
      return;
    }
    if (space === "shared" && integer && atomic === "add" && operand.constant === 1 && !read)
      inst.slots = SHARED_INCREMENT;
    const oneAddress = !this.divergence.differs(inst.operands[0]!);
    const redux = REDUX_OF[atomic ?? ""];
    if (
      alone ||
      !integer ||
      !oneAddress ||
      redux === undefined ||
      inst.slots !== null ||
      !this.target.aggregatesAtomics
    ) {
      this.out.push(inst);
      return;
    }
    const same = !this.divergence.differs(operand);
    const multiplies = same && (atomic === "add" || atomic === "sub");
    const equal = this.equalTerms(inst.operands[0]!, multiplies ? [operand] : []);
    if (equal !== null && multiplies) this.sameValue(inst, operand, this.leader(equal), read ? result : null);
    else if (equal !== null && !read && this.target.warpReduce) this.reduced(inst, operand, this.leader(equal), redux);
    else this.out.push(inst);
  }

  /**
   * The numbers in the address, and `others`, that lanes apart in time may see differently: those that a leader acts for
   * have equal ones. null where they cannot be told.
   */
  private equalTerms(address: Value, others: readonly Value[]): readonly Value[] | null {
    const found = others.filter((value) => this.apartInTime.differs(value));
    for (let at = resolve(address); this.apartInTime.differs(at); ) {
      if (at.def?.op !== "addr") return null;
      const [start, index] = at.def.operands;
      if (this.apartInTime.differs(index!)) found.push(resolve(index!));
      at = resolve(start!);
    }
    return found;
  }

  /** The active lanes for which the values are the same, and whether this lane is the highest of them. */
  private leader(equal: readonly Value[]): Leader {
    const { leads } = this;
    if (leads !== null && equal.every((value) => leads.equal.includes(value))) return leads;
    // The machine has one vote for atomics in a row.
    this.leads = this.newLeader(equal, leads !== null);
    return this.leads;
  }

  private newLeader(equal: readonly Value[], counted: boolean): Leader {
    const own = (list: readonly IssueSlot[] | null): readonly IssueSlot[] | null => (counted ? NONE : list);
    const lane = this.emit("special", "u32", [], { special: { name: "laneId" } }, own(null));
    const argTypes = equal.map(({ type }) => type as Scalar);
    const mask = this.emit("activemask", "u32", [...equal], { together: true, argTypes }, own(VOTE));
    const zeros = this.emit("clz", "i32", [mask], { sourceType: "u32" }, NONE);
    const highest = this.emit("sub", "u32", [this.fn.constant("u32", 31), zeros], {}, own(FIND_LEADER));
    const leads = this.emit("setp", "bool", [lane, highest], { compare: "eq", sourceType: "u32" }, own(null));
    return { mask, highest, leads, lane, equal };
  }

  private guarded(inst: Inst, leads: Value, value: Value, result: Value | null): void {
    const then = emptyRegion();
    const otherwise = emptyRegion();
    const old = result === null ? null : this.fn.value(inst.type);
    const atom = new Inst(
      "atom",
      inst.type,
      old === null ? [] : [old],
      [inst.operands[0]!, value],
      inst.mods,
      inst.span,
      inst.source,
    );
    then.nodes.push(atom);
    const node: IfNode = {
      kind: "if",
      condition: leads,
      then,
      else: otherwise,
      results: [],
      looped: false,
      select: false,
      leader: true,
      span: inst.span,
      source: inst.source,
    };
    if (old !== null && result !== null) {
      result.def = null;
      result.owner = node;
      node.results = [result];
      then.end = { kind: "yield", values: [old] };
      otherwise.end = { kind: "yield", values: [this.fn.constant(inst.type, 0)] };
    }
    this.out.push(node);
  }

  private sameValue(inst: Inst, value: Value, leader: Leader, result: Value | null): void {
    const { mask, highest, leads, lane } = leader;
    const count = this.emit("popc", "i32", [mask], { sourceType: "u32" });
    const times = (lanes: Value): Value => (value.constant === 1 ? lanes : this.emit("mul", inst.type, [value, lanes]));
    if (result === null) {
      this.guarded(inst, leads, times(count), null);
      return;
    }
    const first = this.fn.value(inst.type);
    this.guarded(inst, leads, times(count), first);
    const bit = this.emit("shl", "u32", [this.fn.constant("u32", 1), lane], {}, NONE);
    const lower = this.emit("add", "u32", [bit, this.fn.constant("u32", 0xffffffff)], {}, LOWER_LANES);
    const before = this.emit("popc", "i32", [this.emit("and", "u32", [lower, mask])], { sourceType: "u32" });
    const width = this.fn.constant("i32", 32);
    const start = this.emit("shfl", inst.type, [mask, first, highest, width]);
    const op = inst.mods.atomic === "sub" ? "sub" : "add";
    const own = new Inst(op, inst.type, [result], [start, times(before)], {}, inst.span, inst.source);
    this.out.push(own);
  }

  private reduced(inst: Inst, value: Value, { mask, leads }: Leader, redux: NonNullable<Modifiers["redux"]>): void {
    const all = this.emit("redux", inst.type, [mask, value], { redux });
    this.guarded(inst, leads, all, null);
  }

  /** do { old = load; } while (cas(old, old + value) != old), or another `change`. */
  private compareAndSwapLoop(inst: Inst, change: SsaOp, result: Value | null): void {
    const { type, span, source } = inst;
    const bits = type === "f32" ? "u32" : "u64";
    const body = emptyRegion();
    const outer = this.out;
    this.out = body.nodes;
    const address = inst.operands[0]!;
    const old = this.emit(
      "ld",
      bits,
      [address],
      inst.mods.volatile === true ? inst.mods : { ...inst.mods, volatile: true },
    );
    const before = this.emit("bitcast", type, [old], { sourceType: bits }, NONE);
    const changed = this.emit(change, type, [before, inst.operands[1]!]);
    const after = this.emit("bitcast", bits, [changed], { sourceType: type }, NONE);
    if (this.target.sharedWindow && !this.apart && isFixed(address)) this.out.push(overheadAt(inst, MOVE));
    const found = this.emit(
      "atom",
      bits,
      [address, old, after],
      { ...inst.mods, atomic: "cas", spin: true },
      slots(["ATOMS.CAST.SPIN", "lsu"]),
    );
    const again = this.emit(
      "setp",
      "bool",
      [found, old],
      { compare: "ne", sourceType: bits },
      type === "f32" ? FOUND : FOUND_WIDE,
    );
    this.out = outer;
    const loop: LoopNode = {
      kind: "loop",
      id: this.fn.loopId(),
      params: [],
      inits: [],
      body,
      latchParams: [],
      latch: emptyRegion(),
      condition: again,
      nexts: [],
      exits: [],
      results: [],
      unroll: 1,
      tested: false,
      holdsRounds: false,
      span,
      source,
    };
    if (result !== null) {
      result.def = null;
      result.owner = loop;
      loop.results = [result];
      loop.exits = [before];
    }
    this.out.push(loop);
  }
}

function isFixed(address: Value): boolean {
  const { def } = resolve(address);
  if (def?.op === "addr" && resolve(def.operands[1]!).constant !== null) return isFixed(def.operands[0]!);
  return def?.op === "base";
}

interface Leader {
  readonly mask: Value;
  readonly highest: Value;
  readonly leads: Value;
  readonly lane: Value;
  readonly equal: readonly Value[];
}

/** True if the condition is threadIdx.x == constant, where it `holds`. */
function picksOne(condition: Value, holds: boolean): boolean {
  const { def } = resolve(condition);
  if (def?.op !== "setp" || def.operands.length !== 2 || def.mods.compare !== (holds ? "eq" : "ne")) return false;
  if (resolve(def.operands[1]!).constant === null) return false;
  const special = resolve(def.operands[0]!).def?.mods.special;
  return special?.name === "threadIdx" && special.axis === "x";
}
