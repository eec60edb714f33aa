/** The types and the loop step that the operations over lanes share. */

/** Gets the word offset of its warp's registers and the mask of lanes that act, which is not 0. */
export type LaneOperation = (base: number, mask: number) => void;

/** Rows of destination and sources, in words from the warp's start. */
export interface Rows {
  readonly d: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/** Lowest set bit's index. */
export function lowest(mask: number): number {
  return 31 - Math.clz32(mask & -mask);
}
