/** Sizes that all GPUs of the catalog share: L2 keeps lines of four sectors, DRAM's bursts are pieces of two. */
export const SECTOR_BYTES = 32;
export const SECTORS_PER_LINE = 4;
export const LINE_BYTES: number = SECTORS_PER_LINE * SECTOR_BYTES;
export const SECTORS_PER_PIECE = 2;

/**
 * Sectors written in part cost DRAM as much as this many whole ones, each time, if 1, 2 or more of a line are
 * (h200-memory-micro, part_write of 256 MiB, every 32nd, 16th, 8th word).
 */
const PARTIAL_OF_LINE = [2.5, 2.5, 1.3, 1, 1] as const;

/** What a part of a sector costs DRAM where a request writes so many sectors a line, in the mean. */
export function partialOfLine(sectors: number): number {
  const below = Math.min(SECTORS_PER_LINE - 1, Math.floor(sectors));
  const [low, high] = [PARTIAL_OF_LINE[below]!, PARTIAL_OF_LINE[below + 1]!];
  return low + (high - low) * (Math.min(SECTORS_PER_LINE, sectors) - below);
}
