/** Writes the corpus to a file. A mutant's process loads it instead of compiling text. */
import { readFileSync, writeFileSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import { readCuda } from "../../../src/core/frontend/cuda/read-cuda.js";
import type { KernelIr } from "../../../src/core/ir/ir.js";
import { lower } from "../../../src/core/lower/lower.js";
import type { LoweringOptions } from "../../../src/core/lower/program.js";
import { everyKernel } from "../../kernels/index.js";
import { capabilitiesFrom, RICHER } from "../agreement.js";
import { capabilityOf } from "../capabilities.js";
import { generateKernel } from "../generate.js";
import { checkedIr } from "../run-case.js";
import type { KernelTree } from "../tree.js";
import { type Corpus, type CorpusKernel, type Place, programHash } from "./corpus.js";
import { Reach } from "./reach.js";

function hashOf(ir: KernelIr, options: LoweringOptions): string | null {
  try {
    return programHash(lower(ir, options));
  } catch (error) {
    if (error instanceof Error && error.name === "CompileError") return null;
    throw error;
  }
}

/** The kernels of the count tests and of the course: their code is compared. */
function codeKernels(): readonly KernelIr[] {
  const cuda = ["h200/kernels/probes.cu", "instruction-counts/2/patterns.cu", "instruction-counts/functions-code.cu"];
  const read = cuda.flatMap((file) => [...readCuda(readFileSync(`test/reference/${file}`, "utf8")).values()]);
  return [...read, ...everyKernel().map((kernel) => kernel.ir)];
}

/** For a random kernel: two GPUs that have what it uses, in turn, and a debug build. */
function optionsFor(tree: KernelTree, index: number): readonly LoweringOptions[] {
  const capabilities = capabilitiesFrom(leastOf(index));
  const contractFma = false;
  const pick = (at: number): LoweringOptions["computeCapability"] =>
    capabilities[at % capabilities.length] ?? capabilityOf("9.0");
  return [
    { computeCapability: pick(tree.seed), contractFma },
    { computeCapability: pick(tree.seed + 1 + (tree.seed % 3)), contractFma },
    { computeCapability: pick(tree.seed), contractFma, debug: true },
  ];
}

function leastOf(index: number): LoweringOptions["computeCapability"] {
  return RICHER[index % RICHER.length] ?? capabilityOf("9.0");
}

function corpusOf({ kernels, firstSeed, code, places }: CorpusTask): Corpus {
  const reach = new Reach(places);
  const reaching = new Map<Place, number[]>(places.map((place) => [place, []]));
  const all: Uint8Array[] = [];
  const add = (name: string, made: KernelIr, tree: KernelTree | null, options: readonly LoweringOptions[]): void => {
    // A mutant's process reads it from the file, without what two parts of it share.
    const ir = deserialize(serialize(made)) as KernelIr;
    reach.taken();
    const compilations = options.map((each) => ({ options: each, hash: hashOf(ir, each) }));
    for (const place of reach.taken()) reaching.get(place)?.push(all.length);
    all.push(serialize({ name, ir, tree, compilations } satisfies CorpusKernel));
  };
  for (let index = 0; index < kernels; index++) {
    const seed = firstSeed + index;
    const tree = generateKernel(seed, { defined: true, capability: leastOf(index), small: index % 4 !== 3 });
    add(`seed ${seed}`, checkedIr(tree), tree, optionsFor(tree, index));
  }
  (code ? codeKernels() : []).forEach((ir, index) => {
    const other = capabilityOf(index % 2 === 0 ? "7.0" : "3.5");
    add(ir.name, ir, null, [
      { computeCapability: capabilityOf("9.0"), contractFma: true },
      { computeCapability: other, contractFma: true },
    ]);
  });
  return { kernels: all, random: kernels, reaching };
}

/** What the parent process asks for. */
export interface CorpusTask {
  readonly file: string;
  /** How many random kernels, from which seed on. */
  readonly kernels: number;
  readonly firstSeed: number;
  /** The kernels of the count tests and the course, too. */
  readonly code: boolean;
  readonly places: readonly Place[];
}

/** Argument: a file with the task as JSON. */
export function main([task = ""]: readonly string[]): void {
  const asked = JSON.parse(readFileSync(task, "utf8")) as CorpusTask;
  writeFileSync(asked.file, serialize(corpusOf(asked)));
}
