/**
 * A sum, product or logic operation that only one side of a choice reads is computed under the choice's guard, in the
 * register of the other side, where nothing else reads that: `at = x < least ? i + 1 : at` is one `@P IADD3`. After
 * ptxas (13 operations by nvcc 13.0 for sm_90; where the other side is read elsewhere, and of constants, it chooses).
 */
import { issueSlots } from "../machine/machine-instructions.js";
import { isSpeculatable } from "../ssa/effects.js";
import {
  countUses,
  type IfNode,
  Inst,
  type Region,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
} from "../ssa/ssa.js";

const GUARDED: ReadonlySet<string> = new Set([
  "add",
  "add3",
  "sub",
  "mul",
  "mad",
  "fma",
  "lea",
  "and",
  "or",
  "xor",
  "not",
  "lop3",
  "shl",
  "shr",
  "min",
  "max",
]);
const WORDS: ReadonlySet<string> = new Set(["i32", "u32", "f32"]);

export function guardChosen(fn: SsaFunction): void {
  visit(fn.body, countUses(fn));
}

function visit(region: Region, uses: Int32Array): void {
  const guarded = new Set<Inst>();
  let block = new Set<Inst>();
  const nodes = region.nodes.map((node): SsaNode => {
    if (node.kind === "loop") {
      visit(node.body, uses);
      visit(node.latch, uses);
      block = new Set();
    } else if (node.kind === "if") {
      visit(node.then, uses);
      visit(node.else, uses);
      if (!node.select) block = new Set();
    } else if (node.op === "selp") {
      const choice = underGuard(node, block, uses);
      if (choice !== null) {
        for (const side of [choice.then, choice.else])
          for (const inst of side.nodes) if (inst instanceof Inst) guarded.add(inst);
        return choice;
      }
    } else block.add(node);
    return node;
  });
  if (guarded.size > 0) region.nodes = nodes.filter((node) => !(node instanceof Inst && guarded.has(node)));
}

/** The choice with what one of its sides reads of the instructions of its `block`; null where it stays as it is. */
function underGuard(choice: Inst, block: ReadonlySet<Inst>, uses: Int32Array): IfNode | null {
  const [whenTrue, whenFalse, condition] = choice.operands.map(resolve) as [Value, Value, Value];
  const own = (value: Value, other: Value): Inst | null => {
    const { def } = value;
    if (def === null || !block.has(def) || uses[value.id] !== 1 || uses[other.id] !== 1) return null;
    return other.constant === null && isGuarded(def) ? def : null;
  };
  const first = own(whenTrue, whenFalse);
  const second = first === null ? own(whenFalse, whenTrue) : null;
  if (first === null && second === null) return null;
  const side = (inst: Inst | null, value: Value): Region => ({
    nodes: inst === null ? [] : [inst],
    end: { kind: "yield", values: [value] },
  });
  const node: IfNode = {
    kind: "if",
    condition,
    then: side(first, whenTrue),
    else: side(second, whenFalse),
    results: choice.results,
    looped: false,
    select: true,
    span: choice.span,
    source: choice.source,
  };
  for (const result of choice.results) {
    result.def = null;
    result.owner = node;
  }
  return node;
}

function isGuarded(inst: Inst): boolean {
  const slots = inst.slots ?? issueSlots(inst.op, inst.type, inst.mods);
  return GUARDED.has(inst.op) && WORDS.has(inst.type) && slots.length === 1 && isSpeculatable(inst);
}
