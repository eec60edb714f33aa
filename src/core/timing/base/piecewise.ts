/** A piecewise linear function through measured points, constant beyond the first and the last. */

/** Two or more points in increasing order of x. */
export type Points = readonly (readonly [x: number, y: number])[];

export function valueAt(points: Points, x: number): number {
  let i = 1;
  while (i < points.length - 1 && points[i]![0] < x) i++;
  const [before, low] = points[i - 1]!;
  const [after, high] = points[i]!;
  return low + (high - low) * Math.min(1, Math.max(0, (x - before) / (after - before)));
}
