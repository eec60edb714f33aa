/**
 * Turns a 0/1 flag that branches set and a single test reads into a predicate: `int keep = 0; if (i < n) keep =
 * in[i] > 3; .. ballot(keep)`. After LLVM's InstCombine, which folds a compare with zero into its single-use phi or
 * select.
 */
import {
  countUses,
  type IfNode,
  Inst,
  isJump,
  type Region,
  regionsOf,
  replace,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
} from "../../ssa/ssa.js";

export function truthResults(fn: SsaFunction): boolean {
  return new Truths(fn).region(fn.body);
}

class Truths {
  private readonly fn: SsaFunction;
  private readonly uses: Int32Array;

  constructor(fn: SsaFunction) {
    this.fn = fn;
    this.uses = countUses(fn);
  }

  region(region: Region): boolean {
    let changed = false;
    region.nodes = region.nodes.flatMap((node): SsaNode[] => {
      for (const inner of regionsOf(node)) changed = this.region(inner) || changed;
      // A flag with two uses has two tests.
      const once = node.kind === "inst" && this.uses[node.results[0]?.id ?? -1] === 1;
      const flag = once ? testedForZero(node) : null;
      if (flag === null || node.kind !== "inst" || flag.constant !== null || !this.isFlag(flag)) return [node];
      changed = true;
      const made: Inst[] = [];
      const truth = this.truthOf(flag, node, made);
      replace(node.results[0]!, node.mods.compare === "ne" ? truth : this.make("pnot", [truth], node, made));
      return made;
    });
    return changed;
  }

  /** Set by branches and compares from constants, with no other use. */
  private isFlag(value: Value): boolean {
    const chosen = resolve(value);
    if (chosen.constant !== null) return true;
    const { def } = chosen;
    if (def?.op === "selp") {
      const [a, b] = def.operands.map(resolve) as [Value, Value, Value];
      if (a.constant !== null && b.constant !== null) return true;
      if (a.constant === null && b.constant === null) return false;
      return this.uses[chosen.id] === 1 && this.isFlag(a.constant === null ? a : b);
    }
    const branch = chosen.owner;
    if (branch?.kind !== "if" || this.uses[chosen.id] !== 1) return false;
    const ends = this.ends(branch, chosen);
    return ends.some((end) => resolve(end).constant === null) && ends.every((end) => this.isFlag(end));
  }

  private ends(branch: IfNode, result: Value): readonly Value[] {
    const at = branch.results.findIndex((each) => resolve(each) === result);
    return [branch.then, branch.else].filter(({ end }) => !isJump(end)).map(({ end }) => end.values[at]!);
  }

  /** The predicate of a flag. New instructions go into `made`. */
  private truthOf(value: Value, at: Inst, made: Inst[]): Value {
    const chosen = resolve(value);
    if (chosen.constant !== null) return this.fn.constant("bool", Number(chosen.constant) === 0 ? 0 : 1);
    const { def } = chosen;
    if (def?.op === "selp") {
      const [a, b, condition] = def.operands.map(resolve) as [Value, Value, Value];
      const [whenTrue, whenFalse] = [this.truthOf(a, at, made), this.truthOf(b, at, made)];
      if (whenTrue.constant === 1) {
        return whenFalse.constant === 0 ? condition : this.make("por", [condition, whenFalse], at, made);
      }
      if (whenFalse.constant === 0) return this.make("pand", [condition, whenTrue], at, made);
      const not = this.make("pnot", [condition], at, made);
      if (whenFalse.constant === 1) return whenTrue.constant === 0 ? not : this.make("por", [not, whenTrue], at, made);
      return this.make("pand", [not, whenFalse], at, made);
    }
    const branch = chosen.owner as IfNode;
    const index = branch.results.findIndex((each) => resolve(each) === chosen);
    const truth = this.fn.value("bool", chosen.name);
    truth.owner = branch;
    branch.results[index] = truth;
    for (const side of [branch.then, branch.else]) {
      if (isJump(side.end)) continue;
      const inside: Inst[] = [];
      side.end.values[index] = this.truthOf(side.end.values[index]!, at, inside);
      side.nodes.push(...inside);
    }
    return truth;
  }

  private make(op: "pnot" | "pand" | "por", operands: Value[], at: Inst, made: Inst[]): Value {
    const result = this.fn.value("bool");
    made.push(new Inst(op, "bool", [result], operands, {}, at.span, at.source));
    return result;
  }
}

/** The value that an equality compare with 0 tests. */
function testedForZero({ op, operands, mods }: Inst): Value | null {
  if (op !== "setp" || operands.length !== 2 || (mods.compare !== "ne" && mods.compare !== "eq")) return null;
  const right = resolve(operands[1]!);
  return right.constant !== null && Number(right.constant) === 0 && right.type !== "f32" && right.type !== "f64"
    ? resolve(operands[0]!)
    : null;
}
