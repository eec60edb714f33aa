/** Jumps out of and within a loop's body. */
import { isJump, type LoopNode, type Region, regionsOf, type Terminator } from "./ssa.js";

/** True if the region, or one within, ends in a way that `test` is asked about. */
function someEnd(region: Region, test: (end: Terminator) => boolean): boolean {
  return test(region.end) || region.nodes.some((node) => regionsOf(node).some((inner) => someEnd(inner, test)));
}

/** True if the loop has a `break`. */
export function breaksOut(loop: LoopNode): boolean {
  const test = (end: Terminator): boolean => end.kind === "break" && end.loop === loop;
  return regionsOf(loop).some((region) => someEnd(region, test));
}

/** True if the loop has a `continue`: its values come to the latch beside those of the body's end. */
export function continues(loop: LoopNode): boolean {
  return someEnd(loop.body, (end) => end.kind === "continue" && end.loop === loop);
}

/** True if a jump of any loop stands in it. */
export function jumpsOut(loop: LoopNode): boolean {
  return regionsOf(loop).some(jumps);
}

/** True if something in the region jumps: out of it, or in a loop within it. */
export function jumps(region: Region): boolean {
  return someEnd(region, isJump);
}
