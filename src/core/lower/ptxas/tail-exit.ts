/**
 * An `if` at the end of the kernel: lanes that skip it exit at once (`@!P EXIT`), the others after its body. With an
 * else side, the first side gets its own EXIT. Branches at the end of a side that ends in EXIT do the same.
 */

import { isTurned } from "../analysis/canonical-compare.js";
import { someNode } from "../ssa/effects.js";
import { type IfNode, isJump, type Region, regionsOf, type SsaFunction, type Terminator, walk } from "../ssa/ssa.js";

/** A side of at most this many instructions is predicated. */
const SHORT = 7;
const SHORT_STORE = 4;

function loads(region: Region): boolean {
  return someNode(region, (node) => node.kind === "inst" && node.op === "ld" && node.mods.space === "global");
}

/**
 * A store with little else is predicated, comes first, and its lanes exit, if the other side waits for a load: `if
 * (i < n) out[i] = in[i]; else out[i] = 0;`. A side with two stores is a basic block of its own.
 */
function isOneStore({ nodes }: Region): boolean {
  const stores = nodes.filter((node) => node.kind === "inst" && node.op === "st").length;
  return nodes.length <= SHORT_STORE && stores === 1 && nodes.every(({ kind }) => kind === "inst");
}

function isShort({ nodes }: Region): boolean {
  return nodes.length <= SHORT && nodes.every((node) => node.kind === "inst" || (node.kind === "if" && node.select));
}

/** LLVM's first side stores without a load and the other one loads: each is a basic block of its own. */
function storesBeforeLoads({ condition, then, else: otherwise }: IfNode): boolean {
  const [first, second] = isTurned(condition) ? [otherwise, then] : [then, otherwise];
  return !loads(first) && loads(second);
}

function nothing(): Region {
  return { nodes: [], end: { kind: "yield", values: [] } };
}

export function exitAtTail(fn: SsaFunction): void {
  leaveAtEnd(fn.body);
  walk(fn.body, (node) => {
    for (const side of regionsOf(node)) if (side.end.kind === "exit") leaveAtEnd(side);
  });
}

function leaveAtEnd(body: Region): void {
  for (;;) {
    const last = body.nodes.at(-1);
    if (
      (body.end.kind !== "yield" && body.end.kind !== "exit") ||
      last === undefined ||
      last.kind !== "if" ||
      last.results.length > 0
    )
      return;
    if (last.leader || isJump(last.then.end) || isJump(last.else.end)) return;
    const exit: Terminator = { kind: "exit", values: [], span: last.span, source: last.source };
    // The lanes of one side exit, those of the other continue.
    const thenLeaves = (): IfNode => ({ ...last, then: { nodes: [], end: exit }, else: nothing() });
    const elseLeaves = (): IfNode => ({ ...last, then: nothing(), else: { nodes: [], end: exit } });
    body.nodes.pop();
    if (last.else.nodes.length === 0) body.nodes.push(elseLeaves(), ...last.then.nodes);
    else if (last.then.nodes.length === 0) body.nodes.push(thenLeaves(), ...last.else.nodes);
    else if (loads(last.then) && isOneStore(last.else) && !loads(last.else) && !isTurned(last.condition))
      body.nodes.push({ ...last, then: nothing() }, elseLeaves(), ...last.then.nodes);
    else if (isShort(last.then) && !storesBeforeLoads(last))
      // The first side, perhaps predicated, and then EXIT under its condition.
      body.nodes.push({ ...last, else: nothing() }, thenLeaves(), ...last.else.nodes);
    else body.nodes.push({ ...last, then: { ...last.then, end: exit }, else: nothing() }, ...last.else.nodes);
  }
}
