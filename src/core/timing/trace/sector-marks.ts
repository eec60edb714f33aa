/** The marks that `mark-sectors.ts` adds to the sectors of a trace's memory stream. */

/** Low bits of an encoded sector. */
export const FROM_DRAM = 0;
export const FROM_L2 = 1;
export const COMMON = 2;
export const CROWDED = 4;
export const PARTIAL = 8;
export const PENDING = 8;
/**
 * encoded = sector * 16 + marks. FROM_L2: another block has fetched the sector. COMMON: it is the same for all traced
 * blocks. CROWDED: blocks on all SMs use it. PARTIAL, of stores: only part of it is written soon. PENDING, of loads:
 * its fetch for the next block, or for all blocks, is still outstanding.
 */
export const SECTOR_BITS = 4;
export const SECTOR_SHIFT: number = 1 << SECTOR_BITS;

/**
 * The second word of a global access's record.
 *
 * - Load: data stage cycles of L1 from LOAD_WAVEFRONTS_SHIFT. The low bits have its DRAM cost in hundredths of the cost
 * of whole rows.
 *
 * - Store: data stage cycles from STORE_WAVEFRONTS_SHIFT. The low bits have the cost of partial sectors, in hundredths
 * of one in each line. They also mark stores that wrap around (LAP_STORE) and stores to lines in irregular order
 * (IRREGULAR_STORE).
 *
 * - Atomic: its type, and from ATOMIC_SHARERS_SHIFT the number of SMs that use its sectors, if not all do.
 */
export const LOAD_WAVEFRONTS_SHIFT = 16;
export const LOAD_COST_MASK: number = (1 << LOAD_WAVEFRONTS_SHIFT) - 1;
export const STORE_WAVEFRONTS_SHIFT = 20;
export const STORE_ORDER_MASK: number = (1 << STORE_WAVEFRONTS_SHIFT) - 1;
export const IRREGULAR_STORE = 1;
export const LAP_STORE: number = 1 << 16;
export const STORE_COST_MASK: number = LAP_STORE - 1;
export const FLOAT_ATOMIC = 1;
export const WIDE_ATOMIC = 2;
export const ATOMIC_SHARERS_SHIFT = 2;
