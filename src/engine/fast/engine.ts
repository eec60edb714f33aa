/** The fast engine: compiles a program when it is first launched with a block shape, and runs blocks as WebAssembly. */
import { type WasmInstance, type WasmMemory, webAssembly } from "../../base/webassembly.js";
import type { Scalar } from "../../ir/types.js";
import type { Program } from "../../lower/program.js";
import {
  addRawCounters,
  type BlockRange,
  createRawCounters,
  type Engine,
  type EngineResult,
  type PreparedLaunch,
  type RawCounters,
} from "../engine.js";
import {
  accessBytes,
  divisionByZero,
  type FaultSite,
  laneOutsideMask,
  misaligned,
  outOfBounds,
  rootExtent,
  stepLimitPassed,
} from "../faults.js";
import { LOOP_TURNS } from "../reference/executor.js";
import { formatPrintf } from "../semantics/printf.js";
import { scalarFunction } from "../semantics/scalar.js";
import { sharedPasses, sharedWavefronts } from "../semantics/sharedWavefronts.js";
import type { LaunchShape } from "./analysis/range.js";
import { type CompiledKernel, compileKernel } from "./compile.js";
import { meaningOfImport } from "./emit/laneImport.js";
import { FAULT } from "./emit/sharedLibrary.js";
import { BANK_WORK, LANE_ADDRESSES, LAUNCH, LAUNCH_AREA, MARGIN, MASK_TABLE, OPERANDS, POINTER } from "./layout.js";
import { keepWritten } from "./undo.js";
import { Unsupported } from "./unsupported.js";

export interface FastEngine extends Engine {
  /** False where the launch needs the reference engine. Compiles the program, so that `run` need not. */
  supports(launch: PreparedLaunch): boolean;
}

interface Variant {
  readonly kernel: CompiledKernel;
  module: object | null;
  readonly instances: WeakMap<object, Instance>;
}

interface Instance {
  readonly run: (scratch: number, first: number, end: number, step: number) => void;
  /** What is running, for the imported functions. */
  readonly state: RunState;
}

interface RunState {
  /** The kernel's loops may wait for other threads. */
  readonly maySpin: boolean;
  launch: PreparedLaunch | null;
  printed: { text: string }[];
}

const variants = new WeakMap<Program, Map<string, Variant | Unsupported>>();

/** Lanes wait for others, at a warp primitive or in a loop: only the reference engine can go on from there. */
class LanesElsewhere extends Error {}

/** `fallback` runs launches over again whose lanes turn out to wait for one another. */
export function createFastEngine(fallback: Engine): FastEngine {
  return {
    name: "fast",
    supports,
    run(launch, blocks, counters) {
      const variant = variantOf(launch);
      if (variant instanceof Unsupported) throw variant;
      const { mayWait, maySpin } = variant.kernel;
      if (!mayWait && !maySpin) return run(variant, launch, blocks, counters);
      const undo = keepWritten(launch);
      const own = createRawCounters(launch.program);
      // Lanes that go round a loop for longer than this give the others a turn: see the reference engine.
      const limited = { ...launch, stepLimit: Math.floor(launch.stepLimit / LOOP_TURNS) };
      try {
        const result = run(variant, maySpin ? limited : launch, blocks, own);
        addRawCounters(counters, own);
        return result;
      } catch (error) {
        if (!(error instanceof LanesElsewhere)) throw error;
        undo();
        return fallback.run(launch, blocks, counters);
      }
    },
  };
}

/** Grid sizes up to this let indices be proven not to wrap. */
const USUAL_GRID_THREADS = 2 ** 28;

function shapeOf(launch: PreparedLaunch): LaunchShape {
  const { block, grid } = launch;
  const limit = (axis: 0 | 1 | 2): number => {
    if (grid[axis] === 1) return 1;
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

function variantOf(launch: PreparedLaunch): Variant | Unsupported {
  const shape = shapeOf(launch);
  const sharedMemory = typeof SharedArrayBuffer !== "undefined" && launch.memory.buffer instanceof SharedArrayBuffer;
  const key = `${JSON.stringify(shape)} ${sharedMemory}`;
  let known = variants.get(launch.program);
  if (known === undefined) {
    known = new Map();
    variants.set(launch.program, known);
  }
  let variant = known.get(key);
  if (variant === undefined) {
    try {
      variant = { kernel: compileKernel(launch.program, shape, sharedMemory), module: null, instances: new WeakMap() };
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      variant = error;
    }
    known.set(key, variant);
  }
  return variant;
}

function sharedBytesOf(launch: PreparedLaunch): number {
  return launch.program.staticSharedBytes + launch.dynamicSharedBytes;
}

/** Where local and shared memory start, behind the kernel's own layout, and the end of it all. */
function placesBehind(kernel: CompiledKernel, launch: PreparedLaunch): { local: number; shared: number; end: number } {
  const local = Math.ceil(kernel.layout.size / 64) * 64;
  const localBytes = Math.ceil(launch.program.localBytesPerThread / 16) * 16 * 32 * kernel.warps;
  const shared = local + localBytes + MARGIN;
  return { local, shared, end: shared + Math.ceil(sharedBytesOf(launch) / 16) * 16 + MARGIN };
}

function supports(launch: PreparedLaunch): boolean {
  const variant = variantOf(launch);
  if (variant instanceof Unsupported) return false;
  if (placesBehind(variant.kernel, launch).end > launch.memory.scratchBytes) return false;
  // Whole vectors are read across the ends of an allocation.
  const end = launch.memory.buffer.byteLength - 16;
  return launch.args.every((argument) => typeof argument !== "object" || argument.address + argument.byteLength <= end);
}

function run(variant: Variant, launch: PreparedLaunch, blocks: BlockRange, counters: RawCounters): EngineResult {
  const { kernel } = variant;
  const { memory } = launch;
  const scratch = memory.scratchAddress;
  const instance = instanceOf(variant, launch);
  writeLaunch(kernel, launch, scratch);
  const values = new BigInt64Array(memory.buffer, scratch + kernel.layout.counters, kernel.counters.counts);
  values.fill(0n);
  instance.state.launch = launch;
  instance.state.printed = [];
  try {
    instance.run(scratch, blocks.first, blocks.end, blocks.step);
  } finally {
    instance.state.launch = null;
    kernel.counters.expand(values, counters);
    const count = blocks.first < blocks.end ? Math.ceil((blocks.end - blocks.first) / blocks.step) : 0;
    counters.blocks += count;
    counters.warps += count * kernel.warps;
  }
  return { printed: instance.state.printed };
}

function instanceOf(variant: Variant, launch: PreparedLaunch): Instance {
  const memory = launch.memory.wasmMemory;
  const known = variant.instances.get(memory);
  if (known !== undefined) return known;
  variant.module ??= new webAssembly.Module(variant.kernel.bytes);
  const state: RunState = { maySpin: variant.kernel.maySpin, launch: null, printed: [] };
  const host: Record<string, unknown> = { memory };
  for (const name of variant.kernel.imports) host[name] = imported(name, state, memory as WasmMemory);
  const instance: WasmInstance = new webAssembly.Instance(variant.module as never, { host });
  const made: Instance = { run: instance.exports.run as Instance["run"], state };
  variant.instances.set(memory, made);
  return made;
}

/** The host's side of an imported function. */
function imported(name: string, state: RunState, memory: WasmMemory): unknown {
  if (name === "fault") return (...args: FaultArguments) => fault(state, ...args);
  if (name === "printf") return (scratch: number, pc: number) => print(state, memory, scratch, pc);
  if (name === "wavefronts") {
    return (scratch: number, mask: number, bytes: number, atomic: number) => {
      const addresses = new Int32Array(memory.buffer, scratch + LANE_ADDRESSES, 32);
      const banks = state.launch?.sharedBanks ?? 32;
      let wavefronts = 0;
      let least = 0;
      for (let part = 0; part < bytes; part += 16) {
        wavefronts += sharedWavefronts(addresses, mask, Math.min(bytes, 16), banks, atomic !== 0);
        least += sharedPasses(addresses, mask, Math.min(bytes, 16));
      }
      return wavefronts | (least << 16);
    };
  }
  const meaning = meaningOfImport(name);
  const evaluate = meaning === null ? null : scalarFunction(meaning);
  if (meaning === null || evaluate === null)
    throw new Error(`the compiled kernel asks for an unknown function ${name}`);
  const compute = evaluate as (...operands: (number | bigint)[]) => number | bigint;
  const source = meaning.sourceType ?? meaning.type;
  // WebAssembly hands over signed integers.
  if (source === "u32") return (...operands: number[]) => compute(...operands.map((value) => value >>> 0));
  if (source === "u64") {
    return (...operands: (number | bigint)[]) =>
      compute(...operands.map((value) => (typeof value === "bigint" ? BigInt.asUintN(64, value) : value)));
  }
  return compute;
}

type FaultArguments = [kind: number, pc: number, block: number, warp: number, lanes: number, value: number];

function fault(state: RunState, ...[kind, pc, block, warp, lanes, value]: FaultArguments): never {
  const { launch } = state;
  const instruction = launch?.program.instructions[pc];
  if (launch === null || instruction === undefined) throw new Error("a fault outside a launch");
  const site: FaultSite = { launch, instruction, block, warp, lanes };
  switch (kind) {
    case FAULT.division:
      throw divisionByZero(site);
    case FAULT.stepLimit:
      throw state.maySpin ? new LanesElsewhere() : stepLimitPassed(site);
    case FAULT.outsideMask:
      throw laneOutsideMask(site, value | 0);
    case FAULT.bounds: {
      const { start, byteLength, lowest } = rootExtent(launch, instruction);
      const isInside = value >= lowest && value <= start + byteLength - accessBytes(instruction);
      throw isInside ? misaligned(site, value) : outOfBounds(site, value);
    }
    default:
      throw new LanesElsewhere();
  }
}

function print(state: RunState, memory: WasmMemory, scratch: number, pc: number): void {
  const instruction = state.launch?.program.instructions[pc];
  if (instruction === undefined) return;
  const view = new DataView(memory.buffer as ArrayBuffer, scratch + OPERANDS);
  const types: readonly Scalar[] = instruction.argTypes ?? instruction.src.map(() => "i32" as const);
  const values = instruction.src.map((_, index) => readArgument(view, 8 * index, types[index] ?? "i32"));
  state.printed.push({ text: formatPrintf(instruction.format ?? "", values, types) });
}

function readArgument(view: DataView, at: number, type: Scalar): number | bigint {
  switch (type) {
    case "i64":
      return view.getBigInt64(at, true);
    case "u64":
      return view.getBigUint64(at, true);
    case "f32":
      return view.getFloat32(at, true);
    case "f64":
      return view.getFloat64(at, true);
    case "u32":
      return view.getUint32(at, true);
    default:
      return view.getInt32(at, true);
  }
}

/** Writes tables and arguments to the scratch area. */
function writeLaunch(kernel: CompiledKernel, launch: PreparedLaunch, scratch: number): void {
  const { buffer } = launch.memory;
  const view = new DataView(buffer as ArrayBuffer, scratch, kernel.layout.size);
  for (let bits = 0; bits < 16; bits++) {
    for (let lane = 0; lane < 4; lane++)
      view.setInt32(MASK_TABLE + 16 * bits + 4 * lane, (bits >> lane) & 1 ? -1 : 0, true);
  }
  const at = LAUNCH_AREA;
  const places = placesBehind(kernel, launch);
  view.setInt32(at + LAUNCH.gridX, launch.grid[0], true);
  view.setInt32(at + LAUNCH.gridY, launch.grid[1], true);
  view.setInt32(at + LAUNCH.gridZ, launch.grid[2], true);
  view.setInt32(at + LAUNCH.banks, launch.sharedBanks, true);
  view.setBigInt64(at + LAUNCH.stepLimit, BigInt(Math.min(launch.stepLimit, Number.MAX_SAFE_INTEGER)), true);
  view.setBigInt64(at + LAUNCH.memoryBytes, BigInt(buffer.byteLength), true);
  view.setInt32(at + LAUNCH.sharedBytes, sharedBytesOf(launch), true);
  view.setInt32(at + LAUNCH.sharedOffset, places.shared, true);
  view.setInt32(at + LAUNCH.localOffset, places.local, true);
  launch.args.forEach((argument, index) => {
    const offset = kernel.layout.argument(index);
    const param = launch.program.params[index];
    if (typeof argument === "object") {
      const { address, byteLength, bytesBefore = 0 } = argument;
      view.setBigInt64(offset + POINTER.address, BigInt(address), true);
      view.setBigInt64(offset + POINTER.start, BigInt(address - bytesBefore), true);
      view.setBigInt64(offset + POINTER.length, BigInt(bytesBefore + byteLength), true);
    } else if (param?.kind === "scalar") writeScalar(view, offset, param.type, argument);
  });
  const [x, y] = launch.block;
  kernel.threadTables.forEach((table, axis) => {
    if (table < 0) return;
    for (let thread = 0; thread < kernel.warps * 32; thread++) {
      const index = [thread % x, Math.floor(thread / x) % y, Math.floor(thread / (x * y))][axis] ?? 0;
      view.setInt32(table + 4 * thread, index, true);
    }
  });
  new Uint8Array(buffer, scratch + BANK_WORK, 16).fill(0);
}

function writeScalar(view: DataView, offset: number, type: Scalar, value: number | bigint): void {
  switch (type) {
    case "i64":
    case "u64":
      view.setBigInt64(offset, BigInt.asIntN(64, BigInt(value)), true);
      return;
    case "f32":
      view.setFloat32(offset, Number(value), true);
      return;
    case "f64":
      view.setFloat64(offset, Number(value), true);
      return;
    case "bool":
      view.setInt32(offset, Number(value) === 0 ? 0 : 1, true);
      return;
    default:
      view.setInt32(offset, Number(value) | 0, true);
  }
}
