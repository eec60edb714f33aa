/** Launches of assembled programs for tests: arrays in, arrays out, on any engine. */
import type { HostArray } from "../../../src/core/base/typed-array.js";
import {
  type Argument,
  createRawCounters,
  type Dim3,
  type Engine,
  type EngineResult,
  type PreparedLaunch,
  type RawCounters,
} from "../../../src/core/engine/engine.js";
import { createDeviceMemory } from "../../../src/core/engine/memory.js";
import { referenceEngine } from "../../../src/core/engine/reference/index.js";
import type { Program } from "../../../src/core/lower/program.js";
import { type AssembleOptions, assemble } from "./assembler.js";

/** An array of any element type that device memory holds. */
export type DataArray = HostArray;

export interface LaunchOptions extends AssembleOptions {
  /** 1 unless told; a number is the x extent. */
  readonly grid?: Dim3 | number;
  readonly block?: Dim3 | number;
  /** By parameter name. An array becomes a buffer of its own, with a guard of 256 bytes before the next. */
  readonly args?: Readonly<Record<string, number | bigint | DataArray>>;
  readonly dynamicSharedBytes?: number;
  readonly stepLimit?: number;
  readonly lockstep?: boolean;
  readonly sharedBanks?: number;
  readonly engine?: Engine;
  /** The device memory is one that threads share. */
  readonly sharedMemory?: boolean;
}

export interface TestLaunch {
  readonly launch: PreparedLaunch;
  /** The buffer of parameter `name` as it now is, in the type it was given. */
  read<T extends DataArray>(name: string): T;
}

export interface Executed extends TestLaunch {
  readonly counters: RawCounters;
  readonly result: EngineResult;
}

function extent(size: Dim3 | number | undefined): Dim3 {
  return typeof size === "object" ? size : [size ?? 1, 1, 1];
}

export function prepare(code: string | Program, options: LaunchOptions = {}): TestLaunch {
  const program = typeof code === "string" ? assemble(code, options) : code;
  const memory = createDeviceMemory({
    initialBytes: 1 << 20,
    maximumBytes: 1 << 28,
    shared: options.sharedMemory ?? false,
    scratchBytes: 1 << 20,
  });
  const buffers = new Map<string, { readonly address: number; readonly data: DataArray }>();
  let address = memory.firstFreeAddress;
  const args = program.params.map((param): Argument => {
    const given = options.args?.[param.name];
    if (given === undefined) throw new Error(`no argument ${param.name}`);
    if (typeof given !== "object") return given;
    buffers.set(param.name, { address, data: given });
    const pointer = { address, byteLength: given.byteLength };
    address += Math.ceil(given.byteLength / 256) * 256 + 256;
    return pointer;
  });
  memory.grow(address);
  for (const { address: at, data } of buffers.values()) {
    new Uint8Array(memory.buffer).set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
  }
  const launch: PreparedLaunch = {
    program,
    grid: extent(options.grid),
    block: extent(options.block),
    dynamicSharedBytes: options.dynamicSharedBytes ?? 0,
    args,
    memory,
    stepLimit: options.stepLimit ?? 1_000_000,
    sharedBanks: options.sharedBanks ?? 32,
    lockstep: options.lockstep ?? false,
  };
  return {
    launch,
    read<T extends DataArray>(name: string): T {
      const buffer = buffers.get(name);
      if (buffer === undefined) throw new Error(`no buffer ${name}`);
      const bytes = new Uint8Array(memory.buffer).slice(buffer.address, buffer.address + buffer.data.byteLength);
      const ArrayOfBytes = buffer.data.constructor as new (bytes: ArrayBuffer) => T;
      return new ArrayOfBytes(bytes.buffer as ArrayBuffer);
    },
  };
}

/** Runs the whole grid on `options.engine` (the reference engine unless told). */
export function execute(code: string | Program, options: LaunchOptions = {}): Executed {
  const test = prepare(code, options);
  const { launch } = test;
  const counters = createRawCounters(launch.program);
  const [x, y, z] = launch.grid;
  const engine = options.engine ?? referenceEngine;
  const result = engine.run(launch, { first: 0, end: x * y * z, step: 1 }, counters);
  return { ...test, counters, result };
}
