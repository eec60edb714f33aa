/**
 * The GPU's memory as a program's host sees it. An address of the device is that of `Gpu` plus `HOST_BYTES`, so that the host
 * cannot read it. Managed and page-locked memory lies in the host's memory and has a buffer on the GPU beside it.
 */
import { HOST_BYTES } from "../frontend/cuda-cpp/host/invocations.js";
import { u32 } from "../frontend/index.js";
import { note } from "../host/activity.js";
import type { DeviceBuffer } from "../host/buffer.js";
import type { Gpu } from "../host/gpu.js";
import type { StreamKey } from "../host/streams/stream-key.js";
import { equalBytes } from "./equal-bytes.js";
import type { HostMemory } from "./host-memory.js";
import { refuseCall } from "./problems.js";

/** The host's allocator, which the program's module exports. */
export interface HostHeap {
  malloc(bytes: number): number;
  free(address: number): void;
}

type Kind = "device" | "managed" | "pinned";

interface Allocation {
  readonly kind: Kind;
  /** As the program sees it. */
  readonly start: number;
  readonly bytes: number;
  /** Page-locked memory has one once a kernel takes it. */
  buffer: DeviceBuffer | null;
  /** The GPU has the newest values of managed memory. */
  onDevice: boolean;
  /** Memory of a variable is not freed. */
  readonly isVariable: boolean;
}

/** A range of the GPU's memory. */
export interface DeviceRange {
  readonly address: number;
  /** Up to the end of its allocation. */
  readonly bytes: number;
  readonly buffer: DeviceBuffer;
}

export type CopyKind = "HostToHost" | "HostToDevice" | "DeviceToHost" | "DeviceToDevice" | "Default";

export interface CopyWay {
  readonly kind: CopyKind;
  readonly stream: StreamKey;
  readonly async: boolean;
}

/** Rows of a copy: bytes of each, their number, and the distance of their starts on both sides. */
export interface CopyRows {
  readonly width: number;
  readonly height: number;
  readonly toPitch: number;
  readonly fromPitch: number;
}

const ONE_ROW = (width: number): CopyRows => ({ width, height: 1, toPitch: width, fromPitch: width });

export class DeviceMemory {
  readonly #gpu: Gpu;
  readonly #host: HostMemory;
  readonly #heap: () => HostHeap;
  readonly #allocations: Map<number, Allocation> = new Map();
  /** Starts in ascending order. */
  #sorted: number[] = [];
  /** Starts that were freed and not allocated again. */
  readonly #freed: Set<number> = new Set();
  /** How often the GPU's memory may have changed. */
  writes = 0;

  constructor(gpu: Gpu, host: HostMemory, heap: () => HostHeap) {
    this.#gpu = gpu;
    this.#host = host;
    this.#heap = heap;
  }

  #add(allocation: Allocation): number {
    this.#allocations.set(allocation.start, allocation);
    this.#freed.delete(allocation.start);
    const at = this.#sorted.findIndex((start) => start > allocation.start);
    this.#sorted.splice(at < 0 ? this.#sorted.length : at, 0, allocation.start);
    return allocation.start;
  }

  #remove(start: number): void {
    this.#allocations.delete(start);
    this.#freed.add(start);
    this.#sorted.splice(this.#sorted.indexOf(start), 1);
  }

  #find(address: number, bytes: number = 1): Allocation | null {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#sorted[middle]! <= address) low = middle + 1;
      else high = middle;
    }
    const found = this.#allocations.get(this.#sorted[low - 1] ?? -1);
    return found !== undefined && address + bytes <= found.start + Math.max(1, found.bytes) ? found : null;
  }

  get memoryBuffer(): ArrayBufferLike {
    return this.#gpu.memoryBuffer;
  }

  #newBuffer(bytes: number): DeviceBuffer {
    this.writes++;
    return this.#gpu.alloc(u32, Math.ceil(bytes / 4)) as DeviceBuffer;
  }

  /** cudaMalloc. @throws InputError where it does not fit */
  malloc(bytes: number): number {
    const buffer = this.#newBuffer(bytes);
    const start = buffer.address + HOST_BYTES;
    return this.#add({ kind: "device", start, bytes, buffer, onDevice: true, isVariable: false });
  }

  /** cudaMallocManaged and cudaMallocHost. @throws InputError where the host has no such memory */
  mallocOnHost(kind: "managed" | "pinned", bytes: number): number {
    const start = this.#heap().malloc(Math.max(1, bytes)) >>> 0;
    if (start === 0) {
      const what = `the host has no ${bytes} bytes more: its memory ends at 2 GiB here.`;
      return refuseCall("cudaErrorMemoryAllocation", what, "Free what is not used any more, or take less.");
    }
    if (kind === "pinned") note({ kind: "host-alloc", owner: this.#gpu, bytes });
    else this.#host.bytes(start, bytes).fill(0);
    const buffer = kind === "managed" ? this.#newBuffer(bytes) : null;
    return this.#add({ kind, start, bytes, buffer, onDevice: false, isVariable: false });
  }

  /** cudaHostRegister: memory of the host's own becomes page-locked. */
  register(start: number, bytes: number): boolean {
    if (this.#find(start) !== null) return false;
    this.#add({ kind: "pinned", start, bytes, buffer: null, onDevice: false, isVariable: false });
    return true;
  }

  unregister(start: number): boolean {
    const found = this.#allocations.get(start);
    if (found?.kind !== "pinned") return false;
    found.buffer?.free();
    this.#remove(start);
    return true;
  }

  /** Memory of a `__device__` or `__constant__` variable. */
  variable(buffer: DeviceBuffer, bytes: number): number {
    const start = buffer.address + HOST_BYTES;
    if (!this.#allocations.has(start)) {
      this.#add({ kind: "device", start, bytes, buffer, onDevice: true, isVariable: true });
    }
    return start;
  }

  /** A variable that no kernel uses. */
  unusedVariable(bytes: number): number {
    return this.variable(this.#newBuffer(bytes), bytes);
  }

  /** What an address of the program leads to, for messages. */
  #described(address: number): string {
    if (address === 0) return "a null pointer";
    const found = this.#find(address);
    if (found === null && this.#freed.has(address)) return "memory that was freed";
    if (found === null) {
      return address < HOST_BYTES ? "memory of the host" : "an address that is no memory of the GPU";
    }
    const whose = { device: "memory of the GPU", managed: "managed memory", pinned: "page-locked memory" }[found.kind];
    const inside = address - found.start;
    return inside === 0
      ? `${whose} of ${found.bytes} bytes`
      : `byte ${inside} of ${whose}, which has ${found.bytes} bytes`;
  }

  /** cudaFree and cudaFreeHost. @throws InputError for what is no start of such memory */
  free(start: number, onHost: boolean): void {
    const found = this.#allocations.get(start);
    if (found === undefined || found.isVariable || (found.kind === "pinned") !== onHost) {
      const [call, makers] = onHost
        ? ["cudaFreeHost", "cudaMallocHost or cudaHostAlloc"]
        : ["cudaFree", "cudaMalloc or cudaMallocManaged"];
      const cure = `Give it, once, the pointer that ${makers} has made.`;
      refuseCall("cudaErrorInvalidValue", `${call} is given ${this.#described(start)}.`, cure);
    }
    found.buffer?.free();
    if (found.kind !== "device") this.#heap().free(start);
    this.#remove(start);
  }

  /** All that is left is freed (cudaDeviceReset). */
  reset(): void {
    for (const { kind, start, isVariable } of [...this.#allocations.values()]) {
      if (kind !== "pinned" && !isVariable) this.free(start, false);
    }
  }

  kindOf(address: number): Kind | null {
    return this.#find(address)?.kind ?? null;
  }

  /** Where a kernel finds what a pointer of the host leads to; null where that is no memory of the GPU's. */
  forKernel(address: number): DeviceRange | null {
    const found = this.#find(address);
    if (found === null) return null;
    const buffer = found.buffer ?? this.#newBuffer(found.bytes);
    found.buffer = buffer;
    const offset = address - found.start;
    if (found.kind !== "device" && !found.onDevice) {
      const onHost = this.#host.bytes(found.start, found.bytes);
      const there = new Uint8Array(this.#gpu.memoryBuffer, buffer.address, found.bytes);
      if (!equalBytes(there, onHost)) {
        there.set(onHost);
        this.writes++;
      }
      found.onDevice = true;
    }
    return { address: buffer.address + offset, bytes: found.bytes - offset, buffer };
  }

  /** The host has waited: managed and mapped memory has the GPU's values. */
  toHost(): void {
    for (const each of this.#allocations.values()) {
      if (each.kind === "device" || !each.onDevice || each.buffer === null) continue;
      this.#host
        .bytes(each.start, each.bytes)
        .set(new Uint8Array(this.#gpu.memoryBuffer, each.buffer.address, each.bytes));
      each.onDevice = false;
    }
  }

  #bytes(allocation: Allocation | null, address: number, count: number, writes: boolean): Uint8Array | null {
    if (allocation?.kind === "device") {
      if (writes) this.writes++;
      const at = allocation.buffer!.address + address - allocation.start;
      return new Uint8Array(this.#gpu.memoryBuffer, at, count);
    }
    return this.#host.holds(address, count) ? this.#host.bytes(address, count) : null;
  }

  /** cudaMemcpy and cudaMemcpy2D. @returns CUDA's name of the error, or null */
  copy(to: number, from: number, rows: CopyRows | number, way: CopyWay): string | null {
    const { width, height, toPitch, fromPitch } = typeof rows === "number" ? ONE_ROW(rows) : rows;
    if (width === 0 || height === 0) return null;
    if (width > toPitch || width > fromPitch) return "cudaErrorInvalidPitchValue";
    const [toBytes, fromBytes] = [toPitch, fromPitch].map((pitch) => pitch * (height - 1) + width) as [number, number];
    const [target, source] = [this.#find(to, toBytes), this.#find(from, fromBytes)];
    const toDevice = target?.kind === "device";
    const fromDevice = source?.kind === "device";
    const { kind } = way;
    const wrong =
      (target === null && to >= HOST_BYTES) ||
      (source === null && from >= HOST_BYTES) ||
      (/ToHost$/.test(kind) && toDevice) ||
      (/ToDevice$/.test(kind) && target?.kind !== "managed" && target?.kind !== "pinned" && !toDevice) ||
      (/^HostTo/.test(kind) && fromDevice) ||
      (/^DeviceTo/.test(kind) && source?.kind !== "managed" && source?.kind !== "pinned" && !fromDevice);
    if (wrong) this.#refuseCopy(to, from, width * height, kind);
    if (target?.onDevice === true && !toDevice) this.toHost();
    if (source?.onDevice === true && !fromDevice) this.toHost();
    const [into, out] = [this.#bytes(target, to, toBytes, true), this.#bytes(source, from, fromBytes, false)];
    if (into === null || out === null) return this.#refuseCopy(to, from, width * height, kind);
    this.#noteCopy(target, source, { to, from, bytes: width * height, pitch: height === 1 ? 0 : toPitch, height }, way);
    for (let y = 0; y < height; y++) {
      into.set(out.subarray(y * fromPitch, y * fromPitch + width), y * toPitch);
    }
    return null;
  }

  #refuseCopy(to: number, from: number, bytes: number, kind: CopyKind): never {
    const what = `a copy of ${bytes} bytes, cudaMemcpy${kind}, goes from ${this.#described(from)} to ${this.#described(to)}.`;
    const cure = "Compare the pointers with the direction, and the bytes with what was allocated.";
    return refuseCall("cudaErrorInvalidValue", what, cure);
  }

  #noteCopy(
    target: Allocation | null,
    source: Allocation | null,
    copy: {
      readonly to: number;
      readonly from: number;
      readonly bytes: number;
      readonly pitch: number;
      readonly height: number;
    },
    { stream, async }: CopyWay,
  ): void {
    const device = this.#gpu.device;
    const common = {
      kind: "copy",
      owner: this.#gpu,
      bytes: copy.bytes,
      device,
      stream,
      async,
      elementBytes: 4,
    } as const;
    const rows = copy.pitch === 0 ? null : { count: copy.height, pitchBytes: copy.pitch };
    const placeOf = (allocation: Allocation, address: number): number =>
      allocation.buffer!.address + address - allocation.start;
    const hostSide = (allocation: Allocation | null, address: number) =>
      allocation === null
        ? ({ host: "pageable", pinned: null } as const)
        : ({ host: "pinned", pinned: { memory: this.#host.buffer, offset: address, bytes: copy.bytes } } as const);
    if (target?.kind === "device" && source?.kind === "device") {
      const from = placeOf(source, copy.from);
      note({ ...common, way: "DtoD", address: placeOf(target, copy.to), host: null, pinned: null, from, rows });
    } else if (target?.kind === "device") {
      const address = placeOf(target, copy.to);
      note({ ...common, way: "HtoD", address, ...hostSide(source, copy.from), from: null, rows });
    } else if (source?.kind === "device") {
      const address = placeOf(source, copy.from);
      note({ ...common, way: "DtoH", address, ...hostSide(target, copy.to), from: null, rows });
    }
  }

  /** cudaMemset and cudaMemset2D. @returns CUDA's name of the error, or null */
  fill(
    to: number,
    value: number,
    rows: { readonly width: number; readonly height: number; readonly pitch: number },
    way: CopyWay,
  ): string | null {
    const { width, height, pitch } = rows;
    if (width === 0 || height === 0) return null;
    const bytes = pitch * (height - 1) + width;
    const found = this.#find(to, bytes);
    if (found === null) {
      const what = `cudaMemset of ${bytes} bytes is given ${this.#described(to)}.`;
      return refuseCall("cudaErrorInvalidValue", what, "Give it memory of the GPU with as many bytes.");
    }
    if (found.kind !== "device" && found.onDevice) this.toHost();
    const target = this.#bytes(found, to, bytes, true);
    if (target === null) return "cudaErrorInvalidValue";
    if (found.kind === "device") {
      const { stream, async } = way;
      const address = found.buffer!.address + to - found.start;
      note({ kind: "memset", owner: this.#gpu, address, bytes, device: this.#gpu.device, stream, async });
    }
    for (let y = 0; y < height; y++) target.fill(value & 255, y * pitch, y * pitch + width);
    return null;
  }
}
