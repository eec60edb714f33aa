/**
 * Local arrays with only constant indices live in registers, one per element (LLVM's SROA, after unrolling). An
 * element that may be read before it is written holds 0. An array with an element that is certainly read
 * uninitialized stays in memory, where a run shows that CUDA gives it no value.
 */
import type { Narrow } from "../../../ir/types.js";
import { componentBytes, type RegisterType } from "../../program.js";
import { continues } from "../../ssa/loop-jumps.js";
import {
  type IfNode,
  type Inst,
  isJump,
  type LoopNode,
  type Region,
  regionsOf,
  replaceEach,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
} from "../../ssa/ssa.js";
import { walkInstructions } from "../../ssa/traversal.js";

export function scalarizeArrays(fn: SsaFunction): boolean {
  const types = new Map<number, RegisterType>();
  const narrow = new Map<number, Narrow | undefined>();
  const refused = new Set<number>();
  walkInstructions(fn.body, (node) => {
    if (node.mods.root?.kind !== "local") return;
    const { array } = node.mods.root;
    if (node.op === "base") return;
    const direct = (node.op === "ld" || node.op === "st") && resolve(node.operands[0]!).def?.op === "base";
    const type = types.get(array) ?? node.type;
    types.set(array, type);
    if (!narrow.has(array)) narrow.set(array, node.mods.narrow);
    const same = type === node.type && narrow.get(array) === node.mods.narrow;
    const whole = direct && same && (node.mods.offset ?? 0) % bytesOf(node) === 0;
    if (!whole) refused.add(array);
  });
  for (const array of readUnwritten(fn.body, new Set())) refused.add(array);
  for (const array of refused) types.delete(array);
  if (types.size === 0) return false;
  new Scalarization(fn, types).region(fn.body, new Map());
  return true;
}

function bytesOf({ type, mods }: Inst): number {
  return componentBytes(type, mods.narrow);
}

function arrayOf({ op, mods }: Inst): number {
  return (op === "ld" || op === "st") && mods.root?.kind === "local" ? mods.root.array : -1;
}

function cellOf(inst: Inst, lane: number): string {
  return `${arrayOf(inst)} ${(inst.mods.offset ?? 0) + lane * bytesOf(inst)}`;
}

/** Adds the elements that the region may write. */
function addWritten(region: Region, into: Set<string>): void {
  walkInstructions(region, (node) => {
    if (node.op !== "st" || arrayOf(node) < 0) return;
    for (let lane = 0; lane < node.operands.length - 1; lane++) into.add(cellOf(node, lane));
  });
}

/**
 * Arrays with an element that is read but that no path has written. Adds the elements that some path writes to
 * `written`.
 */
function readUnwritten(region: Region, written: Set<string>): Set<number> {
  const found = new Set<number>();
  const visit = (part: Region): void => {
    for (const array of readUnwritten(part, written)) found.add(array);
  };
  for (const node of region.nodes) {
    if (node.kind !== "inst") {
      const inner = regionsOf(node);
      if (node.kind === "loop") for (const part of inner) addWritten(part, written);
      inner.forEach(visit);
    } else if (node.op === "ld" && arrayOf(node) >= 0) {
      if (node.results.some((_, lane) => !written.has(cellOf(node, lane)))) found.add(arrayOf(node));
    } else if (node.op === "st" && arrayOf(node) >= 0) {
      for (let lane = 0; lane < node.operands.length - 1; lane++) written.add(cellOf(node, lane));
    }
  }
  return found;
}

/** Maps an element (array and byte offset) to its value. */
type Cells = Map<string, Value>;

class Scalarization {
  private readonly fn: SsaFunction;
  private readonly types: ReadonlyMap<number, RegisterType>;
  /** The elements that each open loop carries, for its jumps. */
  private readonly carried = new Map<LoopNode, readonly string[]>();

  constructor(fn: SsaFunction, types: ReadonlyMap<number, RegisterType>) {
    this.fn = fn;
    this.types = types;
  }

  private zero(type: RegisterType): Value {
    return this.fn.constant(type, type === "i64" || type === "u64" ? 0n : 0);
  }

  private ours(inst: Inst): boolean {
    return this.types.has(arrayOf(inst));
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
        if (node.op === "ld") replaceEach(node.results, (lane) => this.read(cells, cellOf(node, lane)));
        else {
          for (const [lane, value] of node.operands.slice(1).entries()) cells.set(cellOf(node, lane), resolve(value));
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

  private loop(node: LoopNode, cells: Cells): void {
    const written = new Set<string>();
    addWritten(node.body, written);
    addWritten(node.latch, written);
    const carried = [...written].filter((cell) => this.types.has(Number(cell.split(" ")[0])));
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
