/** Reads an exercise's data: every field is there, of its type, and possible. */
import { InputError } from "../../base/errors.js";
import { type Op, WARP_PRIMITIVES } from "../../lower/program.js";
import type { CheckSpec, DrawRange, ExerciseSpec, Limit } from "./spec.js";

/** Operations that a check may name, besides those of warps. */
const NAMED_OPS: ReadonlySet<string> = new Set<Op>(["ld", "st", "atom", "bar", "fence", "gridsync", "launch"]);
const MOST_THREADS = 1024;

type Fields = Readonly<Record<string, unknown>>;

/** A value of the file, with the way to it for an error. */
class Field {
  constructor(
    private readonly file: string,
    private readonly path: string,
    private readonly value: unknown,
  ) {}

  refuse(cure: string): never {
    const shown = this.value === undefined ? "missing" : JSON.stringify(this.value);
    throw new InputError({ what: `${this.file}: ${this.path} is ${shown}.`, cure });
  }

  get object(): Fields {
    if (typeof this.value !== "object" || this.value === null || Array.isArray(this.value))
      this.refuse("Give an object.");
    return this.value as Fields;
  }

  at(name: string): Field {
    return new Field(this.file, this.path === "" ? name : `${this.path}.${name}`, this.object[name]);
  }

  /** Null is absent, too: a specification that was read is sound data itself. */
  has(name: string): boolean {
    return (this.object[name] ?? null) !== null;
  }

  /** Refuses fields that nothing reads. */
  only(names: readonly string[]): this {
    for (const name of Object.keys(this.object)) {
      if (!names.includes(name)) this.at(name).refuse(`Leave it out: known are ${names.join(", ")}.`);
    }
    return this;
  }

  text(): string {
    return typeof this.value === "string" && this.value !== "" ? this.value : this.refuse("Give a text.");
  }

  oneOf<T extends string>(known: readonly T[]): T {
    const found = known.find((each) => each === this.value);
    return found ?? this.refuse(`Give one of ${known.join(", ")}.`);
  }

  flag(): boolean {
    return typeof this.value === "boolean" ? this.value : this.refuse("Give true or false.");
  }

  number(least: number, most: number = Number.MAX_SAFE_INTEGER): number {
    const { value } = this;
    if (typeof value === "number" && value >= least && value <= most) return value;
    return this.refuse(`Give a number from ${least} on${most === Number.MAX_SAFE_INTEGER ? "" : `, up to ${most}`}.`);
  }

  whole(least: number, most?: number): number {
    const value = this.number(least, most);
    return Number.isInteger(value) ? value : this.refuse("Give a whole number.");
  }

  list<T>(read: (field: Field) => T): readonly T[] {
    const { value } = this;
    if (!Array.isArray(value)) return this.refuse("Give a list.");
    return value.map((each, index) => read(new Field(this.file, `${this.path}[${index}]`, each)));
  }

  range(least: number, most?: number): DrawRange {
    this.only(["least", "most", "powersOfTwo"]);
    const range = { least: this.at("least").whole(least, most), most: this.at("most").whole(least, most) };
    if (range.least > range.most) this.refuse("Let least be no more than most.");
    return this.has("powersOfTwo") ? { ...range, powersOfTwo: this.at("powersOfTwo").flag() } : range;
  }

  limit(): Limit {
    if (typeof this.value === "number") return this.number(0);
    this.only(["per", "times", "plus"]);
    return {
      per: this.at("per").oneOf(["warp", "halving"]),
      times: this.at("times").number(0),
      plus: this.at("plus").number(-MOST_THREADS, MOST_THREADS),
    };
  }

  op(): Op {
    const name = this.text();
    if (NAMED_OPS.has(name) || WARP_PRIMITIVES.has(name as Op)) return name as Op;
    return this.refuse(`Name one of ${[...NAMED_OPS, ...WARP_PRIMITIVES].join(", ")}.`);
  }
}

const KINDS: readonly CheckSpec["kind"][] = [
  "result",
  "hazards",
  "additions",
  "order",
  "loads",
  "primitives",
  "conflict-degree",
  "barriers",
  "instructions-per-warp",
  "shared-requests",
  "sectors-per-request",
  "speed-up",
  "divergent-branches",
];

function check(field: Field): CheckSpec {
  const kind = field.at("kind").oneOf(KINDS);
  const points = field.at("points").number(0);
  const known = (...names: string[]): Field => field.only(["kind", "points", ...names]);
  switch (kind) {
    case "result":
    case "hazards":
    case "order":
    case "loads":
      known();
      return { kind, points };
    case "additions":
      known("perThread", "warpShare");
      return { kind, points, perThread: field.at("perThread").limit(), warpShare: field.at("warpShare").number(0, 1) };
    case "primitives":
      known("executed", "none");
      return {
        kind,
        points,
        executed: field.at("executed").list((each) => {
          each.only(["ops", "least"]);
          return { ops: each.at("ops").list((op) => op.op()), least: each.at("least").whole(1) };
        }),
        none: field.at("none").list((op) => op.op()),
      };
    case "speed-up":
      known("over", "least");
      return { kind, points, over: field.at("over").text(), least: field.at("least").number(0) };
    default:
      known("most");
      return { kind, points, most: field.at("most").limit() };
  }
}

function named(field: Field, least: number, most?: number): readonly number[] {
  return field.list((each) => each.whole(least, most));
}

/** @throws InputError naming the file and the field that is missing, unknown or impossible. */
export function validExercise(file: string, data: unknown): ExerciseSpec {
  const root = new Field(file, "", data).only([
    "id",
    "title",
    "task",
    "guarded",
    "elementsPerThread",
    "blockConstant",
    "mostBlocks",
    "paddingEvery",
    "sums",
    "devices",
    "blocks",
    "sizes",
    "drawn",
    "schedules",
    "measured",
    "checks",
  ]);
  const blocks = root.at("blocks").only(["named", "drawn"]);
  const sizes = root.at("sizes").only(["named", "drawn"]);
  const measured = root.at("measured").only(["n", "block"]);
  const checks = root.at("checks").list(check);
  if (checks[0]?.kind !== "result") root.at("checks").refuse("Let the first check be the result: the others need it.");
  const devices = root.at("devices").list((each) => each.list((id) => id.text()));
  if (devices.length === 0 || devices.some((ids) => ids.length === 0)) {
    root.at("devices").refuse("Give a list of one or more GPUs, each a list of ids.");
  }
  return {
    id: root.at("id").text(),
    title: root.at("title").text(),
    task: root.at("task").text(),
    guarded: root.at("guarded").flag(),
    elementsPerThread: root.at("elementsPerThread").whole(1),
    blockConstant: root.has("blockConstant") ? root.at("blockConstant").text() : null,
    mostBlocks: root.has("mostBlocks") ? root.at("mostBlocks").whole(1) : null,
    paddingEvery: root.at("paddingEvery").whole(0),
    sums: root.at("sums").oneOf(["block", "total"]),
    devices,
    blocks: {
      named: named(blocks.at("named"), 1, MOST_THREADS),
      drawn: blocks.at("drawn").range(1, MOST_THREADS),
    },
    sizes: { named: named(sizes.at("named"), 1), drawn: sizes.at("drawn").range(1) },
    drawn: root.at("drawn").whole(1),
    schedules: root.at("schedules").whole(1),
    measured: { n: measured.at("n").range(1), block: measured.at("block").range(1, MOST_THREADS) },
    checks,
  };
}
