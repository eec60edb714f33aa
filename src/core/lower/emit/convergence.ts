/**
 * Where ptxas makes a warp's lanes reconverge before an exchange, since it cannot prove that they are converged. It
 * also decides which branches need no reconvergence point because a later instruction reconverges. From machine code
 * of nvcc 13.0 (110 kernels with exchanges in and after branches and loops, NVCC-RULES.md 7).
 */
import type { Divergence } from "../analysis/divergence.js";
import { OVERHEAD } from "../machine/machine-instructions.js";
import type { Target } from "../machine/target.js";
import { isWide } from "../machine/vector-moves.js";
import { type IssueSlot, type Op, WARP_PRIMITIVES } from "../program.js";
import {
  type IfNode,
  type Inst,
  isJump,
  type LoopNode,
  type Region,
  regionsOf,
  resolve,
  type SsaFunction,
  type SsaNode,
  type SsaOp,
} from "../ssa/ssa.js";

/** `all`: WARPSYNC.ALL. `check`: BRA.DIV to a slow path that waits for the lanes. `mask`: WARPSYNC with a mask. */
type Gathering = "all" | "check" | "mask";

/** The knowledge about the lanes: all converged, checked since the block's start, or unknown. */
type Lanes = "together" | "checked" | "apart";

const FULL_MASK = 0xffffffff;

export class Convergence {
  private readonly target: Target;
  private readonly divergence: Divergence;
  private readonly guards: ReadonlySet<IfNode>;
  /** The way to make each exchange safe, and the exchanges where lanes may have diverged. */
  private readonly ways: Map<Inst, Gathering> = new Map();
  private readonly gathered: Map<Inst, Gathering> = new Map();
  /** Lanes may be diverged at its end and after it. */
  private readonly unproved: Set<SsaNode> = new Set();

  constructor(fn: SsaFunction, target: Target, divergence: Divergence, guards: ReadonlySet<IfNode>) {
    this.target = target;
    this.divergence = divergence;
    this.guards = guards;
    if (!target.independentThreads) return;
    // The exchanges since the last barrier, by operation.
    let open = new Map<string, Inst[]>();
    const settle = (): void => {
      for (const same of open.values()) for (const inst of same) this.ways.set(inst, this.wayOf(inst, same.length));
      open = new Map();
    };
    this.region(fn.body, "together", (inst) => {
      if (inst.op === "bar") {
        settle();
        this.ways.set(inst, "all");
        return "together";
      }
      const key = `${inst.op} ${inst.mods.redux ?? ""}`;
      open.set(key, [...(open.get(key) ?? []).filter((other) => other !== inst), inst]);
      return "apart";
    });
    settle();
    this.unproved.clear();
    this.region(fn.body, "together", (inst, lanes) => {
      const way = this.ways.get(inst)!;
      if (lanes === "together" || (lanes === "checked" && way === "check")) {
        this.gathered.delete(inst);
        return lanes;
      }
      this.gathered.set(inst, way);
      return way === "all" ? "together" : way === "check" ? "checked" : lanes;
    });
  }

  /** The instructions in front of an exchange. */
  before(inst: Inst): readonly IssueSlot[] {
    const way = this.gathered.get(inst);
    // `__syncwarp` consists of nothing else.
    if (way === undefined || (way !== "check" && inst.op === "syncwarp")) return [];
    if (way === "all") return OVERHEAD.warpSync;
    const moved = this.target.syncsLoneExchanges && maskOf(inst) !== null;
    if (way === "mask") return moved ? OVERHEAD.constantMaskSync : OVERHEAD.maskSync;
    return moved ? OVERHEAD.constantMaskCheck : OVERHEAD.maskCheck;
  }

  /** Lanes diverge in it and must reconverge at its end. `rest`: the nodes after it. */
  needsMeeting(node: IfNode | LoopNode, rest: readonly SsaNode[]): boolean {
    if (!this.parts(node) || this.meetsInside(node)) return false;
    const next = rest.find(
      (other) => this.syncs(other) || (other.kind === "if" && !other.select) || other.kind === "loop",
    );
    return next === undefined || !this.syncs(next);
  }

  private syncs(node: SsaNode): boolean {
    return node.kind === "inst" && this.gathered.get(node) === "all";
  }

  private parts(node: IfNode | LoopNode): boolean {
    if (node.kind === "if") return !this.guards.has(node) && this.divergence.differs(node.condition);
    return this.divergence.leavesApart(node) || this.unproved.has(node);
  }

  /** A side that ends in a branch reconverges where that branch does. */
  private meetsInside(node: IfNode | LoopNode): boolean {
    const sides = regionsOf(node).map(({ nodes }) => {
      const last = nodes.at(-1);
      const branch = node.kind === "if" && last !== undefined && last.kind !== "inst" && this.parts(last) ? last : null;
      return branch === null ? nodes.some((child) => this.syncs(child)) : this.meetsInside(branch) || null;
    });
    return sides.includes(true) && !sides.includes(null);
  }

  /**
   * An operation that occurs once between barriers waits for all lanes. One that occurs several times first tests
   * whether it must.
   */
  private wayOf(inst: Inst, times: number): Gathering {
    const wide = inst.op.startsWith("shfl") && isWide(inst.type);
    if (!this.target.syncsLoneExchanges || times > 1 || wide) return "check";
    return maskOf(inst) === FULL_MASK ? "all" : "mask";
  }

  private region(region: Region, before: Lanes, exchange: (inst: Inst, lanes: Lanes) => Lanes): Lanes {
    let lanes = before;
    for (const node of region.nodes) {
      if (node.kind === "inst") {
        if (gathers(node)) lanes = lanes === "together" && !this.ways.has(node) ? lanes : exchange(node, lanes);
      } else if (node.kind === "loop") lanes = this.loop(node, lanes, exchange);
      else if (!this.guards.has(node)) lanes = this.branch(node, lanes, exchange);
    }
    return lanes;
  }

  private branch(node: IfNode, before: Lanes, exchange: (inst: Inst, lanes: Lanes) => Lanes): Lanes {
    const apart = this.divergence.differs(node.condition);
    const lanes = before === "checked" ? "apart" : before;
    const ends = [node.then, node.else].map((side) => {
      const end = this.region(side, apart ? "apart" : lanes, exchange);
      return isJump(side.end) ? lanes : end;
    });
    if (!apart) return ends.every((end) => end === "together") ? "together" : "apart";
    if (holdsExchange(node)) this.unproved.add(node);
    return this.unproved.has(node) ? "apart" : lanes;
  }

  private loop(node: LoopNode, before: Lanes, exchange: (inst: Inst, lanes: Lanes) => Lanes): Lanes {
    const lanes = before === "checked" ? "apart" : before;
    const round = (start: Lanes): Lanes => this.region(node.latch, this.region(node.body, start, exchange), exchange);
    if (this.divergence.leavesApart(node)) {
      round("apart");
      if (holdsExchange(node)) this.unproved.add(node);
      return this.unproved.has(node) ? "apart" : lanes;
    }
    const end = round(lanes);
    if (end === "together" || !holdsExchange(node)) return end;
    // The next iteration starts as this one ends.
    this.unproved.add(node);
    round("apart");
    return "apart";
  }
}

function maskOf({ operands }: Inst): number | null {
  if (operands.length === 0) return FULL_MASK;
  const { constant } = resolve(operands[0]!);
  return constant === null ? null : Number(constant) >>> 0;
}

const TALKING: ReadonlySet<Op | SsaOp> = new Set<Op | SsaOp>([...WARP_PRIMITIVES, "bar"]);

/**
 * True if its lanes must have reconverged: not for activemask, nor for an atomic's own vote, whose mask is
 * activemask.
 */
function gathers(inst: Inst): boolean {
  if (!TALKING.has(inst.op) || inst.op === "activemask") return false;
  const mask = inst.op === "bar" || inst.operands.length === 0 ? null : resolve(inst.operands[0]!).def;
  return mask?.mods.together !== true;
}

function holdsExchange(node: SsaNode): boolean {
  return node.kind === "inst" ? gathers(node) : regionsOf(node).some(({ nodes }) => nodes.some(holdsExchange));
}
