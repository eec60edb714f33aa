/**
 * Device memory: one WebAssembly.Memory that both engines read and write. At its front is the scratch area of the
 * engines, where the fast engine keeps shared memory and registers of its blocks. The host's allocations follow. Address 0 is never part of an allocation.
 */
import { InputError } from "../base/errors.js";
import { WASM_PAGE_BYTES, type WasmMemory, webAssembly } from "../base/webassembly.js";
import type { DeviceMemory } from "./engine.js";

export interface DeviceMemoryOptions {
  /** Bytes to start with, scratch area included; rounded up to pages of 64 KiB. */
  readonly initialBytes: number;
  /** Bytes to which it may grow; 4 GiB is the most that a WebAssembly.Memory can have. */
  readonly maximumBytes: number;
  /** true: on a SharedArrayBuffer, so that workers can run blocks of one launch. */
  readonly shared: boolean;
  /** Size of the scratch area at the front; 4 MiB unless told. */
  readonly scratchBytes?: number;
}

export interface GrowableDeviceMemory extends DeviceMemory {
  readonly wasmMemory: WasmMemory;
  readonly byteLength: number;
  /** First byte after the scratch area, a multiple of 256: where allocations start. */
  readonly firstFreeAddress: number;
  /** Makes the memory at least `byteLength` bytes long. Only between launches: views of the old buffer go stale. */
  grow(byteLength: number): void;
}

/** Throws InputError where the sizes are impossible, and where the machine cannot reserve or grow the memory. */
export function createDeviceMemory(options: DeviceMemoryOptions): GrowableDeviceMemory {
  const { initialBytes, maximumBytes, shared, scratchBytes = 4 << 20 } = options;
  const limit = 65536 * WASM_PAGE_BYTES;
  if (!(initialBytes >= 0 && initialBytes <= maximumBytes && maximumBytes <= limit && scratchBytes <= maximumBytes)) {
    throw new InputError({
      what: `device memory of ${initialBytes} to ${maximumBytes} bytes with a scratch area of ${scratchBytes} is impossible`,
      cure: `ask for initialBytes <= maximumBytes <= ${limit} and scratchBytes <= maximumBytes`,
    });
  }
  const pages = (bytes: number): number => Math.ceil(bytes / WASM_PAGE_BYTES);
  const firstFreeAddress = SCRATCH_ADDRESS + Math.ceil(scratchBytes / 256) * 256;
  const initial = Math.min(pages(maximumBytes), pages(Math.max(initialBytes, firstFreeAddress)));
  const wasmMemory = reserve(() => new webAssembly.Memory({ initial, maximum: pages(maximumBytes), shared }));
  return {
    wasmMemory,
    scratchAddress: SCRATCH_ADDRESS,
    scratchBytes,
    firstFreeAddress,
    get buffer() {
      return wasmMemory.buffer;
    },
    get byteLength() {
      return wasmMemory.buffer.byteLength;
    },
    grow(byteLength) {
      const missing = pages(byteLength) - wasmMemory.buffer.byteLength / WASM_PAGE_BYTES;
      if (missing > 0) reserve(() => wasmMemory.grow(missing));
    },
  };
}

/** Not at the start, so that a scratch address is never 0. */
const SCRATCH_ADDRESS = 1024;

function reserve<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new InputError({
      what: `the device memory cannot be reserved: ${error.message}`,
      cure: "free buffers, use a smaller input, or create the device with a larger memory limit",
    });
  }
}
