/** Dynamic parallelism: what the lanes of a `launch` start, read from their registers, and the wait for it. */
import { InputError } from "../../../base/errors.js";
import type { Instruction, LaunchTarget, Program, Root } from "../../../lower/program.js";
import type { Argument, ChildGrids, ChildLaunch, Dim3, PreparedLaunch } from "../../engine.js";
import { LAUNCH_SIZES, operandType } from "../../semantics/operand-type.js";
import type { MachineState } from "../machine-state.js";
import { readLane } from "../register-layout.js";
import type { LaneOperation } from "./lane-operation.js";

/** Lanes in ascending order, each its own grid. */
export function launchOperation(instruction: Instruction, machine: MachineState): LaneOperation {
  const { layout, registers, launch } = machine;
  const { program } = launch;
  const target = targetOf(instruction);
  const child: Program | undefined = target.child === "self" ? program : program.children?.[target.child];
  if (child === undefined)
    throw new Error(`instruction ${instruction.pc} launches child ${target.child}, which is not there`);
  const rows = instruction.src.map((_, index) => layout.operand(instruction, index));
  const types = instruction.src.map((_, index) => operandType(instruction, index));
  return (base, mask) => {
    const children = childrenOf(launch);
    machine.version++;
    for (let m = mask; m !== 0; m &= m - 1) {
      const lane = 31 - Math.clz32(m & -m);
      const values = rows.map((row, index) => readLane(registers, base + row, types[index] ?? "u32", lane));
      const size = (index: number): number => Number(values[index] ?? 1);
      const dim = (first: number): Dim3 => [size(first), size(first + 1), size(first + 2)];
      const request: ChildLaunch = {
        program: child,
        grid: dim(0),
        block: dim(3),
        dynamicSharedBytes: size(6),
        args: values.slice(LAUNCH_SIZES).map((value, index) => argument(launch, target.roots[index] ?? null, value)),
        stream: target.stream,
        parentBlock: machine.block,
        parentThread: machine.warp * 32 + lane,
        instruction,
      };
      children.start(request);
      launch.accesses?.childStarts(request);
      machine.printed.append(children.launched(request));
    }
    machine.version++;
  };
}

/** The lanes' children are those of their block: CUDA's device runtime waits for all that the block has started. */
export function deviceSynchronizeOperation(instruction: Instruction, machine: MachineState): LaneOperation {
  return (_, mask) => {
    machine.version++;
    if (machine.journal !== null) recordReachable(machine);
    const { block, warp, launch } = machine;
    machine.printed.append(childrenOf(launch).finish({ launch, instruction, block, warp, lanes: mask }));
    launch.accesses?.childrenEnded(block, warp, mask);
  };
}

/** Between two bursts of a seeded schedule some grids that have been started may run. */
export function runChildrenEarly(machine: MachineState): void {
  const printed = machine.launch.children?.turn() ?? null;
  if (printed === null) return;
  machine.printed.append(printed);
  machine.version++;
}

/** Child grids reach global memory through this grid's pointers alone. */
function recordReachable(machine: MachineState): void {
  for (const pointer of machine.launch.args) {
    if (typeof pointer !== "object") continue;
    const before = pointer.bytesBefore ?? 0;
    const words = Math.ceil((pointer.byteLength + before) / 4);
    machine.journal?.record(machine.global.i32, (pointer.address - before) >>> 2, words);
  }
}

/** A pointer keeps the bounds of the allocation that its root points into. */
function argument(launch: PreparedLaunch, root: Root | null, value: number | bigint): Argument {
  if (root === null) return value;
  const from = root.kind === "param" ? launch.args[root.index] : undefined;
  if (typeof from !== "object") throw new Error("a child grid is given a pointer that is not into global memory");
  const address = Number(value);
  const end = from.address + from.byteLength;
  return { address, byteLength: end - address, bytesBefore: address - (from.address - (from.bytesBefore ?? 0)) };
}

function targetOf(instruction: Instruction): LaunchTarget {
  if (instruction.launch === undefined) throw new Error(`instruction ${instruction.pc} does not say what it launches`);
  return instruction.launch;
}

function childrenOf(launch: PreparedLaunch): ChildGrids {
  if (launch.children !== undefined) return launch.children;
  throw new InputError({
    what: `Kernel ${launch.program.name} launches child grids, but nothing is there to run them.`,
    cure: "Launch it by gpu.launch, or give the prepared launch its `children`.",
  });
}
