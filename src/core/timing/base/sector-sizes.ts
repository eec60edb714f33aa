/** Sizes that all GPUs of the catalog share: an L2 line has four sectors, a DRAM burst two. */
export const SECTOR_BYTES = 32;
export const SECTORS_PER_LINE = 4;
export const LINE_BYTES: number = SECTORS_PER_LINE * SECTOR_BYTES;
export const SECTORS_PER_BURST = 2;
