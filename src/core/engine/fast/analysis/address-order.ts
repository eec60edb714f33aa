/**
 * Proves that one address of a warp is never below another: the difference of their linear forms, with the intervals
 * of what remains. Used to let a load and a later store of the same warp share one loop over the lanes.
 */
import type { Program, ProgramNode, Region } from "../../../lower/program.js";
import { isSmallInteger, type Ranges } from "./range.js";
import type { Web, WebTable } from "./webs.js";

interface LinearForm {
  readonly constant: number;
  /** Webs and how many bytes one of each counts; each with the pc that reads it. */
  readonly terms: ReadonlyMap<Web, { readonly factor: number; readonly pc: number; readonly index: number }>;
  /** The start of the form: a root, or a web that is not looked into. */
  readonly start: string;
}

export class AddressOrder {
  /** By pc: ids of the enclosing loops, outermost first. */
  private readonly loops: (readonly number[])[] = [];

  constructor(
    private readonly program: Program,
    private readonly table: WebTable,
    private readonly ranges: Ranges,
  ) {
    this.walk(program.body, []);
  }

  private walk(nodes: Region, loops: readonly number[]): void {
    const place = (node: ProgramNode): void => {
      if (node.kind === "run") for (let i = 0; i < node.count; i++) this.loops[node.first + i] = loops;
      else if (node.kind === "if") {
        this.walk(node.then, loops);
        this.walk(node.else, loops);
      } else if (node.kind === "loop") {
        this.walk(node.body, [...loops, node.id]);
        this.walk(node.latch, [...loops, node.id]);
      }
    };
    nodes.forEach(place);
  }

  /**
   * True if in every lane the address of the access at `first` is proven to be at least that at `second`. Both access
   * the same space.
   */
  isAtLeast(first: number, second: number): boolean {
    const a = this.form(first);
    const b = this.form(second);
    if (a === null || b === null || a.start !== b.start) return false;
    let low = a.constant - b.constant;
    let high = low;
    for (const [web, { factor, pc, index }] of a.terms) {
      const other = b.terms.get(web);
      const rest = factor - (other?.factor ?? 0);
      if (other !== undefined && !this.isStable(web, first)) return false;
      if (rest === 0) continue;
      const range = this.range(pc, index);
      if (range === null) return false;
      low += Math.min(rest * range.low, rest * range.high);
      high += Math.max(rest * range.low, rest * range.high);
    }
    for (const [web, { factor, pc, index }] of b.terms) {
      if (a.terms.has(web)) continue;
      const range = this.range(pc, index);
      if (range === null) return false;
      low -= Math.max(factor * range.low, factor * range.high);
      high -= Math.min(factor * range.low, factor * range.high);
    }
    return low >= 0 && high < 2 ** 31;
  }

  private range(pc: number, index: number): { readonly low: number; readonly high: number } | null {
    const type = this.program.instructions[pc]!.sourceType ?? "i32";
    return isSmallInteger(type) ? this.ranges.operand(pc, index, type) : null;
  }

  /** Defined once, in a loop that encloses the use: every use in one iteration sees the same value. */
  private isStable(web: Web, use: number): boolean {
    const [def] = web.defs;
    if (def === undefined) return true;
    if (web.defs.length > 1 || web.readsInitial) return false;
    const outer = this.loops[def] ?? [];
    const inner = this.loops[use] ?? [];
    return outer.every((loop, depth) => inner[depth] === loop);
  }

  private form(access: number): LinearForm | null {
    const instruction = this.program.instructions[access]!;
    const terms = new Map<Web, { factor: number; pc: number; index: number }>();
    let constant = instruction.offset ?? 0;
    let web = this.table.src[access]![0] ?? null;
    for (let depth = 0; depth < 8; depth++) {
      if (web === null || !this.isStable(web, access)) return null;
      const [pc] = web.defs;
      const def = pc === undefined ? undefined : this.program.instructions[pc];
      if (pc === undefined || def?.op !== "addr") return null;
      const scale = def.scale ?? 1;
      const [index, next] = def.src;
      const indexWeb = this.table.src[pc]![0] ?? null;
      if (index?.kind === "imm") constant += Number(index.value) * scale;
      else if (indexWeb !== null) {
        const known = terms.get(indexWeb);
        terms.set(indexWeb, { factor: scale + (known?.factor ?? 0), pc, index: 0 });
      } else return null;
      if (next === undefined) return { constant, terms, start: JSON.stringify(def.root ?? null) };
      web = this.table.src[pc]![1] ?? null;
    }
    return null;
  }
}
