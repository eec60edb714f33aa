/** Which `if`s become guards on their instructions instead of branches. */
import { type IfNode, isJump, type Region } from "./ssa.js";

/** Instructions that a body may have and still be predicated. */
const LONGEST_BODY = 7;

function simple(region: Region): boolean {
  return !isJump(region.end) && region.nodes.every((node) => node.kind === "inst" && !CONVERGENT.has(node.op));
}

export function isPredicated(node: IfNode): boolean {
  const count = node.then.nodes.length + node.else.nodes.length;
  return count <= LONGEST_BODY && simple(node.then) && simple(node.else);
}

const CONVERGENT: ReadonlySet<string> = new Set([
  "shfl",
  "shflUp",
  "shflDown",
  "shflXor",
  "ballot",
  "any",
  "all",
  "activemask",
  "matchAny",
  "matchAll",
  "matchAllPredicate",
  "redux",
  "syncwarp",
  "bar",
  "gridsync",
  "printf",
  "fence",
]);
