import { describe, expect, test } from "vitest";
import type { Engine } from "../../../src/core/engine/engine.js";
import { fastEngine } from "../../../src/core/engine/fast/index.js";
import { referenceEngine } from "../../../src/core/engine/reference/index.js";
import type { Program } from "../../../src/core/lower/program.js";
import { compileSource, type KernelSource } from "../print.js";
import { checkedProgram, memoryHash, prepared, runProgram } from "../run-case.js";
import { inputsHash, type RecordedRun, readKernels, readRecord } from "./record.js";

const record = readRecord();
const kernels = readKernels();

/** Both engines run the same program. */
const programs = new Map<string, Program>();

function programOf(source: KernelSource, contractFma: boolean): Program {
  const key = `${source.name} ${contractFma} ${source.text}`;
  const known = programs.get(key) ?? checkedProgram(compileSource(source), { contractFma });
  programs.set(key, known);
  return known;
}

/** Names of the kernels that leave other memory than the H200 left, without those known to. */
function differing(run: RecordedRun, sources: readonly KernelSource[], engine: Engine): readonly string[] {
  return sources
    .filter((source) => {
      const program = programOf(source, run.contractFma);
      if (engine === fastEngine && !fastEngine.supports(prepared(source, program))) return false;
      return memoryHash(source, runProgram(source, program, engine).memory) !== run.memory[source.name];
    })
    .map(({ name }) => name)
    .filter((name) => !run.differ.includes(name));
}

describe("the record of an H200's memory", () => {
  test("was made of the input arrays that the tests make", () => {
    expect(inputsHash()).toBe(record.inputs);
  });

  test("has a hash for every stored kernel", () => {
    const { defined, definedContracted, wild } = record.runs;
    expect(Object.keys(defined.memory)).toEqual(kernels.defined.map(({ name }) => name));
    expect(Object.keys(definedContracted.memory)).toEqual(Object.keys(defined.memory));
    expect(Object.keys(wild.memory)).toEqual(kernels.wild.map(({ name }) => name));
  });

  const engines = [referenceEngine, fastEngine].map((engine): [string, Engine] => [engine.name, engine]);
  test.each(engines)("is what the %s engine leaves, by kernels that C++ defines", (_, engine) => {
    expect(differing(record.runs.defined, kernels.defined, engine)).toEqual([]);
  });
  test.each(engines)("is what the %s engine leaves where multiplications and additions are contracted", (_, engine) => {
    expect(differing(record.runs.definedContracted, kernels.defined, engine)).toEqual([]);
  });
  test.each(engines)("is what the %s engine leaves where C++ leaves overflow and conversions open", (_, engine) => {
    expect(differing(record.runs.wild, kernels.wild, engine)).toEqual([]);
  });
});
