/** One launch: its size, its data's seed, and the block of it that is traced, as a part of the grid from 0 to 1. */
export interface Case {
  readonly n: number;
  readonly block: number;
  readonly dataSeed: number;
  readonly traced: number;
  /** One of many launches of which the sums alone are looked at. */
  readonly sumsAlone?: true;
  /** Blocks of the launch, where they are not those that its size asks for. */
  readonly grid?: number;
  /** The values of the input; random ints unless told. A list: each value is one of it, drawn. */
  readonly data?: "zeros" | "negative" | readonly number[];
}
