/** Calls: device functions compiled at their first call, and CUDA's own functions. */

import type { Span } from "../../base/errors.js";
import type { Expr, IntrinsicName, Stmt } from "../../ir/ir.js";
import { isPointer, loadedType, type Scalar, type Type } from "../../ir/types.js";
import { ATOMICS } from "../text/cuda-functions.js";
import { ExpressionReader } from "./expressions.js";
import { SCALAR_FUNCTIONS } from "./functions.js";
import { type CudaSymbol, type FunctionText, type Place, scalarIn } from "./symbols.js";

const SHUFFLES: Record<string, IntrinsicName> = {
  __shfl_sync: "shfl",
  __shfl_up_sync: "shflUp",
  __shfl_down_sync: "shflDown",
  __shfl_xor_sync: "shflXor",
};

const VOTES: Record<string, IntrinsicName> = { __any_sync: "any", __all_sync: "all" };

const REDUCTIONS: Record<string, IntrinsicName> = {
  __reduce_add_sync: "reduceAdd",
  __reduce_min_sync: "reduceMin",
  __reduce_max_sync: "reduceMax",
};

const REDUCTIONS_OF_BITS: Record<string, IntrinsicName> = {
  __reduce_or_sync: "reduceOr",
  __reduce_and_sync: "reduceAnd",
  __reduce_xor_sync: "reduceXor",
};

export abstract class CallReader extends ExpressionReader {
  protected abstract block(): Stmt[];

  protected readonly returns: (Type | "void")[] = [];

  protected override call(name: string, span: Span): Expr {
    const target = this.functions.get(name);
    if (target !== undefined) return this.deviceCall(target, span);
    this.expect("(");
    const args: Expr[] = [];
    while (!this.accept(")")) {
      args.push(this.expression());
      this.accept(",");
    }
    return this.intrinsic(name, args, span);
  }

  protected deviceCall(target: FunctionText, span: Span): Expr {
    const values: number[] = [];
    if (this.accept("<")) {
      while (!this.accept(">")) {
        const value = this.level(6);
        if (value.kind !== "const") throw this.error("template argument");
        values.push(Number(value.value));
        this.accept(",");
      }
    }
    const key = `${target.name}<${values.join(",")}>`;
    let index = this.compiledIndex.get(key);
    if (index === undefined) {
      index = this.compileDevice(target, values);
      this.compiledIndex.set(key, index);
    }
    const callee = this.compiled[index]!;
    this.expect("(");
    const args: Expr[] = [];
    while (!this.accept(")")) {
      const arg = this.expression();
      const type = this.variables[callee.params[args.length]!]!.type;
      args.push(
        typeof type === "string"
          ? this.convert(arg, type)
          : isPointer(type) && arg.kind === "pointer"
            ? { ...arg, type: { ...type, space: arg.type.space } }
            : arg,
      );
      this.accept(",");
    }
    return { kind: "call", type: callee.returns, callee: index, args, span };
  }

  protected compileDevice(target: FunctionText, values: readonly number[]): number {
    const saved = { at: this.at, scopes: this.scopes };
    const constants = new Map<string, CudaSymbol>();
    for (const [i, name] of target.template.entries())
      constants.set(name, { kind: "constant", type: "u32", value: values[i]! });
    this.scopes = [constants, new Map()];
    this.at = target.start;
    const params: number[] = [];
    this.expect("(");
    while (!this.accept(")")) {
      const { span } = this.token;
      const { type, name } = this.parameter();
      const id = this.variable(name, type, span);
      params.push(id);
      if (isPointer(type))
        this.define(name, { kind: "pointer", root: { kind: "variable", variable: id }, type, dims: [] });
      else this.define(name, { kind: "variable", id, type });
      this.accept(",");
    }
    this.returns.push(target.returns);
    const body = this.block();
    this.returns.pop();
    this.at = saved.at;
    this.scopes = saved.scopes;
    const returns = target.returns;
    if (typeof returns === "object" && isPointer(returns)) throw this.error("a pointer returned");
    this.compiled.push({ name: target.name, source: this.source, params, returns, body });
    return this.compiled.length - 1;
  }

  protected intrinsicOf(name: IntrinsicName, type: Scalar | "void", args: readonly Expr[], span: Span): Expr {
    return { kind: "intrinsic", name, type, args, span };
  }

  protected intrinsic(name: string, args: readonly Expr[], span: Span): Expr {
    const found =
      this.atomic(name, args, span) ??
      this.scalarFunction(name, args, span) ??
      this.madeVector(name, args, span) ??
      this.warpFunction(name, args, span) ??
      this.blockFunction(name, args, span) ??
      this.loadOrComparison(name, args, span);
    if (found === null) throw this.error(`unknown function ${name}`);
    return found;
  }

  protected atomic(name: string, args: readonly Expr[], span: Span): Expr | null {
    const op = ATOMICS[name];
    if (op === undefined) return null;
    const place = this.place(args[0]!);
    const type = place.pointer.type.pointer as Scalar;
    return { kind: "atomic", op, type, ...place, args: args.slice(1).map((arg) => this.convert(arg, type)), span };
  }

  protected scalarFunction(name: string, args: readonly Expr[], span: Span): Expr | null {
    const plain = SCALAR_FUNCTIONS.get(name);
    if (plain === undefined) return null;
    const values = plain.params.map((type, i) => this.convert(args[i]!, type));
    return this.intrinsicOf(plain.name, plain.result, values, span);
  }

  protected madeVector(name: string, args: readonly Expr[], span: Span): Expr | null {
    const made = /^make_(u?int|float|double)([24])$/.exec(name);
    if (made === null) return null;
    const scalar = scalarIn([made[1]!]);
    const components = args.map((arg) => this.convert(arg, scalar));
    return { kind: "makeVector", type: { scalar, lanes: made[2] === "2" ? 2 : 4 }, components, span };
  }

  protected warpFunction(name: string, args: readonly Expr[], span: Span): Expr | null {
    const u32 = (i: number): Expr => this.convert(args[i]!, "u32");
    const i32 = (i: number): Expr => this.convert(args[i]!, "i32");
    const shuffle = SHUFFLES[name];
    if (shuffle !== undefined) {
      const lane = shuffle === "shflUp" || shuffle === "shflDown" ? u32(2) : i32(2);
      const width = args[3] === undefined ? this.constant("i32", 32, span) : i32(3);
      return this.intrinsicOf(shuffle, this.typeOf(args[1]!), [u32(0), args[1]!, lane, width], span);
    }
    const vote = VOTES[name];
    if (vote !== undefined) {
      return this.convert(this.intrinsicOf(vote, "bool", [u32(0), this.truth(args[1]!)], span), "i32");
    }
    const reduction = REDUCTIONS[name];
    if (reduction !== undefined) {
      return this.intrinsicOf(reduction, this.typeOf(args[1]!), [u32(0), args[1]!], span);
    }
    const bits = REDUCTIONS_OF_BITS[name];
    if (bits !== undefined) return this.intrinsicOf(bits, "u32", [u32(0), u32(1)], span);
    switch (name) {
      case "__syncwarp": {
        const mask = args[0] === undefined ? this.constant("u32", 0xffffffff, span) : u32(0);
        return this.intrinsicOf("syncwarp", "void", [mask], span);
      }
      case "__ballot_sync":
        return this.intrinsicOf("ballot", "u32", [u32(0), this.truth(args[1]!)], span);
      case "__activemask":
        return this.intrinsicOf("activemask", "u32", [], span);
      case "__match_any_sync":
        return this.intrinsicOf("matchAny", "u32", [u32(0), args[1]!], span);
      default:
        return null;
    }
  }

  protected blockFunction(name: string, args: readonly Expr[], span: Span): Expr | null {
    switch (name) {
      case "__syncthreads":
        return this.intrinsicOf("syncthreads", "void", [], span);
      case "__threadfence":
        return this.intrinsicOf("threadfence", "void", [], span);
      case "__syncthreads_count":
        return this.intrinsicOf("syncthreadsCount", "i32", [this.truth(args[0]!)], span);
      case "__syncthreads_or":
        return this.convert(this.intrinsicOf("syncthreadsOr", "bool", [this.truth(args[0]!)], span), "i32");
      case "__syncthreads_and":
        return this.convert(this.intrinsicOf("syncthreadsAnd", "bool", [this.truth(args[0]!)], span), "i32");
      default:
        return null;
    }
  }

  protected loadOrComparison(name: string, args: readonly Expr[], span: Span): Expr | null {
    switch (name) {
      case "__ldg": {
        const place = this.place(args[0]!);
        return { kind: "load", type: loadedType(place.pointer.type.pointer), ...place, span };
      }
      case "min":
      case "max":
      case "fminf":
      case "fmaxf": {
        const type = this.common(args[0]!, args[1]!);
        const values = args.map((arg) => this.convert(arg, type));
        return this.intrinsicOf(name.includes("min") ? "min" : "max", type, values, span);
      }
      case "abs":
      case "fabsf":
        return this.intrinsicOf("abs", this.typeOf(args[0]!), args, span);
      default:
        return null;
    }
  }

  protected place(expr: Expr): Place {
    if (expr.kind !== "pointer") throw this.error("an atomic on no pointer");
    if (expr.offset === null) return { pointer: expr, index: this.constant("i32", 0, expr.span) };
    return { pointer: { ...expr, offset: null }, index: expr.offset };
  }
}
