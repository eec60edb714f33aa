/** One number that a microbenchmark printed, and the line that it stands in. */

/** A line of the output. */
export type Row = Readonly<Record<string, unknown>>;

export interface Reading {
  readonly name: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly unit: string;
  /** What printed it, for the source of a number. */
  readonly from: string;
}
