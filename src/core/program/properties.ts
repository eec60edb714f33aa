/** The numbers of cudaDeviceProp by name, `maxGridSize.0` for a component. A program's host counts sizes with 32 bits. */
import type { Gpu } from "../host/gpu.js";

const LARGEST_SIZE = 0xffff_ffff;

/** What `gpu.properties` leaves out, as all these GPUs have it. */
const COMMON: Readonly<Record<string, number>> = {
  memPitch: 2147483647,
  textureAlignment: 512,
  texturePitchAlignment: 32,
  surfaceAlignment: 512,
  deviceOverlap: 1,
  canMapHostMemory: 1,
  streamPrioritiesSupported: 1,
  globalL1CacheSupported: 1,
  localL1CacheSupported: 1,
  managedMemory: 1,
  ECCEnabled: 1,
  maxTexture1D: 131072,
};

/** @returns 0 for what is not listed */
export function programProperty(gpu: Gpu, name: string): number {
  const [field = "", component] = name.split(".");
  const found = (gpu.properties as unknown as Readonly<Record<string, unknown>>)[field];
  if (Array.isArray(found)) return Number(found[Number(component)] ?? 0);
  if (typeof found === "number") return Math.min(found, LARGEST_SIZE);
  return COMMON[field] ?? 0;
}
