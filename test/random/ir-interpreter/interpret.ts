/** Runs a kernel's IR thread by thread, without the lowering and the engines; gives the memory that it leaves. */
import type { KernelIr } from "../../../src/core/ir/ir.js";
import { byteSize } from "../../../src/core/ir/types.js";
import { Coroutine, runTogether } from "../coroutines.js";
import { argumentsOf, type Launched, type Memory } from "../run-case.js";
import type { DataArray } from "../values.js";
import { newMemory, type Pointer } from "./memory.js";
import { Thread, type Value } from "./thread.js";

const AXES = ["x", "y", "z"] as const;

export function interpretIr(ir: KernelIr, launched: Launched): Memory {
  const data = argumentsOf(launched);
  const args = ir.params.map(({ name }): Value => {
    const given = data[name];
    if (given === undefined) throw new Error(`no argument ${name}`);
    if (typeof given !== "object") return given;
    return { bytes: new DataView(given.buffer, given.byteOffset, given.byteLength), at: 0, space: "global" };
  });
  const { grid, block } = launched;
  for (let at = 0; at < grid[0] * grid[1] * grid[2]; at++) {
    const shared = sharedMemory(ir, launched.dynamicSharedBytes);
    const ofBlock = [...axes("blockIdx", position(at, grid)), ...axes("blockDim", block), ...axes("gridDim", grid)];
    const threads = Array.from({ length: block[0] * block[1] * block[2] }, (_, linear) => {
      const builtins = new Map([...ofBlock, ...axes("threadIdx", position(linear, block))]);
      return new Coroutine(linear, new Thread(ir, { args, shared, builtins, lane: linear % 32 }).run());
    });
    runTogether(threads);
  }
  return Object.fromEntries(
    Object.entries(data).filter((entry): entry is [string, DataArray] => typeof entry[1] === "object"),
  );
}

type Extent = readonly [number, number, number];

function position(linear: number, [x, y]: Extent): Extent {
  return [linear % x, Math.floor(linear / x) % y, Math.floor(linear / (x * y))];
}

function axes(name: string, values: Extent): readonly (readonly [string, number])[] {
  return AXES.map((axis, index) => [`${name}.${axis}`, values[index] ?? 0] as const);
}

/** Arrays that the launch sizes start at one address. */
function sharedMemory(ir: KernelIr, dynamicBytes: number): readonly Pointer[] {
  const dynamic = newMemory(dynamicBytes, "shared");
  return ir.sharedArrays.map(({ element, dims }) =>
    dims === null
      ? dynamic
      : newMemory(
          dims.reduce((a, b) => a * b, byteSize(element)),
          "shared",
        ),
  );
}
