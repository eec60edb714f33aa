/**
 * Loops whose number of rounds is known are written out, or, where that is too long, so many rounds at once that the
 * number is a multiple of it. Sizes after LLVM's unroller as NVVM sets it up for NVPTX (300 and 300 / 4 instructions).
 */
import { type LoopNode, type Region, replace, type SsaFunction, type SsaNode, type Value, walk } from "../ssa.js";
import { Cloner, type Substitution } from "./clone.js";
import { tripCount } from "./trip-count.js";

const FULL_SIZE = 300;

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
    else if (!FREE.has(node.op)) size++;
  });
  return size;
}

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
  if (jumpsOut(loop) || loop.latchParams.length > 0) return null;
  if (loop.unroll === 1) return null;
  const rounds = tripCount(loop);
  if (rounds === null) return null;
  const size = sizeOf(loop.body) + sizeOf(loop.latch);
  if (rounds > 1 && loop.unroll !== "full" && !fits(loop, size, rounds)) return null;
  return copies(fn, loop, rounds);
}

/** What of the body remains once the counter is a constant decides: counting, compares and address steps fold away. */
function fits(loop: LoopNode, size: number, rounds: number): boolean {
  const folding = new Set<Value>(loop.params.filter((_, i) => loop.inits[i]!.constant !== null));
  let remaining = 0;
  for (const region of [loop.body, loop.latch]) {
    walk(region, (node) => {
      if (node.kind !== "inst") {
        remaining++;
        return;
      }
      if (FREE.has(node.op)) return;
      const known = node.operands.every((operand) => operand.constant !== null || folding.has(operand));
      if (known && node.results.length === 1) folding.add(node.results[0]!);
      else remaining++;
    });
  }
  const unrolled = remaining * rounds;
  if (unrolled < FULL_SIZE) return true;
  // LLVM lets the size grow by what is saved, up to four times.
  const boost = Math.min(4, (size * rounds) / Math.max(1, unrolled));
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
      loop.results.forEach((result, i) => replace(result, cloner.get(loop.exits[i]!)));
    }
    current = cloner.list(loop.nexts);
  }
  return nodes;
}
