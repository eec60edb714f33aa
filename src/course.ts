/** `warplab/course`: the ladders of reductions, published numbers, exercises and predictions. */

export type { Answer } from "./course/exercises/answer.js";
export { type CheckOptions, checkExercise } from "./course/exercises/check.js";
export type { ExerciseId } from "./course/exercises/exercise.js";
export { exercise, exerciseIds } from "./course/exercises/exercise.js";
export type { CheckSpec, DrawRange, ExerciseSpec, Limit } from "./course/exercises/spec.js";
export { type CheckResult, type Verdict, verdictTable } from "./course/exercises/verdict.js";
export { type DetectiveCase, detectiveCase } from "./course/lesson/detective-case.js";
export { type Guess, guessTable } from "./course/lesson/guess-table.js";
export {
  type LanesOverTimeOptions,
  type LineStretch,
  lanesOverTime,
  lineStretches,
} from "./course/lesson/lanes-over-time.js";
export { type Found, type Prediction, predict } from "./course/lesson/prediction.js";
export { watchShuffles } from "./course/lesson/watch-shuffles.js";
export { besidePublished } from "./course/reductions/beside-published.js";
export { type Comparison, compare } from "./course/reductions/compare.js";
export { type Counted, counts, type QuantityName } from "./course/reductions/counts.js";
export { type AccessChoice, bankFigure, elementFigure, workFigure } from "./course/reductions/lane-pictures.js";
export { partialSumsFigure } from "./course/reductions/partial-sums.js";
export { type PublishedRow, type PublishedTable, publishedTable } from "./course/reductions/published.js";
export { type PublishedSweep, publishedSweep, type SweepRow } from "./course/reductions/published-sweep.js";
export type { Reduction } from "./course/reductions/reduction.js";
export {
  ones,
  type ReductionOptions,
  type ReductionRun,
  randomFloats,
  randomInts,
  runVersion,
  sumInt32,
} from "./course/reductions/reduction-run.js";
export {
  example03Reductions,
  labReductions,
  lastWarpWithSyncwarp,
  noteReductions,
  type ReductionVersion,
  reductionById,
  warpReductions,
} from "./course/reductions/reductions.js";
export { type RunReductionOptions, runReduction } from "./course/reductions/run-reduction.js";
export { sectorFigure } from "./course/reductions/sector-figure.js";
export { type LineAccess, type LineVisit, type WatchOptions, watchLine } from "./course/reductions/watch-line.js";
export {
  type Ladder,
  type LadderId,
  type LadderOptions,
  type LadderRow,
  simulateLadder,
} from "./course/tables/ladder.js";
export {
  ladderFigures,
  type NamedFigure,
  publishedComparison,
  speedupsTable,
  timesTable,
} from "./course/tables/ladder-tables.js";
