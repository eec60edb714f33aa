/**
 * Loops whose number of rounds is known are written out, or, where that is too long, so many rounds at once that the
 * number is a multiple of it. Sizes after LLVM's unroller as NVVM sets it up, found with nvcc 13.0.
 */
import {
  emptyRegion,
  type LoopNode,
  type Region,
  replaceEach,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
  walk,
} from "../ssa.js";
import { Cloner, type Substitution } from "./clone.js";
import { definedIn } from "./counted-loop.js";
import { isSpeculatable } from "./effects.js";
import { tripCount } from "./trip-count.js";

const FULL_SIZE = 300;
/** The largest loop of several rounds; counting, compare and branch are not repeated. */
const PARTIAL_SIZE = 206;
const COUNTING = 2;

/** True if something changed. Inner loops first. */
export function unrollConstantLoops(fn: SsaFunction): boolean {
  return unrollIn(fn, fn.body);
}

function unrollIn(fn: SsaFunction, region: Region): boolean {
  let changed = false;
  const nodes: SsaNode[] = [];
  for (const node of region.nodes) {
    if (node.kind === "if") {
      changed = unrollIn(fn, node.then) || changed;
      changed = unrollIn(fn, node.else) || changed;
    } else if (node.kind === "loop") {
      const inner = unrollIn(fn, node.body) || unrollIn(fn, node.latch);
      changed = changed || inner;
      if (!inner) {
        const written = writeOut(fn, node);
        if (written !== null) {
          nodes.push(...written);
          changed = true;
          continue;
        }
      }
    }
    nodes.push(node);
  }
  region.nodes = nodes;
  return changed;
}

export function sizeOf(region: Region): number {
  let size = 0;
  walk(region, (node) => {
    if (node.kind !== "inst") size++;
    else if (!FREE.has(node.op)) size += node.op === "addr" && (node.mods.scale ?? 1) > LARGEST_ELEMENT ? 2 : 1;
  });
  return size;
}

/** Bytes; an address that steps by more is a row's: a product and a sum. */
const LARGEST_ELEMENT = 16;

const FREE: ReadonlySet<string> = new Set(["base", "param", "special", "cvt", "bitcast"]);

export function jumpsOut(loop: LoopNode): boolean {
  const jumps = (region: Region): boolean =>
    region.end.kind !== "yield" ||
    region.nodes.some((node) =>
      node.kind === "if" ? jumps(node.then) || jumps(node.else) : node.kind === "loop" && jumps(node.body),
    );
  return jumps(loop.body) || jumps(loop.latch);
}

function writeOut(fn: SsaFunction, loop: LoopNode): SsaNode[] | null {
  if (loop.latchParams.length > 0 || loop.unroll === 1) return null;
  const rounds = tripCount(loop);
  if (rounds === null) return null;
  const size = sizeOf(loop.body) + sizeOf(loop.latch);
  const asked =
    typeof loop.unroll === "number" ? rounds <= loop.unroll : loop.unroll === "full" || fits(loop, size, rounds);
  const whole = !jumpsOut(loop) && (rounds <= 1 || asked);
  if (whole) return copies(fn, loop, rounds);
  return several(fn, loop, size, rounds);
}

/** So many rounds at once that the number of rounds is a multiple of it; a `break` in any of them leaves the loop. */
function several(fn: SsaFunction, loop: LoopNode, size: number, rounds: number): SsaNode[] | null {
  const most =
    typeof loop.unroll === "number"
      ? loop.unroll
      : Math.floor((PARTIAL_SIZE - COUNTING) / Math.max(1, size + 1 - COUNTING));
  let times = Math.min(most, rounds);
  while (times > 1 && rounds % times !== 0) times--;
  if (times < 2 || hasContinue(loop)) return null;
  // All rounds: what is left of the loop is where a `break` goes, and its parameters are what they begin with.
  const once = times === rounds;
  const params = [...loop.params];
  const nodes: SsaNode[] = [];
  let current: Value[] = once ? [...loop.inits] : params;
  let condition = loop.condition;
  let exits = loop.exits;
  for (let round = 0; round < times; round++) {
    const values: Substitution = new Map(params.map((param, i) => [param, current[i]!]));
    const cloner = new Cloner(fn, values);
    nodes.push(...cloner.nodes(loop.body.nodes), ...cloner.nodes(loop.latch.nodes));
    current = cloner.list(loop.nexts);
    exits = cloner.list(loop.exits);
    condition = loop.condition === null ? null : cloner.get(loop.condition);
  }
  const copy: LoopNode = {
    ...loop,
    unroll: 1,
    body: { nodes, end: { kind: "yield", values: [] } },
    latch: emptyRegion(),
    nexts: current,
    exits,
    condition,
    ...(once ? { params: [], inits: [], nexts: [], condition: fn.constant("bool", 0) } : {}),
  };
  retarget(copy.body, loop, copy);
  for (const value of [...copy.params, ...copy.results]) value.owner = copy;
  return [copy];
}

function retarget(region: Region, from: LoopNode, to: LoopNode): void {
  const { end } = region;
  if ((end.kind === "break" || end.kind === "continue") && end.loop === from) region.end = { ...end, loop: to };
  for (const node of region.nodes) {
    if (node.kind === "if") {
      retarget(node.then, from, to);
      retarget(node.else, from, to);
    } else if (node.kind === "loop") {
      retarget(node.body, from, to);
      retarget(node.latch, from, to);
    }
  }
}

function hasContinue(loop: LoopNode): boolean {
  const search = (region: Region): boolean =>
    (region.end.kind === "continue" && region.end.loop === loop) ||
    region.nodes.some((node) => {
      if (node.kind === "if") return search(node.then) || search(node.else);
      return node.kind === "loop" && (search(node.body) || search(node.latch));
    });
  return loop.body.end.kind !== "yield" || search(loop.body);
}

/**
 * What of the body remains once the counter is a constant decides: counting, compares and address steps fold away. What no round changes
 * has been moved in front of the loop before.
 */
function fits(loop: LoopNode, size: number, rounds: number): boolean {
  const folding = new Set<Value>(loop.params.filter((_, i) => loop.inits[i]!.constant !== null));
  const inside = definedIn(loop);
  let remaining = 0;
  let steady = 0;
  for (const region of [loop.body, loop.latch]) {
    walk(region, (node) => {
      if (node.kind !== "inst") {
        remaining++;
        return;
      }
      if (FREE.has(node.op)) return;
      const known = node.operands.every((operand) => operand.constant !== null || folding.has(operand));
      if (known && node.results.length === 1) folding.add(node.results[0]!);
      else if (isSpeculatable(node) && node.operands.every((operand) => !inside.has(resolve(operand)))) {
        for (const result of node.results) inside.delete(result);
        steady++;
      } else remaining++;
    });
  }
  const unrolled = remaining * rounds;
  if (unrolled < FULL_SIZE) return true;
  // LLVM lets the size grow by what is saved, up to four times.
  const boost = Math.min(4, ((size - steady) * rounds) / Math.max(1, unrolled));
  return unrolled < FULL_SIZE * boost;
}

function copies(fn: SsaFunction, loop: LoopNode, rounds: number): SsaNode[] {
  const nodes: SsaNode[] = [];
  let current: Value[] = [...loop.inits];
  for (let round = 0; round < rounds; round++) {
    const values: Substitution = new Map(loop.params.map((param, i) => [param, current[i]!]));
    const cloner = new Cloner(fn, values);
    nodes.push(...cloner.nodes(loop.body.nodes), ...cloner.nodes(loop.latch.nodes));
    if (round === rounds - 1) {
      replaceEach(loop.results, (i) => cloner.get(loop.exits[i]!));
    }
    current = cloner.list(loop.nexts);
  }
  return nodes;
}
