/** Calls: device functions compiled at their first call, and CUDA's own functions. */

import type { Span } from "../../base/errors.js";
import type { AtomicOp, Expr, IntrinsicName, Stmt } from "../../ir/ir.js";
import { isPointer, type Scalar, type Type } from "../../ir/types.js";
import { ExpressionReader } from "./expressions.js";
import { SCALAR_FUNCTIONS } from "./functions.js";
import { type CudaSymbol, type FunctionText, type Place, scalarIn } from "./symbols.js";

const ATOMICS: Record<string, AtomicOp> = {
  atomicAdd: "add",
  atomicSub: "sub",
  atomicMin: "min",
  atomicMax: "max",
  atomicAnd: "and",
  atomicOr: "or",
  atomicXor: "xor",
  atomicExch: "exch",
  atomicCAS: "cas",
  atomicInc: "inc",
  atomicDec: "dec",
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
    const atomic = ATOMICS[name];
    if (atomic !== undefined) {
      const place = this.place(args[0]!);
      const type = place.pointer.type.pointer as Scalar;
      return {
        kind: "atomic",
        op: atomic,
        type,
        ...place,
        args: args.slice(1).map((arg) => this.convert(arg, type)),
        span,
      };
    }
    const u32 = (i: number): Expr => this.convert(args[i]!, "u32");
    const i32 = (i: number): Expr => this.convert(args[i]!, "i32");
    const shuffle = (op: IntrinsicName): Expr => {
      const width = args[3] === undefined ? this.constant("i32", 32, span) : i32(3);
      return this.intrinsicOf(
        op,
        this.typeOf(args[1]!),
        [u32(0), args[1]!, op === "shflUp" || op === "shflDown" ? u32(2) : i32(2), width],
        span,
      );
    };
    const plain = SCALAR_FUNCTIONS.get(name);
    if (plain !== undefined) {
      const values = plain.params.map((type, i) => this.convert(args[i]!, type));
      return this.intrinsicOf(plain.name, plain.result, values, span);
    }
    const made = /^make_(u?int|float|double)([24])$/.exec(name);
    if (made !== null) {
      const scalar = scalarIn([made[1]!]);
      const components = args.map((arg) => this.convert(arg, scalar));
      return { kind: "makeVector", type: { scalar, lanes: made[2] === "2" ? 2 : 4 }, components, span };
    }
    switch (name) {
      case "__syncthreads":
        return this.intrinsicOf("syncthreads", "void", [], span);
      case "__threadfence":
        return this.intrinsicOf("threadfence", "void", [], span);
      case "__syncwarp":
        return this.intrinsicOf(
          "syncwarp",
          "void",
          [args[0] === undefined ? this.constant("u32", 0xffffffff, span) : u32(0)],
          span,
        );
      case "__shfl_sync":
        return shuffle("shfl");
      case "__shfl_up_sync":
        return shuffle("shflUp");
      case "__shfl_down_sync":
        return shuffle("shflDown");
      case "__shfl_xor_sync":
        return shuffle("shflXor");
      case "__ballot_sync":
        return this.intrinsicOf("ballot", "u32", [u32(0), this.truth(args[1]!)], span);
      case "__any_sync":
        return this.convert(this.intrinsicOf("any", "bool", [u32(0), this.truth(args[1]!)], span), "i32");
      case "__all_sync":
        return this.convert(this.intrinsicOf("all", "bool", [u32(0), this.truth(args[1]!)], span), "i32");
      case "__activemask":
        return this.intrinsicOf("activemask", "u32", [], span);
      case "__match_any_sync":
        return this.intrinsicOf("matchAny", "u32", [u32(0), args[1]!], span);
      case "__reduce_add_sync":
        return this.intrinsicOf("reduceAdd", this.typeOf(args[1]!), [u32(0), args[1]!], span);
      case "__reduce_min_sync":
        return this.intrinsicOf("reduceMin", this.typeOf(args[1]!), [u32(0), args[1]!], span);
      case "__reduce_max_sync":
        return this.intrinsicOf("reduceMax", this.typeOf(args[1]!), [u32(0), args[1]!], span);
      case "__reduce_or_sync":
        return this.intrinsicOf("reduceOr", "u32", [u32(0), u32(1)], span);
      case "__reduce_and_sync":
        return this.intrinsicOf("reduceAnd", "u32", [u32(0), u32(1)], span);
      case "__reduce_xor_sync":
        return this.intrinsicOf("reduceXor", "u32", [u32(0), u32(1)], span);
      case "__syncthreads_count":
        return this.intrinsicOf("syncthreadsCount", "i32", [this.truth(args[0]!)], span);
      case "__syncthreads_or":
        return this.convert(this.intrinsicOf("syncthreadsOr", "bool", [this.truth(args[0]!)], span), "i32");
      case "__syncthreads_and":
        return this.convert(this.intrinsicOf("syncthreadsAnd", "bool", [this.truth(args[0]!)], span), "i32");
      case "__ldg": {
        const place = this.place(args[0]!);
        return { kind: "load", type: place.pointer.type.pointer, ...place, span };
      }
      case "min":
      case "max":
      case "fminf":
      case "fmaxf": {
        const type = this.common(args[0]!, args[1]!);
        return this.intrinsicOf(
          name.includes("min") ? "min" : "max",
          type,
          args.map((arg) => this.convert(arg, type)),
          span,
        );
      }
      case "abs":
      case "fabsf":
        return this.intrinsicOf("abs", this.typeOf(args[0]!), args, span);
      default:
        throw this.error(`unknown function ${name}`);
    }
  }

  protected place(expr: Expr): Place {
    if (expr.kind !== "pointer") throw this.error("an atomic on no pointer");
    if (expr.offset === null) return { pointer: expr, index: this.constant("i32", 0, expr.span) };
    return { pointer: { ...expr, offset: null }, index: expr.offset };
  }
}
