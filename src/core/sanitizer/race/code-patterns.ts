/** Finds by a program's text the loads that wait for a value, and the loads and stores that update one element. */
import type { Instruction, Program, Reg } from "../../lower/program.js";

interface Loop {
  readonly first: number;
  readonly last: number;
}

function loopsOf({ instructions }: Program): readonly Loop[] {
  return instructions.flatMap(({ op, pc, target }) =>
    op === "bra" && target !== undefined && target <= pc ? [{ first: target, last: pc }] : [],
  );
}

function rootOf({ root }: Instruction): string {
  return JSON.stringify(root ?? null);
}

function reads({ src, guard }: Instruction): readonly Reg[] {
  const registers = src.flatMap((each) => (each.kind === "reg" ? [each.reg] : []));
  return guard === null ? registers : [...registers, guard.reg];
}

/** The registers that decide whether a loop goes on, with all that they are computed of within it. */
function decisive(inside: readonly Instruction[], { last }: Loop): ReadonlySet<Reg> {
  const leaves = ({ op, pc, target, guard }: Instruction): boolean =>
    guard !== null && (op === "exit" || (op === "bra" && (pc === last || (target ?? 0) > last)));
  const found = new Set(inside.filter(leaves).flatMap(({ guard }) => (guard === null ? [] : [guard.reg])));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const each of inside) {
      if (each.op !== "ld" && each.dst.some((reg) => found.has(reg))) for (const reg of reads(each)) found.add(reg);
    }
  }
  return found;
}

function place({ source, span }: Instruction): string {
  return `${source} ${span.line} ${span.column} ${span.length}`;
}

/** Places of loads in loops that go on until the loaded value changes; the loop does not write the array itself. */
function spinning(program: Program): ReadonlySet<string> {
  const found = new Set<string>();
  for (const loop of loopsOf(program)) {
    const inside = program.instructions.slice(loop.first, loop.last + 1);
    const written = new Set(inside.filter(({ op }) => op === "st").map(rootOf));
    const deciding = decisive(inside, loop);
    for (const each of inside) {
      if (each.op !== "ld" || written.has(rootOf(each))) continue;
      if (each.dst.some((reg) => deciding.has(reg))) found.add(place(each));
    }
  }
  return found;
}

export interface Waits {
  /** pcs of volatile loads that wait: a loop repeats them, or their value is only compared for equality. */
  readonly loads: ReadonlySet<number>;
  /** Shared arrays of flags: volatile, and a loop waits for one of their elements. */
  readonly isFlag: (instruction: Instruction) => boolean;
}

export function waitsOf(program: Program): Waits {
  const { instructions } = program;
  const volatileLoads = instructions.filter(({ op, volatile }) => op === "ld" && volatile === true);
  if (volatileLoads.length === 0) return { loads: new Set(), isFlag: () => false };
  const spins = spinning(program);
  const spinLoads = volatileLoads.filter((each) => spins.has(place(each)));
  const equal = ({ op, compare }: Instruction): boolean => op === "setp" && (compare === "eq" || compare === "ne");
  const compared = volatileLoads.filter(({ dst }) =>
    instructions.every((each) => equal(each) || !reads(each).some((reg) => dst.includes(reg))),
  );
  const flags = new Set(spinLoads.map(rootOf));
  return {
    loads: new Set([...spinLoads, ...compared].map(({ pc }) => pc)),
    isFlag: (instruction) => flags.has(rootOf(instruction)),
  };
}

/** An address as far as the text shows it: the array, and the registers and constants it is computed of. */
function addressOf({ instructions }: Program, { root, space, src, offset = 0 }: Instruction): string {
  const [base] = src;
  if (base?.kind !== "reg") return JSON.stringify([root, space, base, offset]);
  const definitions = instructions.filter(({ dst }) => dst.includes(base.reg));
  const [only] = definitions;
  if (definitions.length !== 1 || only?.op !== "addr") return JSON.stringify([root, space, base, offset]);
  const { src: parts, scale = 0, offset: more = 0 } = only;
  return JSON.stringify([root, space, parts, scale, more + offset]);
}

/**
 * For each load and store of an update, x += 1 or if (v < x) x = v, the pc of its store. The stored value depends on what the
 * load has found at the same address, or it decides whether there is a store. Accesses of other elements are in none.
 */
export function updatesOf(program: Program): ReadonlyMap<number, number> {
  const { instructions } = program;
  const stores = instructions.filter(({ op, space }) => op === "st" && space !== "local");
  const found = new Map<number, number>();
  for (const store of stores) {
    const address = addressOf(program, store);
    const sources = new Set<Reg>(store.src.slice(1).flatMap((each) => (each.kind === "reg" ? [each.reg] : [])));
    if (store.guard !== null) sources.add(store.guard.reg);
    // A branch over the store decides on it, too, and so does a return before it.
    for (const { op, guard, pc, target = 0 } of instructions) {
      const over = op === "exit" || (op === "bra" && target > store.pc);
      if (over && guard !== null && pc < store.pc) sources.add(guard.reg);
    }
    for (let pc = store.pc - 1; pc >= 0; pc--) {
      const each = instructions[pc]!;
      if (each.op === "bar") break;
      if (!each.dst.some((reg) => sources.has(reg))) continue;
      if (each.op === "ld" && each.space === store.space && addressOf(program, each) === address) {
        found.set(pc, store.pc);
        found.set(store.pc, store.pc);
      } else if (each.op !== "ld") for (const reg of reads(each)) sources.add(reg);
    }
  }
  return found;
}
