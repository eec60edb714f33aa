/**
 * Local arrays whose elements are only reached by constant indices live in registers, an element each (LLVM's SROA, after
 * unrolling). An element that is read before it is written holds 0.
 */
import { byteSize, type Scalar } from "../../ir/types.js";
import type { RegisterType } from "../program.js";
import {
  type IfNode,
  type Inst,
  isJump,
  type LoopNode,
  type Region,
  replaceEach,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
  walk,
} from "../ssa.js";
import { continues } from "./loop-jumps.js";

export function scalarizeArrays(fn: SsaFunction): boolean {
  const types = new Map<number, RegisterType>();
  const refused = new Set<number>();
  walk(fn.body, (node) => {
    if (node.kind !== "inst" || node.mods.root?.kind !== "local") return;
    const { array } = node.mods.root;
    if (node.op === "base") return;
    const direct = (node.op === "ld" || node.op === "st") && resolve(node.operands[0]!).def?.op === "base";
    const type = types.get(array) ?? node.type;
    types.set(array, type);
    const whole = direct && type === node.type && (node.mods.offset ?? 0) % byteSize(node.type as Scalar) === 0;
    if (!whole) refused.add(array);
  });
  for (const array of refused) types.delete(array);
  if (types.size === 0) return false;
  new Scalarization(fn, types).region(fn.body, new Map());
  return true;
}

/** Cell (array and byte offset) to the value it holds. */
type Cells = Map<string, Value>;

class Scalarization {
  private readonly fn: SsaFunction;
  private readonly types: ReadonlyMap<number, RegisterType>;
  /** Cells that each open loop carries, for its jumps. */
  private readonly carried = new Map<LoopNode, readonly string[]>();

  constructor(fn: SsaFunction, types: ReadonlyMap<number, RegisterType>) {
    this.fn = fn;
    this.types = types;
  }

  private zero(type: RegisterType): Value {
    return this.fn.constant(type, type === "i64" || type === "u64" ? 0n : 0);
  }

  private ours(inst: Inst): boolean {
    const { root } = inst.mods;
    return (inst.op === "ld" || inst.op === "st") && root?.kind === "local" && this.types.has(root.array);
  }

  private cell(inst: Inst, lane: number): string {
    const { root } = inst.mods;
    const array = root?.kind === "local" ? root.array : -1;
    return `${array} ${(inst.mods.offset ?? 0) + lane * byteSize(inst.type as Scalar)}`;
  }

  private read(cells: Cells, cell: string): Value {
    return cells.get(cell) ?? this.zero(this.types.get(Number(cell.split(" ")[0]))!);
  }

  region(region: Region, cells: Cells): void {
    const nodes: SsaNode[] = [];
    for (const node of region.nodes) {
      if (node.kind === "if") this.branch(node, cells);
      else if (node.kind === "loop") this.loop(node, cells);
      else if (this.ours(node)) {
        if (node.op === "ld") replaceEach(node.results, (lane) => this.read(cells, this.cell(node, lane)));
        else {
          for (const [lane, value] of node.operands.slice(1).entries())
            cells.set(this.cell(node, lane), resolve(value));
        }
        continue;
      }
      nodes.push(node);
    }
    region.nodes = nodes;
    const { end } = region;
    if (end.kind === "break" || end.kind === "continue") {
      for (const cell of this.carried.get(end.loop) ?? []) end.values.push(this.read(cells, cell));
    }
  }

  private branch(node: IfNode, cells: Cells): void {
    const then = new Map(cells);
    const otherwise = new Map(cells);
    this.region(node.then, then);
    this.region(node.else, otherwise);
    const thenJumps = isJump(node.then.end);
    const elseJumps = isJump(node.else.end);
    for (const cell of new Set([...then.keys(), ...otherwise.keys()])) {
      const a = this.read(then, cell);
      const b = this.read(otherwise, cell);
      if (a === b || (thenJumps && elseJumps)) {
        cells.set(cell, a);
        continue;
      }
      const result = this.fn.value(a.type);
      result.owner = node;
      node.results.push(result);
      if (!thenJumps) node.then.end.values.push(a);
      if (!elseJumps) node.else.end.values.push(b);
      cells.set(cell, result);
    }
  }

  private written(region: Region, into: Set<string>): void {
    walk(region, (node) => {
      if (node.kind === "inst" && node.op === "st" && this.ours(node)) {
        for (let lane = 0; lane < node.operands.length - 1; lane++) into.add(this.cell(node, lane));
      }
    });
  }

  private loop(node: LoopNode, cells: Cells): void {
    const written = new Set<string>();
    this.written(node.body, written);
    this.written(node.latch, written);
    const carried = [...written];
    this.carried.set(node, carried);
    const inner = new Map(cells);
    const own = (cell: string): Value => {
      const value = this.fn.value(this.types.get(Number(cell.split(" ")[0]))!);
      value.owner = node;
      return value;
    };
    for (const cell of carried) {
      const param = own(cell);
      node.params.push(param);
      node.inits.push(this.read(cells, cell));
      inner.set(cell, param);
    }
    this.region(node.body, inner);
    if (node.latchParams.length > 0 || continues(node)) {
      for (const cell of carried) {
        const param = own(cell);
        if (!isJump(node.body.end)) node.body.end.values.push(this.read(inner, cell));
        node.latchParams.push(param);
        inner.set(cell, param);
      }
    }
    this.region(node.latch, inner);
    for (const cell of carried) {
      const last = this.read(inner, cell);
      const result = own(cell);
      node.nexts.push(last);
      node.exits.push(last);
      node.results.push(result);
      cells.set(cell, result);
    }
  }
}
