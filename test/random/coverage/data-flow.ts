/**
 * Which shapes of data flow through loops a kernel has: a forward analysis of definitions and uses over its tree. It
 * knows nothing of the generator's rules. A read counts for a shape where all its definitions in the loop have that age.
 */
import { type Expr, type KernelTree, NUMERIC, type Stmt, type Target, type Type } from "../tree.js";
import { columnOf, type Loop, type LoopColumn } from "./loop-form.js";
import {
  BEHIND_BREAK,
  BEHIND_END,
  BY_COPY,
  BY_LIST,
  type Copy,
  INSIDE,
  join,
  type Known,
  knownOf,
  mapped,
  NOTHING,
  OLDEST,
  type Origin,
  type Reached,
  type State,
  sizeOf,
  THROUGH_CALL,
  THROUGH_IF,
  THROUGH_LOOP,
  THROUGH_SWITCH,
  type Where,
} from "./value-state.js";
import { visit } from "./visit.js";

/** Where a value of a loop is read; `continue`: anywhere behind one that it passed. */
const READS = ["inside", "test", "end", "break", "continue"] as const;
const PASSAGES = [
  ["through if", THROUGH_IF],
  ["through switch", THROUGH_SWITCH],
  ["through loop", THROUGH_LOOP],
  ["through call", THROUGH_CALL],
] as const;

/** Rows of the table. "end 1 back": behind the loop's end, a value of the last iteration but one. */
export const FLOWS: readonly string[] = [
  ...READS.flatMap((read) => [0, 1, 2].map((age) => `${read} ${age} back`)),
  "swap by list",
  "swap by copies",
  "rotate by list",
  "rotate by copy",
  ...PASSAGES.map(([name]) => name),
  "within loop",
  ...[...NUMERIC, "bool"].map((t) => `step ${t}`),
];

/** Calls `hit` for each shape of the kernel, maybe more than once. */
export function dataFlow(
  tree: Pick<KernelTree, "body" | "functions">,
  hit: (flow: string, column: LoopColumn) => void,
): void {
  const analysis = new Analysis(hit);
  for (const { body } of tree.functions) analysis.whole(body);
  analysis.whole(tree.body);
}

type Between = "if" | "switch" | { readonly loop: number; readonly test: boolean };

/** Where jumps lead. */
interface Exits {
  breaks: Reached;
  continues: Reached;
}

class Analysis {
  private readonly ids = new Map<Loop, number>();
  private readonly columns: LoopColumn[] = [];
  /** Names that each loop assigns. */
  private readonly targets: ReadonlySet<string>[] = [];
  /** Counters of loops, which vary by themselves. */
  private readonly counters = new Map<string, number>();
  /** From the outermost statement in. */
  private around: Between[] = [];
  /** While a loop's states are still found, nothing counts. */
  private quiet = 0;

  constructor(private readonly hit: (flow: string, column: LoopColumn) => void) {}

  private count(flow: string, column: LoopColumn): void {
    if (this.quiet === 0) this.hit(flow, column);
  }

  whole(body: readonly Stmt[]): void {
    this.around = [];
    this.counters.clear();
    this.list(body, new Map(), { breaks: null, continues: null });
  }

  private list(body: readonly Stmt[], before: Reached, exits: Exits): Reached {
    let state = before;
    for (const stmt of body) {
      if (state === null) return null;
      state = this.statement(stmt, state, exits);
    }
    return state;
  }

  private statement(s: Stmt, state: State, exits: Exits): Reached {
    switch (s.k) {
      case "let":
        return this.assign(state, [{ name: s.name, t: s.t }], [s.init], BY_COPY);
      case "set":
        if (s.op === "") return this.assign(state, [s], [s.value], BY_COPY);
        return this.assign(state, [s], [{ k: "logical", op: "&&", t: "bool", a: own(s), b: s.value }], BY_COPY);
      case "step":
        return this.assign(state, [s], [{ k: "unary", op: "-", t: s.t, a: own(s) }], BY_COPY);
      case "list":
        return this.assign(state, s.targets, s.values, BY_LIST);
      case "warp":
      case "tile":
      case "blockVote":
        this.read(state, s);
        return new Map(state).set(s.name, this.computed(state, s.k === "blockVote" ? "i32" : s.t, s));
      case "atomic":
        this.read(state, s);
        return s.result === null ? state : new Map(state).set(s.result, this.computed(state, s.t, s));
      case "if":
        this.read(state, s.c);
        return this.between("if", () => join(this.list(s.then, state, exits), this.list(s.else, state, exits)));
      case "switch":
        this.read(state, s.on);
        return this.between("switch", () => this.switch(s, state, exits));
      case "for":
      case "while":
        return this.loop(s, state);
      case "break":
        exits.breaks = join(exits.breaks, state);
        return null;
      case "continue":
        exits.continues = join(exits.continues, state);
        return null;
      case "return":
        if (s.value !== null) this.read(state, s.value);
        return null;
      case "block":
      case "group":
        return this.list(s.body, state, exits);
      default:
        this.read(state, s);
        return state;
    }
  }

  private between(what: Between, run: () => Reached): Reached {
    this.around.push(what);
    const after = run();
    this.around.pop();
    return after;
  }

  private switch(s: Extract<Stmt, { k: "switch" }>, state: State, exits: Exits): Reached {
    const inner: Exits = { breaks: null, continues: exits.continues };
    let open: Reached = null;
    for (const { body, falls } of s.arms) {
      const after = this.list(body, join(state, open), inner);
      open = falls ? after : null;
      if (!falls) inner.breaks = join(inner.breaks, after);
    }
    const last = this.list(s.otherwise, join(state, open), inner);
    exits.continues = inner.continues;
    return join(inner.breaks, last);
  }

  private loop(s: Loop, entry: State): Reached {
    const loop = this.ids.get(s) ?? this.ids.size;
    this.ids.set(s, loop);
    this.columns[loop] = columnOf(s);
    this.targets[loop] ??= targetsIn(s);
    const counter = s.k === "for" ? s.name : s.fuel;
    if (s.k === "for") this.read(entry, s.from);
    this.counters.set(counter, loop);
    this.quiet++;
    let backs: Reached = null;
    for (let size = -2; size !== sizeOf(backs); ) {
      size = sizeOf(backs);
      backs = this.iteration(s, loop, entry, backs).backs;
    }
    this.quiet--;
    const { left } = this.iteration(s, loop, entry, backs);
    this.permutations(backs, loop);
    this.counters.delete(counter);
    return mapped(left, ({ origins, copies }) =>
      knownOf(
        origins.values(),
        [...copies.values()].filter((copy) => copy.loop !== loop),
      ),
    );
  }

  /** One pass over the loop's body, with what comes back to its test so far. */
  private iteration(s: Loop, loop: number, entry: State, backs: Reached): { backs: Reached; left: Reached } {
    const endless = s.k === "while" && s.form === "endless";
    const testFirst = s.k === "for" || s.form !== "do";
    const exits: Exits = { breaks: null, continues: null };
    const tested = testFirst ? join(entry, backs) : backs;
    if (!endless) this.test(s, loop, tested);
    const next = nextIteration(testFirst ? tested : backs, loop);
    const start = mapped(testFirst ? next : join(entry, next), (known, name) => startOf(known, name, loop));
    const end = this.between({ loop, test: false }, () => {
      if (endless && start !== null) {
        this.read(start, s.c);
        exits.breaks = start;
      }
      if (s.k === "for" && start !== null) this.read(start, s.by);
      return this.list(s.body, start, exits);
    });
    const behind = (state: Reached, where: Where): Reached => mapped(state, (known) => changed(known, loop, { where }));
    const around = join(
      end,
      mapped(exits.continues, (known) => changed(known, loop, { continued: true })),
    );
    const left = endless ? null : testFirst ? join(entry, around) : around;
    return { backs: around, left: join(behind(left, BEHIND_END), behind(exits.breaks, BEHIND_BREAK)) };
  }

  private test(s: Loop, loop: number, state: Reached): void {
    if (state === null) return;
    this.around.push({ loop, test: true });
    if (s.k === "while") this.read(state, s.c);
    else {
      this.read(state, s.to);
      if (s.and !== null) this.read(state, s.and);
    }
    this.around.pop();
  }

  private assign(state: State, targets: readonly Target[], values: readonly Expr[], by: number): State {
    const after = new Map(state);
    values.forEach((value, index) => {
      const target = targets[index];
      if (target === undefined) return;
      this.read(state, value);
      const copied = value.k === "var" && !this.counters.has(value.name) ? (state.get(value.name) ?? NOTHING) : null;
      after.set(target.name, copied === null ? this.computed(state, target.t, value) : this.copied(copied, by));
    });
    return after;
  }

  private copied({ origins, copies }: Known, by: number): Known {
    return knownOf(
      [...origins.values()].map((origin) => ({ ...origin, through: origin.through | this.passage(origin.loop) })),
      [...copies.values()].map((copy) => ({ ...copy, by: copy.by | by })),
    );
  }

  /** A new value, in each loop in which what it is computed from varies. */
  private computed(state: State, t: Type, value: Expr | Stmt): Known {
    const sources = variablesOf(value);
    const call = callsWith(value);
    const origins: Origin[] = [];
    for (const place of this.around) {
      if (typeof place === "string" || place.test) continue;
      const { loop } = place;
      const varies = (name: string): boolean => {
        const known = state.get(name) ?? NOTHING;
        // What a variable of the loop has at the start of an iteration varies, also before anything else is known of it.
        const starts = [...known.copies.values()].some((copy) => copy.loop === loop && this.assigned(loop, copy.name));
        return this.counters.get(name) === loop || starts || [...known.origins.values()].some((o) => o.loop === loop);
      };
      const earlier = (name: string): boolean =>
        [...(state.get(name)?.origins.values() ?? [])].some((o) => o.loop === loop && o.where === INSIDE && o.age > 0);
      if (sources.some(earlier)) this.count(`step ${t}`, this.column(loop));
      if (!sources.some(varies)) continue;
      const through = this.passage(loop) | (call.some(varies) ? THROUGH_CALL : 0);
      origins.push({ loop, where: INSIDE, age: 0, continued: false, through });
    }
    return knownOf(origins, []);
  }

  /** What stands between a loop and the statement at hand. */
  private passage(loop: number): number {
    const at = this.around.findIndex((place) => typeof place !== "string" && place.loop === loop);
    if (at < 0) return 0;
    return this.around
      .slice(at + 1)
      .map((place) => (place === "if" ? THROUGH_IF : place === "switch" ? THROUGH_SWITCH : THROUGH_LOOP))
      .reduce((all, one) => all | one, 0);
  }

  private assigned(loop: number, name: string): boolean {
    return this.targets[loop]?.has(name) ?? false;
  }

  private column(loop: number): LoopColumn {
    return this.columns[loop] ?? "run";
  }

  private read(state: State, node: Expr | Stmt): void {
    for (const name of variablesOf(node)) {
      const origins = [...(state.get(name)?.origins.values() ?? [])];
      const loops = new Set(origins.map(({ loop }) => loop));
      for (const loop of loops)
        this.readOf(
          origins.filter((origin) => origin.loop === loop),
          loop,
          origins,
        );
    }
  }

  private readOf(origins: readonly Origin[], loop: number, all: readonly Origin[]): void {
    const column = this.column(loop);
    const test = this.around.some((place) => typeof place !== "string" && place.loop === loop && place.test);
    for (const where of [INSIDE, BEHIND_END, BEHIND_BREAK] as const) {
      for (const continued of [false, true]) {
        const ages = new Set(
          origins.filter((o) => o.where === where && o.continued === continued).map(({ age }) => age),
        );
        const [age] = ages;
        if (age === undefined || ages.size > 1) continue;
        const since = continued && where === INSIDE && !test ? age - 1 : age;
        if (since < 0 || since > 2) continue;
        this.count(`${continued ? "continue" : readName(where, test)} ${since} back`, column);
      }
    }
    const carried = origins.filter(({ where, age }) => where !== INSIDE || test || age > 0);
    for (const [name, bit] of PASSAGES)
      if (carried.some(({ through }) => (through & bit) !== 0)) this.count(name, column);
    if (!carried.some(({ through }) => (through & THROUGH_LOOP) !== 0)) return;
    for (const inner of all)
      if (inner.loop > loop && inner.where !== INSIDE) this.count("within loop", this.column(inner.loop));
  }

  /** Variables that hold each other's values of the start of the iteration at its end. */
  private permutations(backs: Reached, loop: number): void {
    if (backs === null) return;
    const sources = new Map<string, readonly Copy[]>();
    for (const [name, { copies }] of backs) {
      const others = [...copies.values()].filter((copy) => copy.loop === loop && copy.name !== name);
      if (others.length > 0) sources.set(name, others);
    }
    const chain = (name: string, steps: number, by: number): void => {
      const [start] = path;
      for (const copy of sources.get(name) ?? []) {
        if (copy.by !== by) continue;
        if (copy.name === start && steps > 1) {
          this.count(
            `${steps === 2 ? "swap" : "rotate"} by ${by === BY_LIST ? "list" : steps === 2 ? "copies" : "copy"}`,
            this.column(loop),
          );
        } else if (steps < 3 && !path.includes(copy.name)) {
          path.push(copy.name);
          chain(copy.name, steps + 1, by);
          path.pop();
        }
      }
    };
    const path: string[] = [];
    for (const name of sources.keys()) {
      for (const by of [BY_LIST, BY_COPY]) {
        path.splice(0, path.length, name);
        chain(name, 1, by);
      }
    }
  }
}

function readName(where: Where, test: boolean): (typeof READS)[number] {
  if (where === INSIDE) return test ? "test" : "inside";
  return where === BEHIND_END ? "end" : "break";
}

const own = ({ name, t }: Target): Expr => ({ k: "var", t, name });

function nextIteration(state: Reached, loop: number): Reached {
  return mapped(state, ({ origins, copies }) =>
    knownOf(
      [...origins.values()].map((origin) =>
        origin.loop === loop && origin.where === INSIDE ? { ...origin, age: Math.min(origin.age + 1, OLDEST) } : origin,
      ),
      copies.values(),
    ),
  );
}

/** A variable at the start of an iteration is what it is. */
function startOf({ origins, copies }: Known, name: string, loop: number): Known {
  const others = [...copies.values()].filter((copy) => copy.loop !== loop);
  return knownOf(origins.values(), [...others, { loop, name, by: 0 }]);
}

function changed(known: Known, loop: number, change: Partial<Origin>): Known {
  return knownOf(
    [...known.origins.values()].map((origin) =>
      origin.loop === loop && origin.where === INSIDE ? { ...origin, ...change } : origin,
    ),
    known.copies.values(),
  );
}

const variables = new WeakMap<object, readonly string[]>();

/** The variables that stand in an expression, or in the expressions of a statement without nested ones. */
function variablesOf(node: Expr | Stmt): readonly string[] {
  const found = variables.get(node);
  if (found !== undefined) return found;
  const names = new Set<string>();
  visit(node, (expr) => {
    if (expr.k === "var") names.add(expr.name);
  });
  const list = [...names];
  variables.set(node, list);
  return list;
}

/** The variables in the arguments of device functions. */
function callsWith(value: Expr | Stmt): readonly string[] {
  const names: string[] = [];
  visit(value, (expr) => {
    if (expr.k === "device") for (const arg of expr.args) if (typeof arg !== "string") names.push(...variablesOf(arg));
  });
  return names;
}

function targetsIn(loop: Loop): ReadonlySet<string> {
  const names = new Set<string>();
  visit(loop.body, (stmt) => {
    if (stmt.k === "set" || stmt.k === "step") names.add(stmt.name);
    if (stmt.k === "list") for (const { name } of stmt.targets) names.add(name);
  });
  return names;
}
