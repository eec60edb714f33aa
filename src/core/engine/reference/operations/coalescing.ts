/** The sectors (32 bytes) and lines (128 bytes) of global memory that one warp's request touches. */
import type { TraceEvent } from "../../engine.js";
import { populationCount } from "../../population-count.js";

/**
 * Writes the distinct sector numbers (byte address / 32) of the lanes in `mask`, ascending, into the event. Accesses are
 * aligned, so that one of up to 16 bytes touches one sector; `bytes` of 32 is two accesses of 16.
 */
export function collectSectors(addresses: Int32Array, mask: number, bytes: number, event: TraceEvent): void {
  const { sectors } = event;
  let count = 0;
  let last = -1;
  if (mask === -1 && bytes <= 16) {
    let lane = 0;
    for (; lane < 32; lane++) {
      const sector = addresses[lane]! >>> 5;
      if (sector === last) continue;
      if (sector < last) break;
      sectors[count++] = sector;
      last = sector;
    }
    if (lane === 32) {
      event.sectorCount = count;
      return;
    }
    count = 0;
    last = -1;
  }
  for (let m = mask; m !== 0; m &= m - 1) {
    const address = addresses[31 - Math.clz32(m & -m)]!;
    for (let part = 0; part < bytes; part += 16) {
      const sector = (address + part) >>> 5;
      if (sector === last) continue;
      if (sector > last) {
        sectors[count++] = sector;
        last = sector;
      } else {
        count = insert(sectors, count, sector);
        last = sectors[count - 1]!;
      }
    }
  }
  event.sectorCount = count;
}

/** Adds a sector to the first `count` of an ascending list without doubles; returns how many there are now. */
export function insert(sectors: Uint32Array, count: number, sector: number): number {
  let at = count;
  while (at > 0 && sectors[at - 1]! > sector) at--;
  if (at > 0 && sectors[at - 1] === sector) return count;
  for (let k = count; k > at; k--) sectors[k] = sectors[k - 1]!;
  sectors[at] = sector;
  return count + 1;
}

/**
 * For atomics of the lanes in `mask`: repeats each sector as often as lanes share its most contended address. L2 takes the
 * sector up that often.
 */
export function repeatSectors(addresses: Int32Array, mask: number, event: TraceEvent): void {
  const { sectors, sectorCount } = event;
  if (sectorCount === populationCount(mask)) return;
  distinct.set(sectors.subarray(0, sectorCount));
  lanesOf.fill(0, 0, sectorCount);
  for (let m = mask; m !== 0; m &= m - 1) {
    const lane = 31 - Math.clz32(m & -m);
    const sector = addresses[lane]! >>> 5;
    let at = 0;
    while (distinct[at] !== sector) at++;
    lanesOf[at]! |= 1 << lane;
  }
  let count = 0;
  for (let at = 0; at < sectorCount; at++) {
    const most = mostAtOneAddress(addresses, lanesOf[at]!);
    sectors.fill(distinct[at]!, count, count + most);
    count += most;
  }
  event.sectorCount = count;
}

/** The sectors of the current request, each once, and the lanes that go to each, a bit each. */
const distinct = new Uint32Array(64);
const lanesOf = new Int32Array(64);

/** The largest number of lanes in `mask` that share an address. */
function mostAtOneAddress(addresses: Int32Array, mask: number): number {
  let most = 0;
  for (let left = mask; left !== 0; left &= left - 1) {
    const address = addresses[31 - Math.clz32(left & -left)]!;
    let lanes = 0;
    for (let m = left; m !== 0; m &= m - 1) if (addresses[31 - Math.clz32(m & -m)] === address) lanes++;
    if (lanes > most) most = lanes;
  }
  return most;
}

/** Distinct 128-byte lines of an ascending list of sectors. */
export function countLines(sectors: Uint32Array, count: number): number {
  let lines = 0;
  let last = -1;
  for (let k = 0; k < count; k++) {
    const line = sectors[k]! >>> 2;
    if (line !== last) lines++;
    last = line;
  }
  return lines;
}
