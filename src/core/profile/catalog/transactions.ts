/**
 * Transactions of global memory as nvprof counts them. Fermi's cached loads and its stores move lines of 128 bytes;
 * later GPUs move sectors of 32 bytes. Uncached loads of Fermi (nvcc -Xptxas -dlcm=cg) move 32-byte segments too.
 */
import type { ProfiledLaunch } from "./metric-spec.js";

const SECTOR_BYTES = 32;
const LINE_BYTES = 128;

export interface Transactions {
  readonly count: number;
  readonly bytes: number;
}

export function loadTransactions({ counters, device }: ProfiledLaunch): Transactions {
  const lines = device.l1.sectorBytes === LINE_BYTES && device.l1.cachesGlobalLoads;
  return lines
    ? { count: counters.globalLoadLines, bytes: counters.globalLoadLines * LINE_BYTES }
    : { count: counters.globalLoadSectors, bytes: counters.globalLoadSectors * SECTOR_BYTES };
}

/** A transaction of Fermi's stores has one to four segments of its line: its bytes are those segments. */
export function storeTransactions({ counters, device }: ProfiledLaunch): Transactions {
  const bytes = counters.globalStoreSectors * SECTOR_BYTES;
  const lines = device.l1.sectorBytes === LINE_BYTES;
  return { count: lines ? counters.globalStoreLines : counters.globalStoreSectors, bytes };
}

/** Bytes that one wavefront of shared memory moves at most. */
export function wavefrontBytes({ device }: ProfiledLaunch): number {
  return device.sharedMemory.banks * device.sharedMemory.bankWidthBytes;
}
