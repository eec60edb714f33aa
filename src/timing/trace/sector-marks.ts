/** How a trace's memory stream carries what is known of its sectors, once `mark-sectors.ts` has gone over it. */

/** Low bits of an encoded sector. */
export const FROM_DRAM = 0;
export const FROM_L2 = 1;
export const COMMON = 2;
export const CROWDED = 4;
export const PARTIAL = 8;
export const PENDING = 8;
/**
 * encoded = sector * 16 + (of stores PARTIAL if only part of it is written soon, of loads PENDING if it is on its way for the
 * next block, or for all) + (CROWDED if blocks on all SMs use it) + (COMMON if the same for all traced blocks) + (FROM_L2 if another block
 * has brought it).
 */
export const SECTOR_BITS = 4;
export const SECTOR_SHIFT: number = 1 << SECTOR_BITS;

/**
 * The second word of a global access's record: of loads cycles of L1's data stage, and below LOAD_WAVEFRONTS_SHIFT what DRAM asks
 * for it, in hundredths of what it asks for whole rows; of stores what it asks for parts of sectors, in hundredths of where each line has one, and whether they come in
 * laps, or that they go to lines in no order, and from STORE_WAVEFRONTS_SHIFT on cycles of the data stage; of atomics their type, and from
 * ATOMIC_SHARERS_SHIFT on how many SMs use their sectors, where not all do.
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
