/** The functions that a compiled kernel imports: faults, printf, and what has no WebAssembly form. */
import type { WasmMemory } from "../../base/webassembly.js";
import type { Scalar } from "../../ir/types.js";
import type { PreparedLaunch } from "../engine.js";
import {
  accessBytes,
  assertionFailed,
  budgetPassed,
  divisionByZero,
  type FaultSite,
  laneOutsideMask,
  misaligned,
  outOfBounds,
  rootExtent,
} from "../faults.js";
import type { PrintfBuffer } from "../printf-buffer.js";
import { sharedPasses, sharedWavefronts } from "../semantics/bank-conflicts.js";
import { scalarFunction } from "../semantics/scalar.js";
import { meaningOfImport } from "./emit/lane/lane-import.js";
import { FAULT } from "./emit/library/fault-library.js";
import { LanesElsewhere } from "./lanes-elsewhere.js";
import { LANE_ADDRESSES, OPERANDS } from "./layout.js";
import type { StepMeter } from "./step-meter.js";

export interface RunState {
  /** The instructions that the running launch may still issue. */
  meter: StepMeter | null;
  /** The launch that is running. */
  launch: PreparedLaunch | null;
  printed: PrintfBuffer;
}

/** The host's side of an imported function. */
export function imported(name: string, state: RunState, memory: WasmMemory): unknown {
  if (name === "fault") return (...args: FaultArguments) => fault(state, ...args);
  if (name === "refill") {
    return (pc: number, block: number, warp: number, lanes: number, left: bigint) => {
      if (state.meter === null) throw new Error("no launch is running");
      return BigInt(state.meter.more({ pc, block, warp, lanes }, -Number(left)));
    };
  }
  if (name === "printf") {
    return (scratch: number, ...place: PrintPlace) => print(state, memory, scratch, place);
  }
  if (name === "wavefronts") {
    return (scratch: number, mask: number, bytes: number, service: number) => {
      const addresses = new Int32Array(memory.buffer, scratch + LANE_ADDRESSES, 32);
      const banks = state.launch?.sharedBanks ?? 32;
      let wavefronts = 0;
      let least = 0;
      for (let part = 0; part < bytes; part += 16) {
        wavefronts += sharedWavefronts(addresses, mask, Math.min(bytes, 16), banks, service);
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
    case FAULT.outsideMask:
      throw laneOutsideMask(site, value | 0);
    case FAULT.bounds: {
      const { start, byteLength, lowest } = rootExtent(launch, instruction);
      const isInside = value >= lowest && value <= start + byteLength - accessBytes(instruction);
      throw isInside ? misaligned(site, value) : outOfBounds(site, value);
    }
    default:
      throw new LanesElsewhere(block);
  }
}

type PrintPlace = [pc: number, block: number, warp: number, lane: number];

function print(state: RunState, memory: WasmMemory, scratch: number, [pc, block, warp, lane]: PrintPlace): void {
  const { launch } = state;
  const instruction = launch?.program.instructions[pc];
  if (launch === null || instruction === undefined) return;
  if (instruction.asserts === true) throw assertionFailed({ launch, instruction, block, warp, lanes: 1 << lane });
  const passed = launch.budget?.print() ?? null;
  if (passed !== null) throw budgetPassed({ launch, instruction, block, warp, lanes: 1 << lane }, passed);
  const view = new DataView(memory.buffer as ArrayBuffer, scratch + OPERANDS);
  const types: readonly Scalar[] = instruction.argTypes ?? instruction.src.map(() => "i32" as const);
  const values = instruction.src.map((_, index) => readArgument(view, 8 * index, types[index] ?? "i32"));
  state.printed.add({ format: instruction.format ?? "", values, types });
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
