/** A copy of the compiled package in which one module at a time is changed, and the tools of the mutation beside it. */
import { fork } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { SourceMap } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { build } from "esbuild";
import type { Place } from "./corpus.js";
import type { CorpusTask } from "./make-corpus.js";
import { type Mutant, mutantsOf, mutated } from "./mutate.js";
import type { Verdict } from "./trial.js";

/** The folders that are changed, in src/core/lower. */
export const FOLDERS = ["ssa", "nvvm", "ptxas", "emit"] as const;

/** Without what only tests call. */
const KEPT = /verify-ssa|verify-types/;

export interface PlacedMutant {
  /** In src/core/lower, as "emit/emit.ts:42". */
  readonly place: string;
  readonly folder: string;
  readonly change: string;
  readonly module: string;
  readonly mutant: Mutant;
}

/** A mutant's fate. "time": a kernel took too long. "memory": the process ended without a verdict. */
export type Fate = Omit<Verdict, "killed"> & { readonly killed: Verdict["killed"] | "time" | "memory" };

const SILENT_MILLISECONDS = 30_000;
const MEGABYTES = 768;

/** Where the change is. */
function placeOf({ module, mutant }: PlacedMutant): Place {
  return `${module}:${mutant.start}`;
}

export class MutatedCompiler {
  private readonly root: string;
  private readonly folder: string;
  private readonly originals = new Map<string, string>();

  constructor(root: string) {
    this.root = root;
    mkdirSync(join(root, ".cache"), { recursive: true });
    this.folder = mkdtempSync(join(root, ".cache/mutants-"));
  }

  private get dist(): string {
    return join(this.folder, "dist");
  }

  /** Copies the package, and bundles the tools that run on the copy. */
  async prepare(): Promise<void> {
    const dist = realpathSync(join(this.root, "src/dist"));
    cpSync(dist, this.dist, { recursive: true, filter: (file) => !/\.(map|d\.ts)$/.test(file) });
    const src = join(this.root, "src");
    const tools = ["make-corpus", "trial"].map((name) => join(this.root, `test/random/mutation/${name}.ts`));
    await build({
      entryPoints: tools,
      outdir: this.folder,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      platform: "node",
      format: "esm",
      logLevel: "error",
      footer: { js: "await main(process.argv.slice(2));" },
      plugins: [
        {
          name: "mutated-package",
          setup: ({ onResolve }) => {
            onResolve({ filter: /^\./ }, ({ path, importer }) => {
              const module = relative(src, resolve(dirname(importer), path));
              return module.startsWith("..") ? undefined : { path: `./dist/${module}`, external: true };
            });
          },
        },
      ],
    });
  }

  /** All mutants, in the order of the modules' names. */
  mutants(): readonly PlacedMutant[] {
    const modules = FOLDERS.flatMap((folder) =>
      readdirSync(join(this.dist, "core/lower", folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".js") && !KEPT.test(name))
        .sort()
        .map((name) => ({ folder, module: join("core/lower", folder, name) })),
    );
    return modules.flatMap(({ folder, module }) => {
      const text = this.text(module);
      const map = JSON.parse(readFileSync(join(this.root, "src/dist", `${module}.map`), "utf8"));
      const source = new SourceMap(map);
      return mutantsOf(text).map((mutant) => {
        const before = text.slice(0, mutant.start).split("\n");
        const entry = source.findEntry(before.length - 1, before.at(-1)!.length);
        const line = "originalLine" in entry ? entry.originalLine + 1 : 0;
        const short = (part: string): string => part.replace(/\s+/g, " ").slice(0, 70);
        const place = `${module.slice("core/lower/".length).replace(/js$/, "ts")}:${line}`;
        return {
          place,
          folder,
          change: `${short(text.slice(mutant.start, mutant.end))} -> ${short(mutant.text)}`,
          module,
          mutant,
        };
      });
    });
  }

  text(module: string): string {
    const known = this.originals.get(module) ?? readFileSync(join(this.dist, module), "utf8");
    this.originals.set(module, known);
    return known;
  }

  /** Writes the corpus of the compiler without a change, and which of its kernels reach each mutant. */
  async corpus(asked: Omit<CorpusTask, "file" | "places">, mutants: readonly PlacedMutant[] = []): Promise<void> {
    const task: CorpusTask = { ...asked, file: this.corpusFile, places: [...new Set(mutants.map(placeOf))] };
    const file = join(this.folder, "task.json");
    writeFileSync(file, JSON.stringify(task));
    const child = fork(join(this.folder, "make-corpus.mjs"), [file], { cwd: this.root });
    const code = await new Promise((done) => child.once("exit", done));
    if (code !== 0) throw new Error(`The corpus was not made: its process ended with ${code}.`);
  }

  private get corpusFile(): string {
    return join(this.folder, "corpus");
  }

  /** Runs the kernels that reach a place, or the whole corpus, on the compiler with a module's text changed. */
  async fateOf(module: string, text: string, seconds: number, place: Place | null = null): Promise<Fate> {
    const file = join(this.dist, module);
    const original = this.text(module);
    writeFileSync(file, text);
    try {
      return await this.trial(seconds, place);
    } finally {
      writeFileSync(file, original);
    }
  }

  fate(placed: PlacedMutant, seconds: number): Promise<Fate> {
    const { module, mutant } = placed;
    return this.fateOf(module, mutated(this.text(module), mutant), seconds, placeOf(placed));
  }

  private trial(seconds: number, place: Place | null): Promise<Fate> {
    const child = fork(join(this.folder, "trial.mjs"), [this.corpusFile, `${seconds}`, place ?? ""], {
      cwd: this.root,
      execArgv: [`--max-old-space-size=${MEGABYTES}`],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    let errors = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      errors = (errors + text).slice(-2000);
    });
    const nothing = { code: null, randomCode: null, kernels: 0 };
    return new Promise((done) => {
      let fate: Fate | null = null;
      const end = (): void => {
        fate = { killed: "time", why: "no answer", ...nothing };
        child.kill("SIGKILL");
      };
      let timer = setTimeout(end, SILENT_MILLISECONDS);
      child.on("message", (message: "alive" | Verdict) => {
        clearTimeout(timer);
        if (message === "alive") timer = setTimeout(end, SILENT_MILLISECONDS);
        else fate = message;
      });
      child.once("close", () => {
        clearTimeout(timer);
        const why = errors.split("\n").find((line) => /Error|FATAL/.test(line)) ?? "the process ended";
        done(fate ?? { killed: /heap/.test(errors) ? "memory" : "unsound", why, ...nothing });
      });
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
