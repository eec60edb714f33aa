/**
 * The numbers that hardware can have, by the ending of a field's name: a factor of a hundred and more beyond any GPU so
 * far. Beyond them the timing model would count for ever, or lose the small in the large.
 */

export interface FieldRange {
  readonly low: number;
  readonly high: number;
}

type Row = readonly [fields: RegExp, low: number, high: number];

/** The first row that names the field holds. */
const ROWS: readonly Row[] = [
  [/MHz$/, 1, 20_000],
  [/GBps$/, 0.01, 1_000_000],
  [/(Nanoseconds|Microseconds)$/, 0, 1_000_000],
  [/bytesPerCycle|BytesPerCycle/, 0.01, 100_000],
  [/Interval(PerValue)?Cycles(PerSm)?$/, 0.001, 100_000],
  [/Cycles(PerSm)?$/, 0, 100_000],
  [/(Fraction|Share)$/, 0, 10],
  [/Factor$/, 0.01, 100],
  [/totalGlobalMemBytes$/, 2 ** 20, 2 ** 44],
  [/(Bytes|BytesPerSm|BytesPerBlock|BytesPerBlockOptIn)(\[\d+\])?$/, 0, 2 ** 36],
  [/maxGridDim/, 1, 2 ** 31 - 1],
  [/^smCount$/, 1, 4096],
  [/^(schedulersPerSm|issueWidthPerScheduler)$/, 1, 64],
  [/^computeCapability\./, 0, 99],
  [/^limits\.maxThreadsPer|^limits\.registersPer/, 1, 2 ** 20],
  [/^limits\./, 0, 2 ** 16],
];

const OTHERS: FieldRange = { low: 0, high: 2 ** 20 };

/** The range of a field by its dotted path. */
export function rangeOf(field: string): FieldRange {
  const row = ROWS.find(([fields]) => fields.test(field));
  return row === undefined ? OTHERS : { low: row[1], high: row[2] };
}
