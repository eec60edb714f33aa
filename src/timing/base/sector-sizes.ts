/** Sizes that all GPUs of the catalog share: L2 keeps lines of four sectors, DRAM's bursts are pieces of two. */
export const SECTOR_BYTES = 32;
export const SECTORS_PER_LINE = 4;
export const LINE_BYTES: number = SECTORS_PER_LINE * SECTOR_BYTES;
export const SECTORS_PER_BURST = 2;
