/** All kernels of the five seed documents, for tests that go through every one. */
import { Kernel } from "../../src/core/frontend/kernel.js";
import * as day37 from "./day37.js";
import * as labs from "./labs.js";
import * as notes from "./notes.js";
import * as warpExamples from "./warp-examples.js";

/** Every kernel, in the order of the documents. */
export function everyKernel(): readonly Kernel[] {
  return [labs, notes, warpExamples, day37].flatMap((document) =>
    Object.values(document).filter((item): item is Kernel => item instanceof Kernel),
  );
}
