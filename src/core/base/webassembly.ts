/**
 * The part of the WebAssembly JavaScript interface that warplab uses. The language library of ES2022 without DOM has no
 * types for it; these follow https://webassembly.github.io/spec/js-api/.
 */

export interface WasmMemory {
  /** Detached and replaced when the memory grows (a shared one stays valid at its old length). */
  readonly buffer: ArrayBufferLike;
  /** Adds pages of 64 KiB; gives the number of pages before. Throws RangeError where the maximum would be passed. */
  grow(pages: number): number;
}

/** A compiled module. Opaque; it can be posted to workers. */
export interface WasmModule {
  readonly [Symbol.toStringTag]: string;
}

export interface WasmInstance {
  readonly exports: Readonly<Record<string, unknown>>;
}

export interface WasmMemoryDescriptor {
  readonly initial: number;
  readonly maximum: number;
  readonly shared: boolean;
}

export interface WebAssemblyInterface {
  readonly Memory: new (descriptor: WasmMemoryDescriptor) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (module: WasmModule, imports?: object) => WasmInstance;
  validate(bytes: Uint8Array): boolean;
}

export const WASM_PAGE_BYTES = 65536;

// Neither ES2022's types nor Node's declare WebAssembly.
export const webAssembly: WebAssemblyInterface = (globalThis as unknown as { WebAssembly: WebAssemblyInterface })
  .WebAssembly;
