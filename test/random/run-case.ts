/** Runs a random kernel on an engine: its parameters' data, lowering, and what memory and counters hold afterwards. */
import { createHash } from "node:crypto";
import { createRawCounters, type Engine, type PreparedLaunch, type RawCounters } from "../../src/core/engine/engine.js";
import { fastEngine } from "../../src/core/engine/fast/index.js";
import type { KernelIr } from "../../src/core/ir/ir.js";
import { verifyIr } from "../../src/core/ir/verify-ir.js";
import { lower } from "../../src/core/lower/lower.js";
import { verifyProgram } from "../../src/core/lower/machine/verify-program.js";
import type { PassInstrumentation } from "../../src/core/lower/pass-runner.js";
import type { LoweringOptions, Program } from "../../src/core/lower/program.js";
import { prepare, type TestLaunch } from "../core/engine/launch.js";
import { compileSource, type KernelSource, sourceOf } from "./print.js";
import { Choices } from "./prng.js";
import type { KernelTree, Numeric, ParamTree } from "./tree.js";
import { arrayOf, type DataArray, someValue } from "./values.js";

const pools: Map<string, DataArray> = new Map();

/** Data of an array parameter: depends on its type and fill alone, so that all kernels share the same pools. */
export function initialData(param: Extract<ParamTree, { kind: "array" }>): DataArray {
  const key = `${param.t} ${param.length} ${param.fill}`;
  const known = pools.get(key) ?? drawnData(param);
  pools.set(key, known);
  return known.slice();
}

function drawnData({ t, length, fill }: Extract<ParamTree, { kind: "array" }>): DataArray {
  if (fill === "zero") return arrayOf(t, new Array<number>(length).fill(0));
  if (fill === "small") {
    return arrayOf(
      t,
      Array.from({ length }, (_, index) => (index * 5) & 7),
    );
  }
  const choices = new Choices(POOL_SEED + ["i32", "u32", "i64", "u64", "f32", "f64"].indexOf(t));
  return arrayOf(
    t,
    Array.from({ length }, () => someValue(choices, t)),
  );
}

const POOL_SEED = 20251121;

export type Arguments = Readonly<Record<string, number | bigint | DataArray>>;

export function argumentsOf(tree: Pick<KernelSource, "params">): Arguments {
  return Object.fromEntries(
    tree.params.map((param) => [param.name, param.kind === "scalar" ? param.value : initialData(param)]),
  );
}

/** Parameters whose memory a kernel changes, in the order of the declaration. */
export function outputsOf(
  tree: Pick<KernelSource, "params">,
): readonly { readonly name: string; readonly t: Numeric }[] {
  return tree.params.filter((param) => param.kind === "array" && !param.name.startsWith("in_"));
}

export type Memory = Readonly<Record<string, DataArray>>;

export interface Outcome {
  readonly program: Program;
  readonly memory: Memory;
  readonly counters: RawCounters;
}

/** The tree's IR; throws CompileError, or an Error with what verify-ir.ts finds. */
export function checkedIr(tree: KernelTree): KernelIr {
  const ir = compileSource(sourceOf(tree));
  const faults = verifyIr(ir);
  if (faults.length > 0) throw new Error(`invalid IR: ${faults.join("; ")}`);
  return ir;
}

/** The lowered program; throws an Error with what verify-program.ts finds. */
export function checkedProgram(
  ir: KernelIr,
  options: Partial<LoweringOptions> = {},
  instrumentation: PassInstrumentation = {},
): Program {
  const all = { computeCapability: { major: 9, minor: 0 }, contractFma: false, ...options };
  const program = lower(ir, all, instrumentation);
  const faults = verifyProgram(program);
  if (faults.length > 0) throw new Error(`unsound program: ${faults.slice(0, 5).join("; ")}`);
  return program;
}

/** What a launch needs besides its program: of a tree or of a stored kernel. */
export type Launched = Pick<KernelSource, "params" | "grid" | "block" | "dynamicSharedBytes">;

function launchOf(tree: Launched, program: Program, lockstep: boolean): TestLaunch {
  const { grid, block, dynamicSharedBytes } = tree;
  return prepare(program, { grid, block, dynamicSharedBytes, args: argumentsOf(tree), lockstep, sharedMemory: true });
}

/** The launch, not yet run. */
export function prepared(tree: Launched, program: Program, lockstep = false): PreparedLaunch {
  return launchOf(tree, program, lockstep).launch;
}

function run(tree: Launched, { launch, read }: TestLaunch, engine: Engine): Outcome {
  const counters = createRawCounters(launch.program);
  const [x, y, z] = launch.grid;
  engine.run(launch, { first: 0, end: x * y * z, step: 1 }, counters);
  const arrays = tree.params.filter(({ kind }) => kind === "array");
  const memory = Object.fromEntries(arrays.map(({ name }) => [name, read<DataArray>(name)]));
  return { program: launch.program, memory, counters };
}

export function runProgram(tree: Launched, program: Program, engine: Engine, lockstep = false): Outcome {
  return run(tree, launchOf(tree, program, lockstep), engine);
}

/** Null where the fast engine leaves the launch to the reference engine. */
export function runSupported(tree: Launched, program: Program, engine: Engine, lockstep = false): Outcome | null {
  const test = launchOf(tree, program, lockstep);
  return fastEngine.supports(test.launch) ? run(tree, test, engine) : null;
}

/** One NaN for all, as the bits of a NaN are nobody's promise. */
export function canonicalBytes(array: DataArray): Uint8Array {
  if (array instanceof Float32Array || array instanceof Float64Array) {
    const copy = array.slice();
    copy.forEach((value, index) => {
      if (Number.isNaN(value)) copy[index] = Number.NaN;
    });
    if (copy instanceof Float32Array) {
      const bits = new Uint32Array(copy.buffer);
      copy.forEach((value, index) => {
        if (Number.isNaN(value)) bits[index] = 0x7fc00000;
      });
    } else {
      const bits = new BigUint64Array(copy.buffer);
      copy.forEach((value, index) => {
        if (Number.isNaN(value)) bits[index] = 0x7ff8000000000000n;
      });
    }
    return new Uint8Array(copy.buffer);
  }
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** First difference of two memories, as text; null where they are equal. `nanBits`: NaNs differ by their bits too. */
export function memoryDifference(tree: Launched, a: Memory, b: Memory, nanBits: boolean): string | null {
  for (const param of tree.params) {
    if (param.kind === "scalar") continue;
    const left = a[param.name];
    const right = b[param.name];
    if (left === undefined || right === undefined) return `${param.name} is missing`;
    const [x, y] = nanBits
      ? [new Uint8Array(left.buffer), new Uint8Array(right.buffer)]
      : [canonicalBytes(left), canonicalBytes(right)];
    const at = x.findIndex((byte, index) => byte !== y[index]);
    if (at < 0) continue;
    const element = Math.floor(at / left.BYTES_PER_ELEMENT);
    const hex = (bytes: Uint8Array): string =>
      [...bytes.slice(element * left.BYTES_PER_ELEMENT, (element + 1) * left.BYTES_PER_ELEMENT)]
        .reverse()
        .map((byte) => byte.toString(16).padStart(2, "0"))
        .join("");
    return `${param.name}[${element}]: ${left[element]} (0x${hex(x)}) against ${right[element]} (0x${hex(y)})`;
  }
  return null;
}

/** SHA-256 of what the kernel wrote, shortened; NaNs count as one. */
export function memoryHash(tree: Launched, memory: Memory): string {
  const hash = createHash("sha256");
  for (const { name } of outputsOf(tree)) {
    const array = memory[name];
    if (array !== undefined) hash.update(canonicalBytes(array));
  }
  return hash.digest("hex").slice(0, 16);
}
