/** Item analysis of an exercise: how hard a check is, and whether it agrees with the others on who does well. */

export interface ItemAnalysis {
  /** Mean part of the check's points: 1 where everybody has all. null for nobody. */
  readonly difficulty: number | null;
  /**
   * Correlation of the check's points with those of all other checks, -1 to 1. A check below 0.2 tells little about a learner; below 0,
   * it is at odds with the others. null where all have the same.
   */
  readonly discrimination: number | null;
}

const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;

function correlation(a: readonly number[], b: readonly number[]): number | null {
  const [meanA, meanB] = [mean(a), mean(b)];
  let [both, squaresA, squaresB] = [0, 0, 0];
  for (const [index, value] of a.entries()) {
    const [x, y] = [value - meanA, (b[index] ?? 0) - meanB];
    both += x * y;
    squaresA += x * x;
    squaresB += y * y;
  }
  return squaresA === 0 || squaresB === 0 ? null : both / Math.sqrt(squaresA * squaresB);
}

/**
 * @param points of each learner, by check
 * @param index of the check
 * @param outOf its points
 */
export function itemAnalysis(points: readonly (readonly number[])[], index: number, outOf: number): ItemAnalysis {
  if (points.length === 0) return { difficulty: null, discrimination: null };
  const own = points.map((each) => each[index] ?? 0);
  const others = points.map((each) => each.reduce((sum, one) => sum + one, 0) - (each[index] ?? 0));
  return { difficulty: mean(own) / outOf, discrimination: correlation(own, others) };
}
