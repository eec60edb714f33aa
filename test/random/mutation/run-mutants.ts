/** The work of `npm run mutants`: draws mutants of the compiler, tries each, and tells what became of them. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Choices } from "../prng.js";
import { type Fate, FOLDERS, MutatedCompiler, type PlacedMutant } from "./mutated-compiler.js";

export interface MutationTask {
  readonly root: string;
  readonly seed: number;
  readonly mutants: number;
  readonly seconds: number;
  readonly kernels: number;
  readonly out: string;
}

interface Tried {
  readonly mutant: PlacedMutant;
  readonly fate: Fate;
}

type Column = "value" | "unsound" | "time" | "memory" | "code" | "random code" | "equivalent" | "survived";

const COLUMNS: readonly Column[] = [
  "value",
  "unsound",
  "time",
  "memory",
  "code",
  "random code",
  "equivalent",
  "survived",
];
const KILLS: ReadonlySet<Column> = new Set<Column>(["value", "unsound", "time", "memory", "code"]);

/** `count` of `all`, without one twice. */
function drawn<T>(all: readonly T[], count: number, seed: number): readonly T[] {
  const choices = new Choices(seed);
  const left = [...all];
  return Array.from({ length: Math.min(count, all.length) }, () => left.splice(choices.below(left.length), 1)[0]!);
}

function columnOf({ mutant, fate }: Tried, equivalents: ReadonlySet<string>): Column {
  if (fate.killed !== null) return fate.killed;
  if (fate.code !== null) return "code";
  if (equivalents.has(keyOf(mutant))) return "equivalent";
  return fate.randomCode === null ? "survived" : "random code";
}

/** Without the line, which other changes move. */
function keyOf({ place, change }: PlacedMutant): string {
  return `${place.replace(/:\d+$/, "")} ${change}`;
}

/** The rows of SURVIVORS.md whose reason begins with "Equivalent". */
function equivalentsIn(file: string): ReadonlySet<string> {
  if (!existsSync(file)) return new Set();
  const rows = readFileSync(file, "utf8").matchAll(/^\| `([^`]+):\d+` \| `(.+)` \| Equivalent/gm);
  return new Set([...rows].map(([, place, change]) => `${place} ${change?.replaceAll("\\|", "|")}`));
}

function table(all: readonly (Tried & { readonly column: Column })[]): string {
  const rows = [...FOLDERS, "all"].map((folder) => {
    const own = all.filter(({ mutant }) => folder === "all" || mutant.folder === folder);
    const numbers = COLUMNS.map((column) => own.filter((each) => each.column === column).length);
    const counted = own.filter(({ column }) => column !== "equivalent");
    const killed = counted.filter(({ column }) => KILLS.has(column)).length;
    const share = counted.length === 0 ? "–" : `${((100 * killed) / counted.length).toFixed(1)} %`;
    return `| ${[folder, own.length, ...numbers, share].join(" | ")} |`;
  });
  const head = ["folder", "mutants", ...COLUMNS, "killed"];
  return [`| ${head.join(" | ")} |`, `|${head.map(() => "---|").join("")}`, ...rows].join("\n");
}

function rowOf({ mutant, fate }: Tried): string {
  const reach = fate.randomCode === null ? `no code of ${fate.kernels} kernels` : `only code: ${fate.randomCode}`;
  return `| \`${mutant.place}\` | \`${mutant.change.replaceAll("|", "\\|")}\` | ${reach} |`;
}

export async function runMutants(task: MutationTask, say: (text: string) => void): Promise<void> {
  const compiler = new MutatedCompiler(task.root);
  const stop = (): void => {
    compiler.remove();
    process.exit(1);
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  try {
    await compiler.prepare();
    const possible = compiler.mutants();
    const chosen = drawn(possible, task.mutants, task.seed);
    say(`Seed ${task.seed}: ${task.mutants} of ${possible.length} mutants, ${task.seconds} s for each.`);
    await compiler.corpus({ kernels: task.kernels, firstSeed: 1, code: true }, chosen);
    const equivalents = equivalentsIn(join(task.root, "test/random/mutation/SURVIVORS.md"));
    const all: (Tried & { readonly column: Column })[] = [];
    for (const mutant of chosen) {
      const fate = await compiler.fate(mutant, task.seconds);
      const column = columnOf({ mutant, fate }, equivalents);
      all.push({ mutant, fate, column });
      say(
        `${all.length} ${column} (${fate.kernels} kernels): ${mutant.place} ${mutant.change}${fate.why === null ? "" : `: ${fate.why}`}`,
      );
      const survivors = all.filter((each) => !KILLS.has(each.column) && each.column !== "equivalent");
      const text = `${table(all)}\n\n| place | change | seen in |\n|---|---|---|\n${survivors.map(rowOf).join("\n")}\n`;
      writeFileSync(task.out, text);
    }
    say(table(all));
    say(`Survivors: ${task.out}`);
  } finally {
    compiler.remove();
  }
}

/** Asked for as JSON in the first argument. */
export async function main([json]: readonly string[]): Promise<void> {
  await runMutants(JSON.parse(json ?? "{}") as MutationTask, (text) => console.log(text));
}
