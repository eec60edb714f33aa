/** Which places of the compiler a compilation runs, by V8's precise coverage. */
import { type Profiler, Session } from "node:inspector";
import type { Place } from "./corpus.js";

export class Reach {
  private readonly session = new Session();
  /** Offsets of the places in each module. */
  private readonly offsets = new Map<string, number[]>();

  /** Counts what runs from now on. Functions that have run before count as wholes. */
  constructor(places: readonly Place[]) {
    for (const place of places) {
      const [module = "", offset] = place.split(":");
      const own = this.offsets.get(module) ?? [];
      this.offsets.set(module, own);
      own.push(Number(offset));
    }
    if (places.length === 0) return;
    this.session.connect();
    this.session.post("Profiler.enable");
    this.session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  /** The places that have run since the last call. */
  taken(): readonly Place[] {
    if (this.offsets.size === 0) return [];
    let scripts: readonly Profiler.ScriptCoverage[] = [];
    this.session.post("Profiler.takePreciseCoverage", (error, { result }) => {
      if (error !== null) throw error;
      scripts = result;
    });
    return scripts.flatMap(({ url, functions }) => {
      const module = url.slice(url.indexOf("/dist/") + "/dist/".length);
      const ranges = functions.flatMap((each) => each.ranges);
      return (this.offsets.get(module) ?? [])
        .filter((offset) => hasRun(ranges, offset))
        .map((offset) => `${module}:${offset}`);
    });
  }
}

/** The innermost range around an offset counts. */
function hasRun(ranges: readonly Profiler.CoverageRange[], offset: number): boolean {
  let innermost: Profiler.CoverageRange | null = null;
  for (const range of ranges) {
    if (range.startOffset > offset || range.endOffset <= offset) continue;
    const size = range.endOffset - range.startOffset;
    if (innermost === null || size <= innermost.endOffset - innermost.startOffset) innermost = range;
  }
  return innermost !== null && innermost.count > 0;
}
