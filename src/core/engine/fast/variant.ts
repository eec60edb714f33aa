/**
 * A compiled kernel as it is kept. It has a variant for each block shape and each other assumption about the launch, its
 * module, and an instance for each device memory.
 */
import { type WasmInstance, type WasmMemory, type WasmModule, webAssembly } from "../../base/webassembly.js";
import type { Program } from "../../lower/program.js";
import type { PreparedLaunch } from "../engine.js";
import { PrintfBuffer } from "../printf-buffer.js";
import type { LaunchShape } from "./analysis/range.js";
import { type CompiledKernel, type CompileOptions, compileKernel } from "./compile.js";
import { imported, type RunState } from "./host-functions.js";
import { Unsupported } from "./unsupported.js";

export interface Variant {
  readonly kernel: CompiledKernel;
  module: WasmModule | null;
  readonly instances: WeakMap<object, Instance>;
}

export interface Instance {
  /** Runs `LISTED_BLOCKS` blocks at the most. */
  readonly run: (scratch: number, first: number, end: number, step: number) => void;
  /** The running launch, for the imported functions. */
  readonly state: RunState;
}

/** Grid sizes up to this let indices be proven not to wrap. */
const USUAL_GRID_THREADS = 2 ** 28;

function shapeOf(launch: PreparedLaunch): LaunchShape {
  const { block, grid } = launch;
  // A grid of one block is often the last of several launches of a kernel: no reason to compile it again. That a grid has
  // one row only helps proofs, and seldom changes.
  const limit = (axis: 0 | 1 | 2): number => {
    if (grid[axis] === 1 && axis !== 0) return 1;
    const usual = Math.floor(USUAL_GRID_THREADS / block[axis]);
    return grid[axis] <= usual ? usual : 0x7fffffff;
  };
  const pointers = launch.args.filter((argument) => typeof argument === "object");
  let paramAlignment = 16;
  for (const { address } of pointers) while (address % paramAlignment !== 0) paramAlignment /= 2;
  const reaches = pointers.map(({ address, byteLength, bytesBefore = 0 }) => ({
    first: address - bytesBefore,
    end: address + byteLength,
  }));
  const paramsDisjoint = reaches.every((a, i) =>
    reaches.every((b, j) => i <= j || a.end <= b.first || b.end <= a.first),
  );
  return {
    block: [block[0], block[1], block[2]],
    gridLimit: [limit(0), limit(1), limit(2)],
    paramAlignment,
    paramsDisjoint,
    wholeAllocations: pointers.every(({ bytesBefore = 0 }) => bytesBefore === 0),
    banks: launch.sharedBanks,
    lockstep: launch.lockstep,
  };
}

export class Variants {
  private readonly known = new WeakMap<Program, Map<string, Variant | Unsupported>>();

  constructor(private readonly options: Pick<CompileOptions, "alwaysTakeTurns">) {}

  /** Compiles the program where that has not been done for such a launch. */
  of(launch: PreparedLaunch): Variant | Unsupported {
    const shape = shapeOf(launch);
    // A web page may have shared memory without the name of its class.
    const sharedMemory = !(launch.memory.buffer instanceof ArrayBuffer);
    const key = `${JSON.stringify(shape)} ${sharedMemory}`;
    let known = this.known.get(launch.program);
    if (known === undefined) {
      known = new Map();
      this.known.set(launch.program, known);
    }
    let variant = known.get(key);
    if (variant === undefined) {
      try {
        const kernel = compileKernel(launch.program, shape, { ...this.options, sharedMemory });
        variant = { kernel, module: null, instances: new WeakMap() };
      } catch (error) {
        if (!(error instanceof Unsupported)) throw error;
        variant = error;
      }
      known.set(key, variant);
    }
    return variant;
  }
}

export function moduleOf(variant: Variant): WasmModule {
  variant.module ??= new webAssembly.Module(variant.kernel.bytes);
  return variant.module;
}

/** The variant, ready to run on the launch's memory. */
export function instanceOf(variant: Variant, launch: PreparedLaunch): Instance {
  const memory = launch.memory.wasmMemory;
  const known = variant.instances.get(memory);
  if (known !== undefined) return known;
  const state: RunState = { meter: null, launch: null, printed: new PrintfBuffer() };
  const host: Record<string, unknown> = { memory };
  for (const name of variant.kernel.imports) host[name] = imported(name, state, memory as WasmMemory);
  const instance: WasmInstance = new webAssembly.Instance(moduleOf(variant), { host });
  const made: Instance = { run: instance.exports.run as Instance["run"], state };
  variant.instances.set(memory, made);
  return made;
}
