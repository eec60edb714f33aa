/** The reference engine and its stepper. */
import type { Engine } from "../engine.js";
import { createReferenceEngine } from "./reference-engine.js";

export {
  createReferenceEngine,
  type ReferenceEngine,
  type ReferenceOptions,
  type ReferenceResult,
  type Schedule,
} from "./reference-engine.js";

/** The reference engine with the default schedule and no observer. */
export const referenceEngine: Engine = createReferenceEngine();

export { SeededRandom } from "./schedule/seeded-random.js";
export {
  createStepper,
  type LaneGroup,
  type RegisterView,
  type StepPosition,
  type Stepper,
  type StepperOptions,
  type WarpView,
} from "./stepper.js";
export type { Hold } from "./warp.js";
