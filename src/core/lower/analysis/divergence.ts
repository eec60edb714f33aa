/**
 * Divergence analysis as ptxas does it. A value may differ between the lanes of a warp if it comes from the thread's
 * index, local memory, a divergent address or other lanes. So may a join under a divergent condition. A branch on a
 * uniform value needs no reconvergence point.
 */
import { type IfNode, type LoopNode, type Region, resolve, type SsaFunction, type Value } from "../ssa/ssa.js";

const SOURCES: ReadonlySet<string> = new Set([
  "atom",
  "shfl",
  "shflUp",
  "shflDown",
  "shflXor",
  "matchAny",
  "matchAll",
  "matchAllPredicate",
]);

/** All lanes of the mask get the same result. */
const UNIFORM: ReadonlySet<string> = new Set(["ballot", "any", "all", "activemask", "redux"]);

export class Divergence {
  private readonly divergent: Uint8Array;
  private changed = false;

  /**
   * With `apart` the lanes may be apart in time as well, as independent threads are: one finds other values in memory, or
   * other active lanes.
   */
  constructor(
    fn: SsaFunction,
    private readonly apart: boolean = false,
  ) {
    this.divergent = new Uint8Array(fn.valueCount);
    do {
      this.changed = false;
      this.region(fn.body, false);
    } while (this.changed);
  }

  differs(value: Value): boolean {
    const now = resolve(value);
    return now.constant === null && this.divergent[now.id] === 1;
  }

  private mark(value: Value): void {
    const { id } = resolve(value);
    if (this.divergent[id] === 1) return;
    this.divergent[id] = 1;
    this.changed = true;
  }

  private region(region: Region, apart: boolean): void {
    for (const node of region.nodes) {
      if (node.kind === "inst") {
        const special = node.mods.special?.name;
        const own = special === "threadIdx" || special === "laneId" || special === "clock";
        const read = node.op === "ld" && (this.apart || node.mods.space === "local");
        const source = SOURCES.has(node.op) || own || read || (this.apart && node.op === "activemask");
        const operands = UNIFORM.has(node.op) ? node.operands.slice(0, 1) : node.operands;
        if (source || operands.some((operand) => this.differs(operand))) {
          for (const result of node.results) this.mark(result);
        }
      } else if (node.kind === "if") this.branch(node, apart);
      else this.loop(node, apart);
    }
  }

  private branch(node: IfNode, apart: boolean): void {
    const differs = this.differs(node.condition);
    this.region(node.then, apart || differs);
    this.region(node.else, apart || differs);
    node.results.forEach((result, i) => {
      const values = [node.then.end, node.else.end].flatMap((end) => (end.kind === "yield" ? [end.values[i]!] : []));
      const one = values.length < 2 || resolve(values[0]!) === resolve(values[1]!);
      if (values.some((value) => this.differs(value)) || (differs && !one)) this.mark(result);
    });
  }

  private loop(node: LoopNode, apart: boolean): void {
    node.params.forEach((param, i) => {
      if (this.differs(node.inits[i]!) || this.differs(node.nexts[i]!)) this.mark(param);
    });
    this.region(node.body, apart);
    this.region(node.latch, apart);
    const apartly = this.leavesApart(node);
    node.results.forEach((result, i) => {
      if (apartly || this.differs(node.exits[i]!)) this.mark(result);
    });
    if (apartly) for (const param of node.latchParams) this.mark(param);
  }

  /** Lanes may leave the loop in different iterations. */
  leavesApart(node: LoopNode): boolean {
    if (node.condition !== null && this.differs(node.condition)) return true;
    const search = (region: Region, apart: boolean): boolean => {
      if (apart && (region.end.kind === "break" || region.end.kind === "continue")) return true;
      return region.nodes.some((child) => {
        if (child.kind === "inst") return false;
        if (child.kind === "loop")
          return search(child.body, apart || this.leavesApart(child)) || search(child.latch, apart);
        const differs = apart || this.differs(child.condition);
        return search(child.then, differs) || search(child.else, differs);
      });
    };
    return search(node.body, false) || search(node.latch, false);
  }
}
