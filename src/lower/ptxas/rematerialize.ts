/**
 * Places in shared memory that several branches compute, worked out in each of them. NVVM hoists such a place in front of all
 * (hoist-common.ts), but for occupancy it rematerializes what is cheap where many words are live (nvcc 13.0: 30 kernels, and its own
 * listing of what it does): without loops and loads of vectors, in functions whose blocks are entered with 11 to 19 words. There an
 * index's shift to the right or mask is one with the shift by the element's size, and the array's start is put together and added:
 * `w[t >> 5]` is SHF, LOP3, IADD3 in each guard.
 */

import { ADD } from "../machine/address-slots.js";
import type { IssueSlot } from "../program.js";
import {
  Inst,
  mapOperands,
  type Region,
  regionsOf,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
  walk,
} from "../ssa/ssa.js";
import { mostLiveIn } from "./block-live-ins.js";

const FEWEST_LIVE = 11;
const MOST_LIVE = 19;

const MASK_AND_ADD: readonly IssueSlot[] = Object.freeze([
  { mnemonic: "LOP3.LUT", pipe: "alu", independent: false },
  ADD,
]);

/** True if something is worked out where it is read. */
export function rematerialize(fn: SsaFunction): boolean {
  if (!isPlain(fn)) return false;
  const live = mostLiveIn(fn);
  return live >= FEWEST_LIVE && live <= MOST_LIVE && visit(fn, fn.body);
}

/** What NVVM takes others to need registers for is not known. */
function isPlain(fn: SsaFunction): boolean {
  let plain = true;
  walk(fn.body, (node) => {
    if (node.kind === "loop" || (node.kind === "inst" && node.op === "ld" && node.results.length > 1)) plain = false;
  });
  return plain;
}

function visit(fn: SsaFunction, region: Region): boolean {
  let changed = false;
  for (const node of region.nodes) for (const inner of regionsOf(node)) changed = visit(fn, inner) || changed;
  const starts = new Set<Inst>();
  for (const place of [...region.nodes]) {
    if (place.kind !== "inst" || place.op !== "addr" || place.mods.space !== "shared") continue;
    const index = indexOf(place);
    const readers = branchesThatRead(region, place);
    if (index === null || readers.length < 2) continue;
    const start = resolve(place.operands[0]!).def!;
    for (const side of readers.flatMap(regionsOf)) workOut(fn, side, [start, index, place]);
    region.nodes = region.nodes.filter((node) => node !== place);
    starts.add(start);
  }
  for (const start of starts) {
    for (const side of branchesThatRead(region, start).flatMap(regionsOf)) workOut(fn, side, [start]);
  }
  return changed || starts.size > 0;
}

/** The branches of `region` that read `inst`, if nothing else in it does. */
function branchesThatRead(region: Region, inst: Inst): readonly SsaNode[] {
  const result = inst.results[0]!;
  const readers = region.nodes.filter((node) => reads(node, result));
  const alone = readers.every((node) => node.kind === "if" && !node.select && resolve(node.condition) !== result);
  return alone && !region.end.values.some((value) => resolve(value) === result) ? readers : [];
}

/** The shift or mask of an index without a sign that the place, an array's start and that index, has. */
function indexOf({ operands, mods }: Inst): Inst | null {
  if (resolve(operands[0]!).def?.op !== "base" || mods.row === true) return null;
  const { def } = resolve(operands[1]!);
  if (def === null || !((def.op === "shr" && def.type === "u32") || def.op === "and")) return null;
  return typeof resolve(def.operands[1]!).constant === "number" ? def : null;
}

function reads(node: SsaNode, value: Value): boolean {
  let found = false;
  mapOperands({ nodes: [node], end: { kind: "yield", values: [] } }, (operand) => {
    found ||= resolve(operand) === value;
    return operand;
  });
  return found;
}

/** Puts copies of `chain`, whose last one is read there, in front of the first node of the innermost region that has all readers. */
function workOut(fn: SsaFunction, region: Region, chain: readonly Inst[]): void {
  const result = chain.at(-1)!.results[0]!;
  const readers = region.nodes.filter((node) => reads(node, result));
  const [first] = readers;
  if (first === undefined) return;
  if (readers.length === 1 && first.kind === "if") {
    for (const side of regionsOf(first)) workOut(fn, side, chain);
    return;
  }
  const copies = new Map<Value, Inst>();
  for (const { op, type, results, operands, mods, span, source } of chain) {
    const copied = operands.map((operand) => copies.get(resolve(operand))?.results[0] ?? operand);
    const copy = new Inst(op, type, [fn.value(results[0]!.type, results[0]!.name)], copied, mods, span, source);
    if (op === "addr") copy.slots = MASK_AND_ADD;
    copies.set(results[0]!, copy);
  }
  mapOperands(region, (value) => (resolve(value) === result ? copies.get(result)!.results[0]! : value));
  region.nodes.splice(region.nodes.indexOf(first), 0, ...copies.values());
}
