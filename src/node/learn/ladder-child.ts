/** Runs the learner's own kernels in a process of its own. */
import "../files-on-disk.js";
import "../platform.js";
import { serveRequests } from "../grade/limited-request.js";
import { type LadderEntry, ladderSteps } from "./own-ladder.js";

serveRequests(({ entries }: { readonly entries: readonly LadderEntry[] }) => ladderSteps(entries));
