/** Allocations and copies of a program, by what CUDA's runtime API says of each call. */
import { expect, test } from "vitest";
import { ProgramHere, WAY } from "./program-here.js";

const INVALID_VALUE = 1;
const OUT_OF_MEMORY = 2;
const INVALID_PITCH = 12;
const INVALID_SYMBOL = 13;
const INVALID_DIRECTION = 21;

function filled(program: ProgramHere, count: number): number {
  const at = program.place(4 * count);
  program.ints(at, count).forEach((_, index, ints) => {
    ints[index] = 100 + index;
  });
  return at;
}

test("a copy goes to the GPU, within it and back with all its bytes, whether its way is named or told by the pointers", () => {
  for (const named of [true, false]) {
    const program = new ProgramHere();
    const way = (kind: number): number => (named ? kind : WAY.default);
    const [from, to] = [filled(program, 8), program.place(32)];
    const [a, b] = [program.made("cudaMalloc", 32), program.made("cudaMalloc", 32)];
    expect(program.call("cudaMemcpy", a, from, 32, way(WAY.hostToDevice))).toBe(0);
    expect(program.call("cudaMemcpy", b, a, 32, way(WAY.deviceToDevice))).toBe(0);
    expect(program.call("cudaMemcpy", to, b + 8, 24, way(WAY.deviceToHost))).toBe(0);
    expect([...program.ints(to, 8)]).toEqual([102, 103, 104, 105, 106, 107, 0, 0]);
    expect(program.call("cudaMemcpy", to, from, 8, way(WAY.hostToHost))).toBe(0);
    expect([...program.ints(to, 3)]).toEqual([100, 101, 104]);
    expect(program.told).toEqual([]);
  }
});

test("a copy of rows takes the first bytes of each, by the distance of both sides", () => {
  const program = new ProgramHere();
  const pitchAt = program.place();
  const at = program.place();
  expect(program.call("cudaMallocPitch", at, pitchAt, 12, 3)).toBe(0);
  const [rows, pitch] = [program.host.u32(at), program.host.u32(pitchAt)];
  expect(pitch % 32).toBe(0);
  expect(pitch).toBeGreaterThanOrEqual(12);
  const from = filled(program, 12);
  expect(program.call("cudaMemcpy2D", rows, pitch, from, 16, 12, 3, WAY.hostToDevice)).toBe(0);
  const to = program.place(48);
  expect(program.call("cudaMemcpy2D", to, 12, rows, pitch, 12, 3, WAY.deviceToHost)).toBe(0);
  expect([...program.ints(to, 9)]).toEqual([100, 101, 102, 104, 105, 106, 108, 109, 110]);
  expect(program.call("cudaMemcpy2D", to, 8, rows, pitch, 12, 3, WAY.deviceToHost)).toBe(INVALID_PITCH);
});

test("cudaMemset writes its value's lowest byte, in rows too", () => {
  const program = new ProgramHere();
  const device = program.made("cudaMalloc", 64);
  expect(program.call("cudaMemset", device, 0x1ff, 64)).toBe(0);
  expect(program.call("cudaMemset2D", device, 32, 0, 8, 2)).toBe(0);
  const to = program.place(64);
  program.call("cudaMemcpy", to, device, 64, WAY.deviceToHost);
  expect([...program.ints(to, 16)]).toEqual([0, 0, -1, -1, -1, -1, -1, -1, 0, 0, -1, -1, -1, -1, -1, -1]);
});

test("managed memory is the host's own, begins as zeros, and is a copy's other side", () => {
  const program = new ProgramHere();
  const managed = program.made("cudaMallocManaged", 32, 1);
  expect([...program.ints(managed, 8)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  expect(program.call("cudaMemcpy", managed, filled(program, 8), 32, WAY.hostToDevice)).toBe(0);
  expect(program.ints(managed, 8)[7]).toBe(107);
  expect(program.call("cudaFree", managed)).toBe(0);
});

test("attributes of a pointer tell where its memory lies", () => {
  const program = new ProgramHere();
  const kinds = [
    program.place(),
    program.made("cudaMallocHost", 16),
    program.made("cudaMalloc", 16),
    program.made("cudaMallocManaged", 16, 1),
  ];
  const at = program.place(16);
  const types = kinds.map((pointer) => {
    program.call("cudaPointerGetAttributes", at, pointer);
    return program.host.u32(at);
  });
  // cudaMemoryTypeUnregistered, Host, Device, Managed.
  expect(types).toEqual([0, 1, 2, 3]);
});

test("memory of the host is registered once and unregistered once", () => {
  const program = new ProgramHere();
  const at = program.place(64);
  expect(program.call("cudaHostRegister", at, 64, 0)).toBe(0);
  expect(program.call("cudaHostRegister", at, 64, 0)).toBe(712);
  expect(program.call("cudaHostUnregister", at)).toBe(0);
  expect(program.call("cudaHostUnregister", at)).toBe(713);
});

test("cudaMemGetInfo tells less once memory is taken, and as much again once it is free", () => {
  const program = new ProgramHere();
  const [free, total] = [program.place(), program.place()];
  const left = (): number => {
    program.call("cudaMemGetInfo", free, total);
    return program.host.u32(free);
  };
  const before = left();
  const device = program.made("cudaMalloc", 1 << 20);
  expect(before - left()).toBe(1 << 20);
  program.call("cudaFree", device);
  expect(left()).toBe(before);
});

test.each<readonly [string, number, RegExp, (program: ProgramHere) => number]>([
  [
    "memory that was freed is freed again",
    INVALID_VALUE,
    /cudaFree is given memory that was freed/,
    (program) => {
      const device = program.made("cudaMalloc", 64);
      program.call("cudaFree", device);
      return program.call("cudaFree", device);
    },
  ],
  [
    "memory that was freed is copied to",
    INVALID_VALUE,
    /cudaMemcpyHostToDevice, goes from memory of the host to memory that was freed/,
    (program) => {
      const device = program.made("cudaMalloc", 64);
      program.call("cudaFree", device);
      return program.call("cudaMemcpy", device, program.place(64), 64, WAY.hostToDevice);
    },
  ],
  [
    "a pointer into an allocation is freed",
    INVALID_VALUE,
    /byte 8 of memory of the GPU, which has 64 bytes/,
    (program) => program.call("cudaFree", program.made("cudaMalloc", 64) + 8),
  ],
  [
    "page-locked memory is freed by cudaFree",
    INVALID_VALUE,
    /cudaFree is given page-locked memory of 64 bytes/,
    (program) => program.call("cudaFree", program.made("cudaMallocHost", 64)),
  ],
  [
    "memory of the GPU is freed by cudaFreeHost",
    INVALID_VALUE,
    /cudaFreeHost is given memory of the GPU/,
    (program) => program.call("cudaFreeHost", program.made("cudaMalloc", 64)),
  ],
  [
    "a copy goes against its direction",
    INVALID_VALUE,
    /cudaMemcpyDeviceToHost, goes from memory of the host to memory of the GPU of 64 bytes/,
    (program) => program.call("cudaMemcpy", program.made("cudaMalloc", 64), program.place(64), 64, WAY.deviceToHost),
  ],
  [
    "a copy is longer than the memory",
    INVALID_VALUE,
    /a copy of 68 bytes.* to memory of the GPU of 64 bytes/,
    (program) => program.call("cudaMemcpy", program.made("cudaMalloc", 64), program.place(128), 68, WAY.hostToDevice),
  ],
  [
    "a copy has no direction that there is",
    INVALID_DIRECTION,
    /a copy has the direction 9/,
    (program) => program.call("cudaMemcpy", program.made("cudaMalloc", 64), program.place(64), 64, 9),
  ],
  [
    "a copy is given a null pointer",
    INVALID_VALUE,
    /goes from memory of the host to a null pointer/,
    (program) => program.call("cudaMemcpy", 0, program.place(64), 64, WAY.hostToDevice),
  ],
  [
    "cudaMemset is given memory of the host",
    INVALID_VALUE,
    /cudaMemset of 16 bytes is given memory of the host/,
    (program) => program.call("cudaMemset", program.place(16), 0, 16),
  ],
  [
    "cudaMalloc is given no place",
    INVALID_VALUE,
    /no place for its pointer/,
    (program) => program.call("cudaMalloc", 0, 16),
  ],
  [
    "the GPU has not so much memory",
    OUT_OF_MEMORY,
    /cudaErrorMemoryAllocation/,
    (program) => program.call("cudaMalloc", program.place(), 65 << 20),
  ],
  [
    "the host has not so much memory",
    OUT_OF_MEMORY,
    /the host has no 67108864 bytes more/,
    (program) => program.call("cudaMallocHost", program.place(), 64 << 20),
  ],
])("where %s the call has CUDA's code %i and stderr the reason", (_, code, sentence, wrong) => {
  const program = new ProgramHere();
  expect(wrong(program)).toBe(code);
  expect(program.told.join("")).toMatch(sentence);
  // The next call goes well, and the error stays until it is asked for.
  expect(program.made("cudaMalloc", 16)).toBeGreaterThan(0);
  expect(program.call("cudaPeekAtLastError")).toBe(code);
  expect(program.call("cudaGetLastError")).toBe(code);
  expect(program.call("cudaGetLastError")).toBe(0);
});

test("the same mistake in a loop is told once", () => {
  const program = new ProgramHere();
  for (let i = 0; i < 3; i++) program.call("cudaFree", program.place());
  expect(program.told.length).toBe(1);
});

test("no bytes are a copy, and a null pointer is freed, without an error", () => {
  const program = new ProgramHere();
  expect(program.call("cudaMemcpy", 0, 0, 0, WAY.hostToDevice)).toBe(0);
  expect(program.call("cudaFree", 0)).toBe(0);
  expect(program.call("cudaFreeHost", 0)).toBe(0);
  expect(program.call("cudaMalloc", program.place(), 0)).toBe(0);
});

test("a variable of the device has memory of its bytes; another address is no symbol", () => {
  const program = new ProgramHere();
  const [variable, name, at, bytes] = [program.place(), program.place(16), program.place(), program.place()];
  program.host.bytes(name, 5).set(new TextEncoder().encode("beta\0"));
  program.call("__cudaRegisterVar", 1, variable, 0, name, 0, 24);
  expect(program.call("__warplab_symbol", at, bytes, variable)).toBe(0);
  expect(program.host.u32(bytes)).toBe(24);
  expect(program.call("cudaMemcpy", program.host.u32(at), filled(program, 6), 24, WAY.hostToDevice)).toBe(0);
  expect(program.call("__warplab_symbol", at, bytes, variable + 4)).toBe(INVALID_SYMBOL);
});

test("cudaDeviceReset frees the GPU's memory and forgets errors", () => {
  const program = new ProgramHere();
  const device = program.made("cudaMalloc", 64);
  program.call("cudaFree", device + 4);
  expect(program.call("cudaDeviceReset")).toBe(0);
  expect(program.call("cudaGetLastError")).toBe(0);
  expect(program.call("cudaFree", device)).toBe(INVALID_VALUE);
  expect(program.gpu.allocatedBytes).toBe(0);
});
