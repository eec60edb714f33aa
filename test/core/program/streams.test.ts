/** Streams, events and what a device says of itself, by what CUDA's runtime API says of each call. */
import { expect, test } from "vitest";
import { deviceById } from "../../../src/core/device/index.js";
import { CUDA_ERRORS } from "../../../src/core/frontend/cuda-cpp/host/errors.js";
import { ProgramHere, WAY } from "./program-here.js";

const INVALID_DEVICE = 101;
const UNSUPPORTED_LIMIT = 215;
const INVALID_HANDLE = 400;
const NOT_READY = 600;

const MEBIBYTE = 1 << 20;

test("events of a stream tell the time of a copy between them, which takes the data sheet's link no less", () => {
  const program = new ProgramHere();
  const stream = program.made("cudaStreamCreateWithFlags", 0);
  const [start, end] = [program.made("cudaEventCreateWithFlags", 0), program.made("cudaEventCreateWithFlags", 0)];
  const [pinned, device] = [program.made("cudaMallocHost", MEBIBYTE), program.made("cudaMalloc", MEBIBYTE)];
  program.call("cudaEventRecord", start, stream);
  program.call("cudaMemcpyAsync", device, pinned, MEBIBYTE, WAY.hostToDevice, stream);
  program.call("cudaEventRecord", end, stream);
  const at = program.place();
  expect(program.call("cudaEventElapsedTime", at, start, end)).toBe(NOT_READY);
  expect(program.call("cudaEventSynchronize", end)).toBe(0);
  expect(program.call("cudaGetLastError")).toBe(NOT_READY);
  expect(program.call("cudaEventElapsedTime", at, start, end)).toBe(0);
  // 16 GB/s is a PCIe link of 16 lanes of the third generation.
  expect(program.host.view.getFloat32(at, true)).toBeGreaterThan((MEBIBYTE / 16e9) * 1e3);
});

test("a stream that works is not ready; asked again, or waited for, it is", () => {
  const program = new ProgramHere();
  const stream = program.made("cudaStreamCreateWithFlags", 1);
  const [pinned, device] = [program.made("cudaMallocHost", MEBIBYTE), program.made("cudaMalloc", MEBIBYTE)];
  const copy = (): number => program.call("cudaMemcpyAsync", device, pinned, MEBIBYTE, WAY.hostToDevice, stream);
  expect(copy()).toBe(0);
  expect(program.call("cudaStreamQuery", stream)).toBe(NOT_READY);
  expect(program.call("cudaGetLastError")).toBe(NOT_READY);
  expect(program.call("cudaStreamQuery", stream)).toBe(0);
  copy();
  expect(program.call("cudaStreamSynchronize", stream)).toBe(0);
  expect(program.call("cudaStreamQuery", stream)).toBe(0);
  copy();
  expect(program.call("cudaDeviceSynchronize")).toBe(0);
  expect(program.call("cudaStreamQuery", stream)).toBe(0);
});

test("a stream waits for another one's event, so that its own work ends later", () => {
  const program = new ProgramHere();
  const [one, other] = [program.made("cudaStreamCreateWithFlags", 1), program.made("cudaStreamCreateWithFlags", 1)];
  const [before, after] = [program.made("cudaEventCreateWithFlags", 0), program.made("cudaEventCreateWithFlags", 0)];
  const [pinned, device] = [program.made("cudaMallocHost", MEBIBYTE), program.made("cudaMalloc", MEBIBYTE)];
  program.call("cudaMemcpyAsync", device, pinned, MEBIBYTE, WAY.hostToDevice, one);
  program.call("cudaEventRecord", before, one);
  expect(program.call("cudaStreamWaitEvent", other, before, 0)).toBe(0);
  program.call("cudaEventRecord", after, other);
  program.call("cudaDeviceSynchronize");
  const at = program.place();
  expect(program.call("cudaEventElapsedTime", at, before, after)).toBe(0);
  expect(program.host.view.getFloat32(at, true)).toBeGreaterThanOrEqual(0);
});

test.each<readonly [string, (program: ProgramHere, stream: number, event: number) => number]>([
  ["a stream that there is not is destroyed", (program) => program.call("cudaStreamDestroy", 77)],
  ["the default stream is destroyed", (program) => program.call("cudaStreamDestroy", 0)],
  [
    "a stream is destroyed twice",
    (program, stream) => {
      program.call("cudaStreamDestroy", stream);
      return program.call("cudaStreamDestroy", stream);
    },
  ],
  ["an event stands where a stream belongs", (program, _, event) => program.call("cudaStreamSynchronize", event)],
  ["a stream stands where an event belongs", (program, stream) => program.call("cudaEventSynchronize", stream)],
  ["a stream that there is not is asked", (program) => program.call("cudaStreamQuery", 77)],
  ["an event that there is not is asked", (program) => program.call("cudaEventQuery", 77)],
  ["a stream that there is not gets a record", (program, _, event) => program.call("cudaEventRecord", event, 77)],
  ["a stream waits for no event", (program, stream) => program.call("cudaStreamWaitEvent", stream, 77, 0)],
  ["a time ends with no event", (program, _, event) => program.call("cudaEventElapsedTime", 64, event, 77)],
  ["events were never recorded", (program, _, event) => program.call("cudaEventElapsedTime", 64, event, event)],
  [
    "a copy has no stream",
    (program) =>
      program.call("cudaMemcpyAsync", program.made("cudaMalloc", 64), program.place(64), 64, WAY.hostToDevice, 77),
  ],
])("where %s the call has the code of an invalid handle", (_, wrong) => {
  const program = new ProgramHere();
  const [stream, event] = [program.made("cudaStreamCreateWithFlags", 0), program.made("cudaEventCreateWithFlags", 0)];
  expect(wrong(program, stream, event)).toBe(INVALID_HANDLE);
  expect(program.call("cudaGetLastError")).toBe(INVALID_HANDLE);
  expect(program.call("cudaGetLastError")).toBe(0);
});

test("there is one device, of the GPU's properties", () => {
  const program = new ProgramHere("v100");
  expect(program.call("cudaSetDevice", 0)).toBe(0);
  expect(program.call("cudaSetDevice", 1)).toBe(INVALID_DEVICE);
  const name = program.place(256);
  const property = (field: string): number => {
    program.host.bytes(name, field.length + 1).set([...new TextEncoder().encode(field), 0]);
    return program.call("__warplab_property", name);
  };
  // NVIDIA's data sheet and programming guide of compute capability 7.0.
  expect(["major", "minor", "multiProcessorCount", "warpSize", "maxThreadsPerBlock"].map(property)).toEqual([
    7, 0, 80, 32, 1024,
  ]);
  expect(["maxThreadsDim.0", "maxThreadsDim.2", "maxGridSize.0", "maxGridSize.1"].map(property)).toEqual([
    1024, 64, 2147483647, 65535,
  ]);
  expect(property("sharedMemPerBlock")).toBe(49152);
  expect(property("noSuchField")).toBe(0);
  program.call("__warplab_device_name", name, 256);
  expect(program.host.text(name)).toBe(deviceById("v100").name);
});

test("limits are kept, and those that there are not have CUDA's code", () => {
  const program = new ProgramHere();
  const [stackSize, heapSize] = [0, 2];
  expect(program.made("cudaDeviceGetLimit", stackSize)).toBe(1024);
  expect(program.call("cudaDeviceSetLimit", heapSize, 1 << 26)).toBe(0);
  expect(program.made("cudaDeviceGetLimit", heapSize)).toBe(1 << 26);
  expect(program.call("cudaDeviceSetLimit", 99, 1)).toBe(UNSUPPORTED_LIMIT);
});

test("a launch of what is no kernel, and a call without a configuration, have CUDA's codes", () => {
  const program = new ProgramHere();
  const one = program.place(16);
  program.ints(one, 3).fill(1);
  expect(program.call("cudaLaunchKernel", 1234, one, one, one, 0, 0)).toBe(98);
  expect(program.told.join("")).toMatch(/no kernel of this program/);
  expect(program.call("__cudaPopCallConfiguration", one, one, one, one)).not.toBe(0);
});

test("codes, names and sentences of errors are each there once", () => {
  for (const of of [CUDA_ERRORS.map(({ code }) => String(code)), CUDA_ERRORS.map(({ name }) => name)]) {
    expect(new Set(of).size).toBe(of.length);
  }
  // As driver_types.h numbers them.
  const known = new Map(CUDA_ERRORS.map(({ code, name }) => [code, name]));
  expect([1, 2, 9, 98, 400, 600, 700, 719].map((code) => known.get(code))).toEqual([
    "cudaErrorInvalidValue",
    "cudaErrorMemoryAllocation",
    "cudaErrorInvalidConfiguration",
    "cudaErrorInvalidDeviceFunction",
    "cudaErrorInvalidResourceHandle",
    "cudaErrorNotReady",
    "cudaErrorIllegalAddress",
    "cudaErrorLaunchFailure",
  ]);
});
