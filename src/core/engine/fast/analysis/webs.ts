/**
 * Webs: a register split by data flow. Definitions that reach a common use belong to one web (Muchnick, "Advanced
 * Compiler Design", 16.3); each web then has one shape and one place. The analysis follows lanes, not warps: a lane takes one
 * path through the program. A guarded definition passes on the old value where the guard is false. A use under
 * the same guard as a definition sees that definition alone (a predicated body's temporaries).
 */
import type { Program, Reg, Region, RegisterType } from "../../../lower/program.js";

export interface Web {
  readonly id: number;
  readonly reg: Reg;
  readonly type: RegisterType;
  /** pcs that define it, ascending. */
  readonly defs: readonly number[];
  /** pcs that read it as a source or as a guard, ascending. */
  readonly uses: readonly number[];
  /** Some use may see the register before any definition: 0. */
  readonly readsInitial: boolean;
}

export interface WebTable {
  readonly webs: readonly Web[];
  /** By pc: the web of each destination. */
  readonly dst: readonly (readonly Web[])[];
  /** By pc: the web of each source that is a register, else null. */
  readonly src: readonly (readonly (Web | null)[])[];
  /** By pc: the web of the guard (of the condition, for branches), else null. */
  readonly guard: readonly (Web | null)[];
}

type Reaching = readonly number[];

interface State {
  /** By register: definitions that may have been the last. */
  readonly base: Reaching[];
  /** By guard: for lanes where it holds, where that is known better than `base`. */
  readonly under: Map<string, Map<Reg, Reaching>>;
  /** By register: the maps of `under` that know it, so that a definition does not ask all of them. */
  readonly knownIn: Map<Reg, Set<Map<Reg, Reaching>>>;
}

/** Nothing is known under guards. */
function stateOf(base: Reaching[]): State {
  return { base, under: new Map(), knownIn: new Map() };
}

interface LoopExits {
  readonly breaks: (State | null)[];
  readonly continues: (State | null)[];
}

function union(a: Reaching, b: Reaching): Reaching {
  if (a === b) return a;
  const missing = b.filter((id) => !a.includes(id));
  return missing.length === 0 ? a : [...a, ...missing].sort((x, y) => x - y);
}

function merge(a: State | null, b: State | null): State | null {
  if (a === null) return b;
  if (b === null) return a;
  return stateOf(a.base.map((set, reg) => union(set, b.base[reg]!)));
}

/** A copy to be changed, without what is known under guards. */
function fork(state: State | null): State | null {
  return state === null ? null : stateOf([...state.base]);
}

function same(a: State | null, b: State | null): boolean {
  if (a === null || b === null) return a === b;
  return a.base.every((set, reg) => set.length === b.base[reg]!.length);
}

function mapUnder({ under }: State, guard: string): Map<Reg, Reaching> {
  const known = under.get(guard) ?? new Map<Reg, Reaching>();
  under.set(guard, known);
  return known;
}

export function findWebs(program: Program): WebTable {
  return new WebFinder(program).find();
}

class WebFinder {
  /** Definition ids: one a destination, then the initial value of each register. */
  private readonly definitionOf: number[][] = [];
  private readonly definitions: { readonly pc: number; readonly reg: Reg }[] = [];
  private readonly parent: number[] = [];
  /** One representative definition for each use; -2 before it is known. */
  private readonly useOf: number[][] = [];
  private readonly guardOf: number[] = [];
  private readonly loops = new Map<number, LoopExits>();

  constructor(private readonly program: Program) {
    for (const { pc, dst, src } of program.instructions) {
      this.definitionOf.push(
        dst.map((reg) => {
          this.definitions.push({ pc, reg });
          return this.definitions.length - 1;
        }),
      );
      this.useOf.push(src.map(() => -2));
      this.guardOf.push(-2);
    }
    program.registers.forEach((_, reg) => {
      this.definitions.push({ pc: -1, reg });
    });
    this.definitions.forEach((_, id) => {
      this.parent.push(id);
    });
  }

  private initial(reg: Reg): number {
    return this.definitions.length - this.program.registers.length + reg;
  }

  private root(id: number): number {
    let at = id;
    while (this.parent[at] !== at) {
      this.parent[at] = this.parent[this.parent[at]!]!;
      at = this.parent[at]!;
    }
    return at;
  }

  private use(reaching: Reaching): number {
    const first = reaching[0]!;
    for (const id of reaching) this.parent[this.root(id)] = this.root(first);
    return first;
  }

  find(): WebTable {
    const base = this.program.registers.map((_, reg): Reaching => [this.initial(reg)]);
    this.region(this.program.body, stateOf(base));
    return this.table();
  }

  private region(region: Region, entry: State | null): State | null {
    let state = entry;
    for (const node of region) {
      switch (node.kind) {
        case "run":
          if (state !== null) for (let i = 0; i < node.count; i++) this.step(node.first + i, state);
          break;
        case "if": {
          if (state !== null) this.readGuard(node.branch, state);
          const then = this.region(node.then, fork(state));
          const other = this.region(node.else, fork(state));
          state = fork(merge(then, other));
          break;
        }
        case "loop":
          state = this.loop(node, state);
          break;
        default: {
          if (state !== null) this.readGuard(node.pc, state);
          const exits = this.loops.get(node.loop);
          if (node.kind === "break") exits?.breaks.push(fork(state));
          else if (node.kind === "continue") exits?.continues.push(fork(state));
          if (node.condition === null) state = null;
        }
      }
    }
    return state;
  }

  private loop(node: Extract<Region[number], { kind: "loop" }>, entry: State | null): State | null {
    let head = fork(entry);
    for (;;) {
      const exits: LoopExits = { breaks: [], continues: [] };
      this.loops.set(node.id, exits);
      let state = this.region(node.body, fork(head));
      for (const early of exits.continues) state = merge(state, early);
      state = this.region(node.latch, fork(state));
      if (state !== null) this.readGuard(node.backBranch, state);
      const next = merge(head, fork(state));
      let after = node.condition === null ? null : fork(state);
      for (const early of exits.breaks) after = merge(after, early);
      if (same(next, head)) return fork(after);
      head = next;
    }
  }

  private readGuard(pc: number, state: State): void {
    const guard = this.program.instructions[pc]!.guard;
    if (guard !== null) this.guardOf[pc] = this.use(state.base[guard.reg]!);
  }

  private step(pc: number, state: State): void {
    const { guard, src, dst } = this.program.instructions[pc]!;
    this.readGuard(pc, state);
    const key = guard === null ? null : `${guard.reg}:${guard.negate}`;
    const known = key === null ? undefined : state.under.get(key);
    src.forEach((operand, index) => {
      if (operand.kind === "reg") {
        this.useOf[pc]![index] = this.use(known?.get(operand.reg) ?? state.base[operand.reg]!);
      }
    });
    dst.forEach((reg, index) => {
      const id = this.definitionOf[pc]![index]!;
      const before = state.base[reg]!;
      // Facts known under this register as a guard hold no more.
      state.under.delete(`${reg}:true`);
      state.under.delete(`${reg}:false`);
      const knowing = state.knownIn.get(reg);
      if (guard === null) {
        state.base[reg] = [id];
        for (const map of knowing ?? []) map.delete(reg);
        state.knownIn.delete(reg);
        return;
      }
      state.base[reg] = union(before, [id]);
      const own = mapUnder(state, `${guard.reg}:${guard.negate}`);
      const opposite = mapUnder(state, `${guard.reg}:${!guard.negate}`);
      // A map that does not know the register stands for `base`, here as later.
      for (const map of knowing ?? []) {
        if (map !== own && map !== opposite) map.set(reg, union(map.get(reg)!, [id]));
      }
      own.set(reg, [id]);
      if (!opposite.has(reg)) opposite.set(reg, before);
      state.knownIn.set(reg, (knowing ?? new Set()).add(own).add(opposite));
    });
  }

  private table(): WebTable {
    const { instructions, registers } = this.program;
    const byRoot = new Map<number, { id: number; reg: Reg; defs: number[]; uses: number[]; initial: boolean }>();
    const webOf = (definition: number): number => {
      const root = this.root(definition);
      let web = byRoot.get(root);
      if (web === undefined) {
        web = { id: byRoot.size, reg: this.definitions[definition]!.reg, defs: [], uses: [], initial: false };
        byRoot.set(root, web);
      }
      return root;
    };
    const dstRoot = this.definitionOf.map((ids) => ids.map(webOf));
    const srcRoot = this.useOf.map((ids) => ids.map((id) => (id === -2 ? -1 : webOf(id))));
    const guardRoot = this.guardOf.map((id) => (id === -2 ? -1 : webOf(id)));
    // A register operand in code that no lane reaches has no definition: it reads the initial value.
    instructions.forEach(({ src, guard }, pc) => {
      src.forEach((operand, i) => {
        if (operand.kind === "reg" && srcRoot[pc]![i] === -1) srcRoot[pc]![i] = webOf(this.initial(operand.reg));
      });
      if (guard !== null && guardRoot[pc] === -1) guardRoot[pc] = webOf(this.initial(guard.reg));
    });
    instructions.forEach((_, pc) => {
      for (const root of dstRoot[pc]!) byRoot.get(root)!.defs.push(pc);
      for (const root of srcRoot[pc]!) if (root >= 0) byRoot.get(root)!.uses.push(pc);
      if (guardRoot[pc]! >= 0) byRoot.get(guardRoot[pc]!)!.uses.push(pc);
    });
    registers.forEach((_, reg) => {
      const web = byRoot.get(this.root(this.initial(reg)));
      if (web !== undefined) web.initial = true;
    });
    const webs = new Map<number, Web>();
    for (const [root, { id, reg, defs, uses, initial }] of byRoot) {
      webs.set(root, { id, reg, type: registers[reg]!.type, defs, uses, readsInitial: initial });
    }
    return {
      webs: [...webs.values()],
      dst: dstRoot.map((roots) => roots.map((root) => webs.get(root)!)),
      src: srcRoot.map((roots) => roots.map((root) => (root < 0 ? null : webs.get(root)!))),
      guard: guardRoot.map((root) => (root < 0 ? null : webs.get(root)!)),
    };
  }
}
