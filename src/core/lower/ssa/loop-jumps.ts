/** Jumps out of a loop and to its latch. */
import { isJump, type LoopNode, type Region, regionsOf, type Terminator } from "./ssa.js";

/** True if `test` holds for the end of the region or of one nested in it. */
function someEnd(region: Region, test: (end: Terminator) => boolean): boolean {
  return test(region.end) || region.nodes.some((node) => regionsOf(node).some((inner) => someEnd(inner, test)));
}

/** True if the loop has a `break`. */
export function breaksOut(loop: LoopNode): boolean {
  const test = (end: Terminator): boolean => end.kind === "break" && end.loop === loop;
  return regionsOf(loop).some((region) => someEnd(region, test));
}

/** True if the loop has a `continue`, whose values reach the latch as those of the body's end do. */
export function continues(loop: LoopNode): boolean {
  return someEnd(loop.body, (end) => end.kind === "continue" && end.loop === loop);
}

/** True if the loop contains a jump, of any loop. */
export function jumpsOut(loop: LoopNode): boolean {
  return regionsOf(loop).some(jumps);
}

/** True if the region contains a jump: out of it, or within a nested loop. */
export function jumps(region: Region): boolean {
  return someEnd(region, isJump);
}
