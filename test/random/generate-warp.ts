/** Random statements of a warp: shuffles, votes, matches, reductions, tiles, and branches whose lanes know each other. */

import { hasMatch, hasShuffles, hasWarpReduce } from "./capabilities.js";
import { BlockGenerator, lane } from "./generate-block.js";
import { binary, compare, isWide, literal, variable } from "./generate-expression.js";
import type { Place } from "./generate-statement.js";
import { type Expr, NUMERIC, type Stmt, type Type, type WarpOp } from "./tree.js";

export const FULL_MASK: Expr = literal("u32", 0xffffffff);

export class WarpGenerator extends BlockGenerator {
  protected override warpWide(place: Place): Stmt {
    const { choices } = this;
    const what = choices.below(10);
    const shuffles = hasShuffles(this.capability);
    if (what === 9 && shuffles && this.isFull(place) && choices.chance(0.5)) return this.tile();
    if (what < 4 && shuffles) return this.shuffle(place);
    if (what < 7) return this.vote(place);
    if (what === 7) return { k: "syncwarp", mask: choices.chance(0.5) && place.meet === "block" ? null : place.mask };
    if (place.depth > 0) return this.maskedBranch(place);
    return this.vote(place);
  }

  protected tile(): Stmt {
    const { choices } = this;
    const t = choices.pick(["i32", "u32"] as const);
    const name = this.fresh("g_");
    const op = choices.pick(["reduce", "inclusive_scan", "exclusive_scan"] as const);
    // Signed sums may overflow, and an exclusive scan's first thread has no value but for a sum.
    const wraps = !(this.options.defined && t === "i32");
    const operators = wraps
      ? (["plus", "less", "greater", "bit_and", "bit_or", "bit_xor"] as const)
      : (["bit_xor", "greater"] as const);
    const operator = choices.pick(operators);
    const size = choices.pick([2, 4, 8, 16, 32]);
    const value = this.numeric(t, 3);
    this.scope.names.push({ name, t, mutable: false, uniform: false });
    return { k: "tile", name, t, op, operator, size, value };
  }

  /** All lanes of every warp are here, as the literal mask says. */
  protected isFull(place: Place): boolean {
    return place.meet === "block" && (this.surroundings?.threads ?? 0) % 32 === 0;
  }

  private bit(mask: Expr, index: Expr): Expr {
    return compare("!==", binary("&", "u32", binary(">>", "u32", mask, index), literal("u32", 1)), literal("u32", 0));
  }

  protected shuffle(place: Place): Stmt {
    const { choices } = this;
    const t = choices.pick(NUMERIC);
    const value = this.numeric(t, 3);
    const name = this.fresh("w_");
    const width = choices.chance(0.4) ? [literal("i32", choices.pick([2, 4, 8, 16, 32]))] : [];
    const full = this.isFull(place);
    if (full || (!this.options.defined && this.options.approximate !== false)) {
      const op = choices.pick(["shfl_sync", "shfl_up_sync", "shfl_down_sync", "shfl_xor_sync"] as const);
      const argType = op === "shfl_sync" || op === "shfl_xor_sync" ? "i32" : "u32";
      const count = choices.chance(0.6)
        ? this.small(argType, 0, 31)
        : binary("&", argType, this.numeric(argType, 2), literal(argType, 31));
      this.scope.names.push({ name, t, mutable: false, uniform: false });
      return { k: "warp", name, t, op, mask: place.mask, args: [value, count, ...width] };
    }
    // Only lanes that take part are read, or what comes from others is not used.
    const source = binary("&", "i32", this.numeric("i32", 2), literal("i32", 31));
    const result = this.fresh("w_");
    this.scope.names.push({ name: result, t, mutable: false, uniform: false });
    if (choices.chance(0.5)) {
      const s = this.fresh("src_");
      const src = variable("i32", s);
      const safe: Expr = { k: "select", t: "i32", c: this.bit(place.mask, src), a: src, b: lane() };
      return {
        k: "group",
        body: [
          { k: "let", name: s, t: "i32", mutable: false, init: source },
          { k: "warp", name: result, t, op: "shfl_sync", mask: place.mask, args: [value, safe] },
        ],
      };
    }
    const delta = choices.between(1, 31);
    const [op, from] = choices.pick([
      ["shfl_down_sync", binary("+", "i32", lane(), literal("i32", delta))],
      ["shfl_xor_sync", binary("^", "i32", lane(), literal("i32", delta))],
    ] as const);
    const argType = op === "shfl_xor_sync" ? "i32" : "u32";
    const valid: Expr = {
      k: "logical",
      op: "&&",
      t: "bool",
      a: compare("<", from, literal("i32", 32)),
      b: this.bit(place.mask, binary("&", "i32", from, literal("i32", 31))),
    };
    return {
      k: "group",
      body: [
        { k: "warp", name, t, op, mask: place.mask, args: [value, literal(argType, delta)] },
        {
          k: "let",
          name: result,
          t,
          mutable: false,
          init: { k: "select", t, c: valid, a: variable(t, name), b: this.constant(t) },
        },
      ],
    };
  }

  protected vote(place: Place): Stmt {
    const { choices } = this;
    const ops: WarpOp[] = ["ballot_sync", "any_sync", "all_sync"];
    if (hasMatch(this.capability)) ops.push("match_any_sync", "match_all_sync");
    if (hasWarpReduce(this.capability)) {
      ops.push(
        "reduce_add_sync",
        "reduce_min_sync",
        "reduce_max_sync",
        "reduce_and_sync",
        "reduce_or_sync",
        "reduce_xor_sync",
      );
    }
    if (!this.options.defined && this.options.approximate !== false) ops.push("activemask");
    const op = choices.pick(ops);
    const name = this.fresh("m_");
    const made = (t: Type, args: readonly Expr[]): Stmt => {
      this.scope.names.push({ name, t, mutable: false, uniform: false });
      return { k: "warp", name, t, op, mask: place.mask, args };
    };
    if (op === "activemask") return made("u32", []);
    if (op === "ballot_sync") return made("u32", [this.condition(3)]);
    if (op === "any_sync" || op === "all_sync") return made("bool", [this.condition(3)]);
    if (op === "match_any_sync" || op === "match_all_sync") {
      const t = choices.pick(["i32", "u32", "i64", "u64"] as const);
      const value = binary("&", t, this.numeric(t, 2), literal(t, isWide(t) ? 3n : 3));
      return made(op === "match_all_sync" && choices.chance(0.5) ? "bool" : "u32", [value]);
    }
    const t = choices.pick(["i32", "u32"] as const);
    const bitwise = op === "reduce_and_sync" || op === "reduce_or_sync" || op === "reduce_xor_sync";
    return made(bitwise ? "u32" : t, [this.numeric(t, 3)]);
  }

  /** A branch whose lanes know each other by a ballot before it. */
  private maskedBranch(place: Place): Stmt {
    const { choices } = this;
    const c = this.fresh("c_");
    const m = this.fresh("mask_");
    const condition = this.condition(3);
    const mask = variable("u32", m);
    const inner: Place = {
      ...place,
      depth: place.depth - 1,
      meet: "warp",
      mask,
      jumps: "none",
      exits: [],
      leave: null,
    };
    const then = this.scoped(choices.between(1, 4), inner);
    const rest = binary("&", "u32", place.mask, { k: "unary", op: "~", t: "u32", a: mask });
    const other = choices.chance(0.5) ? this.scoped(choices.between(1, 3), { ...inner, mask: rest }) : [];
    return {
      k: "group",
      body: [
        { k: "let", name: c, t: "bool", mutable: false, init: condition },
        { k: "warp", name: m, t: "u32", op: "ballot_sync", mask: place.mask, args: [variable("bool", c)] },
        { k: "if", c: variable("bool", c), then, else: other },
      ],
    };
  }
}
