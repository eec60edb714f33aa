/**
 * Whether the blocks of a grid can run in any order, or at once: none reads or writes what another one writes. Proven
 * from addresses of the form blockIdx * stride + rest, where the rest stays within the stride.
 */
import type { Instruction, Program } from "../../../lower/program.js";
import { accessBytes } from "../../faults.js";
import { FULL, isSmallInteger, type LaunchShape, type Ranges } from "./range.js";
import type { Web, WebTable } from "./webs.js";

/** stride * blockIdx.x + (low to high), in bytes or in units of an index. */
interface Form {
  readonly stride: number;
  readonly low: number;
  readonly high: number;
}

/** The bytes, low to end, that block 0 accesses of an array that any block writes. They move by stride from block to block. */
export interface BlockPart {
  readonly param: number;
  readonly strideBytes: number;
  readonly lowBytes: number;
  readonly endBytes: number;
}

/** The blocks' own parts of all that they write; null if blocks may not run in any order. */
export function findBlockParts(
  program: Program,
  table: WebTable,
  ranges: Ranges,
  shape: LaunchShape,
): readonly BlockPart[] | null {
  if (!shape.paramsDisjoint || shape.gridLimit[1] !== 1 || shape.gridLimit[2] !== 1) return null;
  const forms = new FormFinder(program, table, ranges);
  const written = new Set<number>();
  for (const { op, root, space, volatile: isVolatile } of program.instructions) {
    if (op === "printf") return null;
    if (space === "shared" || space === "local" || (op !== "st" && op !== "atom" && op !== "ld")) continue;
    if (op === "atom" || isVolatile === true || root?.kind !== "param") return null;
    if (op === "st") written.add(root.index);
  }
  const parts = [...written].map((param): BlockPart | null => {
    const accesses = program.instructions.filter(
      ({ op, root }) => (op === "st" || op === "ld") && root?.kind === "param" && root.index === param,
    );
    let part = null as BlockPart | null;
    for (const access of accesses) {
      const form = forms.ofAddress(access);
      if (form === null || (part !== null && form.stride !== part.strideBytes)) return null;
      part = {
        param,
        strideBytes: form.stride,
        lowBytes: Math.min(part?.lowBytes ?? form.low, form.low),
        endBytes: Math.max(part?.endBytes ?? -Infinity, form.high + accessBytes(access)),
      };
    }
    return part !== null && part.endBytes - part.lowBytes <= Math.abs(part.strideBytes) ? part : null;
  });
  return parts.every((part) => part !== null) ? parts : null;
}

function times({ stride, low, high }: Form, factor: number): Form {
  const ends = [low * factor, high * factor];
  return { stride: stride * factor, low: Math.min(...ends), high: Math.max(...ends) };
}

function plus(a: Form, b: Form): Form {
  return { stride: a.stride + b.stride, low: a.low + b.low, high: a.high + b.high };
}

class FormFinder {
  private readonly known = new Map<Web, Form | null>();

  constructor(
    private readonly program: Program,
    private readonly table: WebTable,
    private readonly ranges: Ranges,
  ) {}

  /** Byte offset of a global access from its root; null where it has no such form. */
  ofAddress(access: Instruction): Form | null {
    const form = this.addressForm(this.table.src[access.pc]![0] ?? null, 0);
    return form === null ? null : plus(form, { stride: 0, low: access.offset ?? 0, high: access.offset ?? 0 });
  }

  private addressForm(web: Web | null, depth: number): Form | null {
    const [pc] = web?.defs ?? [];
    if (web === null || pc === undefined || web.defs.length > 1 || web.readsInitial || depth > 8) return null;
    const def = this.program.instructions[pc]!;
    if (def.op !== "addr") return null;
    const index = this.operand(def, 0);
    if (index === null) return null;
    const moved = times(index, def.scale ?? 1);
    if (def.src.length === 1) return moved;
    const start = this.addressForm(this.table.src[pc]![1] ?? null, depth + 1);
    return start === null ? null : plus(start, moved);
  }

  /** The operand's value, which is proven not to wrap; null where that is not so. */
  private operand(instruction: Instruction, index: number): Form | null {
    const type = instruction.op === "addr" || instruction.op === "cvt" ? instruction.sourceType : instruction.type;
    const operand = instruction.src[index];
    if (operand?.kind === "imm") return { stride: 0, low: Number(operand.value), high: Number(operand.value) };
    if (operand === undefined || type === undefined || !isSmallInteger(type)) return null;
    const range = this.ranges.operand(instruction.pc, index, type);
    if (range.low <= FULL[type].low && range.high >= FULL[type].high) return null;
    if (operand.kind === "special" && operand.special.name === "blockIdx" && operand.special.axis === "x")
      return { stride: 1, low: 0, high: 0 };
    const web = this.table.src[instruction.pc]![index] ?? null;
    // An operand without a form of its own is known by its interval.
    return (web === null ? null : this.ofWeb(web)) ?? { stride: 0, low: range.low, high: range.high };
  }

  private ofWeb(web: Web): Form | null {
    const known = this.known.get(web);
    if (known !== undefined) return known;
    this.known.set(web, null);
    const [pc] = web.defs;
    const isPlain = pc !== undefined && web.defs.length === 1 && !web.readsInitial;
    const form = isPlain && isSmallInteger(web.type) ? this.ofDefinition(this.program.instructions[pc]!) : null;
    this.known.set(web, form);
    return form;
  }

  private ofDefinition(def: Instruction): Form | null {
    const at = (index: number): Form | null => this.operand(def, index);
    const sum = (a: Form | null, b: Form | null): Form | null => (a === null || b === null ? null : plus(a, b));
    const constant = (form: Form | null): number | null =>
      form !== null && form.stride === 0 && form.low === form.high ? form.low : null;
    const product = (a: Form | null, b: Form | null): Form | null => {
      const [left, right] = [constant(a), constant(b)];
      if (a !== null && right !== null) return times(a, right);
      return b !== null && left !== null ? times(b, left) : null;
    };
    const shifted = (form: Form | null, count: Form | null): Form | null => {
      const bits = constant(count);
      return form === null || bits === null || bits < 0 || bits > 20 ? null : times(form, 2 ** bits);
    };
    switch (def.op) {
      case "mov":
      case "cvt":
        return at(0);
      case "add":
        return sum(at(0), at(1));
      case "add3":
        return sum(sum(at(0), at(1)), at(2));
      case "sub": {
        const b = at(1);
        return sum(at(0), b === null ? null : times(b, -1));
      }
      case "mul":
        return product(at(0), at(1));
      case "mad":
        return sum(product(at(0), at(1)), at(2));
      case "shl":
        return shifted(at(0), at(1));
      case "lea":
        return sum(shifted(at(0), at(2)), at(1));
      default:
        return null;
    }
  }
}
