/** The words for undefined values: memory that nobody has written, and what a shuffle takes from a lane that is not there. */
import type { FaultSite, UndefinedRemark } from "../../engine.js";
import { rootExtent } from "../../faults.js";
import { lanesText, maskText } from "../../run-warning.js";

const CURE_OF_UNWRITTEN = {
  "uninitialized-shared":
    "CUDA gives shared memory no first value: here it is 0, and garbage in a schedule with a seed. Let the block write every element before syncthreads(), also those beyond the end of the data: sdata[tid] = i < n ? input[i] : 0",
  "uninitialized-local":
    "CUDA gives a local array no first values: here they are 0, and garbage in a schedule with a seed. Write every element before it is read",
} as const;

/** A load or atomic finds what nobody has written, at the first of its lanes' addresses. */
export function unwritten(
  kind: keyof typeof CURE_OF_UNWRITTEN,
  site: FaultSite,
  addresses: Int32Array,
): UndefinedRemark {
  const { instruction, launch, lanes } = site;
  const { name, start, elementBytes } = rootExtent(launch, instruction);
  const first = 31 - Math.clz32(lanes & -lanes);
  const index = Math.floor((addresses[first]! - start) / elementBytes);
  const access = `${maskText(lanes)} ${instruction.op === "atom" ? "update" : "read"}`;
  const what =
    kind === "uninitialized-shared"
      ? `${access} shared memory that no thread of the block has written, first ${name}[${index}]`
      : `${access} elements of the local array ${name} that they have not written, first ${name}[${index}]`;
  return { kind, site, what, cure: CURE_OF_UNWRITTEN[kind] };
}

/** Lanes take a value from source lanes that do not take part; `absent` says why. */
export function absentSource(site: FaultSite, sources: number, absent: string): UndefinedRemark {
  const what = `${maskText(site.lanes)} take a value by a shuffle from ${lanesText(sources)}, ${absent}`;
  const cure =
    "CUDA leaves the value undefined: here it is 0, and garbage in a schedule with a seed. Let whole warps come to the shuffle, with a neutral value in the threads beyond the data. Or use the value only where the source lane takes part";
  const kernelCure =
    "CUDA leaves the value undefined: here it is 0, and garbage in a schedule with a seed. Use it only where the source lane takes part, or let the threads beyond the data bring a neutral value";
  return { kind: "undefined-shuffle-source", site, what, cure, kernelCure };
}
