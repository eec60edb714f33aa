/**
 * The sectors of a warp's local memory that one request touches. The lanes are interleaved: word w of all 32 lanes is
 * line w of the warp. So one index for all lanes is one line, and indices that differ touch a line for each value.
 * Sources: CUDA C++ Programming Guide, local memory; 4 and 32 sectors in Nsight Compute (h200/micro/local.json).
 */
import type { TraceEvent } from "../../engine.js";
import { returnedWavefronts } from "../../semantics/l1-tags.js";
import { insert } from "./coalescing.js";

const WORD_BYTES = 4;
const LINE_BYTES = 128;
const SECTORS_OF_LINE = 4;
const LANES_OF_SECTOR = 8;

/** Where each lane's word of the request stands in the warp's local memory. */
const places = new Int32Array(32);

/** `addresses`: bytes from the start of each lane's own memory. Sectors count from the start of the warp's. */
export function collectLocalSectors(addresses: Int32Array, mask: number, bytes: number, event: TraceEvent): void {
  const words = Math.max(1, bytes / WORD_BYTES);
  let count = 0;
  let returned = 0;
  for (let word = 0; word < words; word++) {
    for (let m = mask; m !== 0; m &= m - 1) {
      const lane = 31 - Math.clz32(m & -m);
      const line = (addresses[lane]! >>> 2) + word;
      places[lane] = line * LINE_BYTES + lane * WORD_BYTES;
      count = insert(event.sectors, count, line * SECTORS_OF_LINE + Math.floor(lane / LANES_OF_SECTOR));
    }
    if (mask !== 0) returned += returnedWavefronts(places, mask, WORD_BYTES);
  }
  event.sectorCount = count;
  // Each lane has a bank of its own.
  event.wavefronts = words;
  event.returnedWavefronts = returned;
}
