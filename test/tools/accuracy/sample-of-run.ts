import { type CheckName, readChecked } from "../../../src/tools/accuracy/checked-record.js";
import { changedSources, type Hashes } from "../../../src/tools/accuracy/checked-sources.js";
import type { Sample } from "../../../src/tools/accuracy/sample.js";

/**
 * How many predictions a test run compares with the recorded ones: one in 128 where all were checked with these very
 * sources; else one in sixteen, and one in eight with WARPLAB_RECORDED=all.
 */
export function sampleOfRun(name: CheckName, sources: Hashes): Sample {
  const checked = readChecked(name);
  if (checked !== null && changedSources(sources, checked.sources).length === 0) return "few";
  return process.env.WARPLAB_RECORDED === "all" ? "recorded" : "quick";
}
