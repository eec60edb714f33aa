/** Runs the learner's own kernels in a process of its own. */
import "../files-on-disk.js";
import "../platform.js";
import { endWithResult, limitedRequest } from "../grade/limited-request.js";
import { type LadderEntry, ladderSteps } from "./own-ladder.js";

endWithResult(ladderSteps(limitedRequest<{ readonly entries: readonly LadderEntry[] }>().entries));
