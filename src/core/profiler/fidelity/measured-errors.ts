/**
 * How far the model is off, by GPU: means over the launches that npm run validate compares, the errors without their signs.
 * Condensed from test/reference/checked/validation.json, launches with cold caches; a test holds it to that file.
 */

export interface MeasuredError {
  /** Launches that were measured on that GPU. */
  readonly launches: number;
  /** Mean of the errors without their signs, in the unit that the field's name has. */
  readonly mean: number;
}

export interface MeasuredErrors {
  readonly timePercent: MeasuredError | null;
  readonly instructionsPercent: MeasuredError | null;
  readonly occupancyPoints: MeasuredError | null;
  readonly l1HitRatePoints: MeasuredError | null;
  readonly l2HitRatePoints: MeasuredError | null;
}

/** By the GPU's id; others have no measured launch. */
export const MEASURED_ERRORS: Readonly<Record<string, MeasuredErrors>> = {
  h200: {
    timePercent: { launches: 2258, mean: 4.86 },
    instructionsPercent: { launches: 2258, mean: 1.85 },
    occupancyPoints: { launches: 2258, mean: 2.82 },
    l1HitRatePoints: { launches: 2257, mean: 1.2 },
    l2HitRatePoints: { launches: 2257, mean: 2.81 },
  },
  m2070: {
    timePercent: { launches: 10, mean: 10.73 },
    instructionsPercent: { launches: 10, mean: 1.03 },
    occupancyPoints: null,
    l1HitRatePoints: null,
    l2HitRatePoints: null,
  },
  rtx3080: {
    timePercent: { launches: 61, mean: 9.94 },
    instructionsPercent: { launches: 9, mean: 0.0 },
    occupancyPoints: null,
    l1HitRatePoints: null,
    l2HitRatePoints: null,
  },
  v100: {
    timePercent: { launches: 43, mean: 5.07 },
    instructionsPercent: { launches: 9, mean: 0.0 },
    occupancyPoints: null,
    l1HitRatePoints: null,
    l2HitRatePoints: null,
  },
};
