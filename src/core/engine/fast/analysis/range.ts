/**
 * Intervals of 32-bit integer webs, by data flow without regard to order: a web's interval holds every value it can
 * have in any lane. Signed webs are seen as int32, unsigned ones as uint32. Proves that indices do not wrap.
 */
import type { Instruction, Operand, Program, RegisterType } from "../../../lower/program.js";
import type { WebTable } from "./webs.js";

/** `multiple`: a power of two that divides every value (at most 2^20; 2^20 for 0). */
export interface Range {
  readonly low: number;
  readonly high: number;
  readonly multiple: number;
}

/** The facts of a launch that are known before it runs. */
export interface LaunchShape {
  readonly block: readonly [number, number, number];
  /** Largest gridDim of each axis that the compiled kernel takes. */
  readonly gridLimit: readonly [number, number, number];
  /** A power of two up to 16 that divides all pointer arguments. */
  readonly paramAlignment: number;
  /** No two pointer arguments reach the same memory. */
  readonly paramsDisjoint: boolean;
  /** Pointer arguments point to the start of what they may reach. */
  readonly wholeAllocations: boolean;
  /** Shared-memory banks. */
  readonly banks: number;
  /** Before compute capability 7.0: lanes of a warp run in lockstep. */
  readonly lockstep: boolean;
}

const LARGEST_MULTIPLE = 2 ** 20;

export const FULL: Readonly<Record<"i32" | "u32", Range>> = {
  i32: { low: -2147483648, high: 2147483647, multiple: 1 },
  u32: { low: 0, high: 4294967295, multiple: 1 },
};

const NARROW_RANGES: Readonly<Record<string, Range>> = {
  i8: { low: -128, high: 127, multiple: 1 },
  u8: { low: 0, high: 255, multiple: 1 },
  i16: { low: -32768, high: 32767, multiple: 1 },
  u16: { low: 0, high: 65535, multiple: 1 },
};

export function multipleOf(value: number): number {
  if (value === 0) return LARGEST_MULTIPLE;
  let power = 1;
  while (power < LARGEST_MULTIPLE && value % (power * 2) === 0) power *= 2;
  return power;
}

export function constant(value: number): Range {
  return { low: value, high: value, multiple: multipleOf(value) };
}

type Small = "i32" | "u32";

export function isSmallInteger(type: RegisterType): type is Small {
  return type === "i32" || type === "u32";
}

/** The interval as values of `type`; all of the type where it does not fit. */
function fit(range: Range, type: Small): Range {
  const full = FULL[type];
  return range.low >= full.low && range.high <= full.high ? range : { ...full, multiple: range.multiple };
}

function join(a: Range | undefined, b: Range): Range {
  if (a === undefined) return b;
  return { low: Math.min(a.low, b.low), high: Math.max(a.high, b.high), multiple: Math.min(a.multiple, b.multiple) };
}

/** Intervals that still grow are widened to the next of these. */
function widen(old: Range, next: Range, type: Small): Range {
  const full = FULL[type];
  return {
    low: next.low < old.low ? (next.low >= 0 ? 0 : full.low) : next.low,
    high: next.high > old.high ? full.high : next.high,
    multiple: next.multiple,
  };
}

export class Ranges {
  private readonly byWeb: (Range | undefined)[] = [];
  private readonly visits: number[] = [];

  constructor(
    private readonly program: Program,
    private readonly table: WebTable,
    private readonly shape: LaunchShape,
  ) {
    for (const web of table.webs) if (web.readsInitial) this.byWeb[web.id] = constant(0);
    let changed = true;
    while (changed) {
      changed = false;
      for (const instruction of program.instructions) {
        instruction.dst.forEach((_, index) => {
          const web = table.dst[instruction.pc]![index]!;
          if (!isSmallInteger(web.type)) return;
          const result = this.result(instruction, web.type);
          if (result === undefined) return;
          const old = this.byWeb[web.id];
          const next = join(old, fit(result, web.type));
          if (old !== undefined && old.low === next.low && old.high === next.high && old.multiple === next.multiple)
            return;
          this.visits[web.id] = (this.visits[web.id] ?? 0) + 1;
          this.byWeb[web.id] = old !== undefined && this.visits[web.id]! > 3 ? widen(old, next, web.type) : next;
          changed = true;
        });
      }
    }
  }

  /** Interval of source `index` of the instruction, read as `type`. */
  operand(pc: number, index: number, type: RegisterType): Range {
    return this.known(this.program.instructions[pc]!, index, type) ?? FULL[type === "u32" ? "u32" : "i32"];
  }

  private known(instruction: Instruction, index: number, type: RegisterType): Range | undefined {
    if (!isSmallInteger(type)) return FULL.i32;
    const operand = instruction.src[index];
    if (operand === undefined) return FULL[type];
    if (operand.kind === "reg") {
      const web = this.table.src[instruction.pc]![index]!;
      if (!isSmallInteger(web.type)) return FULL[type];
      const range = this.byWeb[web.id];
      return range === undefined ? undefined : fit(range, type);
    }
    return fit(this.fixed(operand, type), type);
  }

  private fixed(operand: Operand, type: Small): Range {
    if (operand.kind === "imm") {
      const value = Number(operand.value);
      return constant(type === "u32" ? value >>> 0 : value | 0);
    }
    if (operand.kind !== "special") return FULL[type];
    const { special } = operand;
    const { block, gridLimit } = this.shape;
    if (special.name === "laneId") return { low: 0, high: 31, multiple: 1 };
    if (special.name === "clock") return FULL[type];
    const axis = { x: 0, y: 1, z: 2 }[special.axis] as 0 | 1 | 2;
    switch (special.name) {
      case "blockDim":
        return constant(block[axis]);
      case "threadIdx":
        return { low: 0, high: block[axis] - 1, multiple: block[axis] === 1 ? LARGEST_MULTIPLE : 1 };
      case "blockIdx":
        return { low: 0, high: gridLimit[axis] - 1, multiple: gridLimit[axis] === 1 ? LARGEST_MULTIPLE : 1 };
      case "gridDim":
        return { low: 1, high: gridLimit[axis], multiple: 1 };
    }
  }

  /** undefined: an operand is not known yet. */
  private result(instruction: Instruction, destination: Small): Range | undefined {
    const { op } = instruction;
    const type: Small = isSmallInteger(instruction.type) ? instruction.type : destination;
    const at = (index: number, as: RegisterType = type): Range | undefined => this.known(instruction, index, as);
    const a = instruction.src.length > 0 ? at(0, op === "cvt" ? (instruction.sourceType ?? type) : type) : undefined;
    switch (op) {
      case "mov":
        return a;
      case "add":
      case "sub":
      case "mul":
      case "min":
      case "max":
      case "and": {
        const b = at(1);
        return a === undefined || b === undefined ? undefined : arithmetic(op, a, b, type);
      }
      case "mad":
      case "add3": {
        const b = at(1);
        const c = at(2);
        if (a === undefined || b === undefined || c === undefined) return undefined;
        const first = arithmetic(op === "mad" ? "mul" : "add", a, b, type);
        return arithmetic("add", fit(first, type), c, type);
      }
      case "lea":
      case "shl":
      case "shr": {
        const count = at(op === "lea" ? 2 : 1, "u32");
        if (a === undefined || count === undefined) return undefined;
        if (count.low !== count.high || count.low > 31) {
          if (op !== "shr" || a.low < 0) return { ...FULL[type] };
          return { low: 0, high: Math.floor(a.high / 2 ** Math.min(count.low, 31)), multiple: 1 };
        }
        const power = 2 ** count.low;
        if (op === "shr")
          return {
            low: Math.floor(a.low / power),
            high: Math.floor(a.high / power),
            multiple: Math.max(1, a.multiple / power),
          };
        const shifted = arithmetic("mul", a, constant(power), type);
        if (op === "shl") return shifted;
        const b = at(1);
        return b === undefined ? undefined : arithmetic("add", fit(shifted, type), b, type);
      }
      case "div":
      case "rem": {
        const b = at(1);
        if (a === undefined || b === undefined) return undefined;
        if (a.low < 0 || b.low < 1)
          return op === "rem" && a.low >= 0 ? { low: 0, high: a.high, multiple: 1 } : FULL[type];
        if (op === "rem") return { low: 0, high: Math.min(a.high, b.high - 1), multiple: 1 };
        return { low: Math.floor(a.low / b.high), high: Math.floor(a.high / b.low), multiple: 1 };
      }
      case "selp": {
        const b = at(1);
        return a === undefined || b === undefined ? undefined : join(a, b);
      }
      case "cvt":
        return isSmallInteger(instruction.sourceType ?? type) ? a : FULL[destination];
      case "ld":
        return NARROW_RANGES[instruction.narrow ?? "none"] ?? FULL[destination];
      case "popc":
      case "clz":
      case "ffs":
      case "bar":
        return { low: 0, high: op === "bar" ? 1024 : 64, multiple: 1 };
      default:
        return FULL[destination];
    }
  }
}

function arithmetic(op: "add" | "sub" | "mul" | "min" | "max" | "and", a: Range, b: Range, type: Small): Range {
  const multiple = Math.min(a.multiple, b.multiple);
  let range: Range;
  switch (op) {
    case "add":
      range = { low: a.low + b.low, high: a.high + b.high, multiple };
      break;
    case "sub":
      range = { low: a.low - b.high, high: a.high - b.low, multiple };
      break;
    case "mul": {
      const corners = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
      range = {
        low: Math.min(...corners),
        high: Math.max(...corners),
        multiple: Math.min(LARGEST_MULTIPLE, a.multiple * b.multiple),
      };
      break;
    }
    case "min":
      return { low: Math.min(a.low, b.low), high: Math.min(a.high, b.high), multiple };
    case "max":
      return { low: Math.max(a.low, b.low), high: Math.max(a.high, b.high), multiple };
    case "and": {
      const large = Math.max(a.multiple, b.multiple);
      if (a.low < 0 && b.low < 0) return { ...FULL[type], multiple: large };
      const high = a.low < 0 ? b.high : b.low < 0 ? a.high : Math.min(a.high, b.high);
      return { low: 0, high, multiple: large };
    }
  }
  return fit(range, type);
}
