/**
 * Makes the random kernels' programs for a GPU and the record of what it left in memory; README.md says how. A tool, run
 * by `node test/run.mjs test/random/gpu/make.ts`.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { referenceEngine } from "../../../src/core/engine/reference/index.js";
import { generateKernel } from "../generate.js";
import { compileSource, type KernelSource, sourceOf } from "../print.js";
import { checkedProgram, memoryDifference, memoryHash, runProgram } from "../run-case.js";
import { batchText, memoryFrom } from "./batch.js";
import { inputsHash, parsedKernels, type RecordedRun, storedText, writeKernels, writeRecord } from "./record.js";

/** Writes the kernels and the programs that run them. */
function writePrograms(folder: string): void {
  const made = (count: number, options: Parameters<typeof generateKernel>[1]): KernelSource[] =>
    Array.from({ length: count }, (_, index) => sourceOf(generateKernel(index + 1, options)));
  const kernels = { defined: made(640, { defined: true }), wild: made(320, { defined: false, approximate: false }) };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "kernels.json"), storedText(kernels));
  writeFileSync(join(folder, "defined.cu"), batchText(kernels.defined));
  writeFileSync(join(folder, "wild.cu"), batchText(kernels.wild));
  console.log(`Wrote kernels.json, defined.cu and wild.cu into ${folder}`);
}

/** The record keeps every kernel's agreement, and the texts and hashes of as many as a repository may hold. */
const KEPT = { defined: 72, wild: 36 };

function recorded(
  folder: string,
  file: string,
  kernels: readonly KernelSource[],
  kept: readonly KernelSource[],
  contractFma: boolean,
): RecordedRun {
  const bytes = readFileSync(join(folder, file));
  const memory: Record<string, string> = {};
  let from = 0;
  let agree = 0;
  const differ: string[] = [];
  for (const kernel of kernels) {
    const gpu = memoryFrom(bytes, from, kernel);
    from = gpu.next;
    if (kept.includes(kernel)) memory[kernel.name] = memoryHash(kernel, gpu.memory);
    const ours = runProgram(kernel, checkedProgram(compileSource(kernel), { contractFma }), referenceEngine);
    const difference = memoryDifference(kernel, { ...ours.memory, ...gpu.memory }, ours.memory, false);
    if (difference === null) agree++;
    else {
      differ.push(kernel.name);
      console.log(`${file}, ${kernel.name}: GPU ${difference} engine`);
    }
  }
  if (from !== bytes.length) throw new Error(`${file} has ${bytes.length} bytes, not ${from}`);
  console.log(`${file}: ${agree} of ${kernels.length} kernels agree`);
  return { contractFma, tried: kernels.length, agreed: agree, differ, memory };
}

/** Writes the record of the memory that a GPU left. */
function writeMemory(folder: string): void {
  const kernels = parsedKernels(readFileSync(join(folder, "kernels.json"), "utf8"));
  const kept = { defined: kernels.defined.slice(0, KEPT.defined), wild: kernels.wild.slice(0, KEPT.wild) };
  writeKernels(kept);
  const described = JSON.parse(readFileSync(join(folder, "gpu.json"), "utf8")) as Record<string, string>;
  writeRecord({
    device: described.device ?? "",
    compiler: described.compiler ?? "",
    date: described.date ?? "",
    inputs: inputsHash(),
    runs: {
      defined: recorded(folder, "defined.bin", kernels.defined, kept.defined, false),
      definedContracted: recorded(folder, "defined-contracted.bin", kernels.defined, kept.defined, true),
      wild: recorded(folder, "wild.bin", kernels.wild, kept.wild, false),
    },
  });
}

export function main([what, folder]: readonly string[]): void {
  if (folder !== undefined && what === "programs") writePrograms(folder);
  else if (folder !== undefined && what === "record") writeMemory(folder);
  else throw new Error("node test/run.mjs test/random/gpu/make.ts programs|record FOLDER");
}
