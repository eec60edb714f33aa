/** Assignments, compound assignments, ++ and --. */

import { isFloat } from "../../../ir/types.js";
import { hasEffect } from "../../../ir/walk.js";
import { arithmeticOperators } from "../../translate/values/operators.js";
import { children, type Node } from "../tree/node.js";
import type { CScalar } from "../tree/types.js";
import { converted, float, integer } from "./constants.js";
import { arithmetic, shiftCount, shifted } from "./operators.js";
import { read, scalarOf, write } from "./places.js";
import { locate, refuseKind, value } from "./reading.js";
import { initialize, isRecord } from "./records.js";
import type { Translation } from "./translation.js";
import { irScalar, type Location, type Value } from "./values.js";

/** Carries out `=` or `+=` and gives the place that was assigned. */
export function assigned(t: Translation, node: Node): Location {
  const [left, right] = children(node);
  if (left === undefined || right === undefined) return refuseKind(t, node);
  if (node.opcode === "=") {
    refuseReversed(t, right);
    const type = t.unit.type(left);
    if (isRecord(type)) {
      const place = locate(t, left);
      initialize(t, place, right);
      return place;
    }
    // In C++17 the right side comes first.
    const before = t.output.length;
    const result = value(t, right);
    const after = t.output.length;
    const place = locate(t, left);
    const kept = t.output.length > after && after >= before ? keep(t, result, after) : result;
    write(t, place, kept, node);
    return place;
  }
  return compound(t, node, left, right);
}

/** `s =+ x` assigns +x: nobody means that. */
function refuseReversed(t: Translation, right: Node): void {
  let inner: Node | undefined = right;
  while (inner?.kind === "ImplicitCastExpr") inner = children(inner)[0];
  if (inner?.kind !== "UnaryOperator" || inner.opcode !== "+" || inner.place === undefined) return;
  const { file, line, column } = inner.place;
  if (t.sources(file).text.split("\n")[line - 1]?.[column - 1] !== "=") return;
  t.refuse(inner, "`=+` assigns the value with a plus sign; it does not add.", "Write +=, or a space: = +x.");
}

/** Holds a value that stands before statements made later. */
function keep(t: Translation, result: Value, at: number): Value {
  if ((result.kind !== "scalar" && result.kind !== "vector") || result.expr.kind === "const") return result;
  const later = t.output.splice(at);
  const expr = t.hold("assigned", result.expr, result.expr.type as "i32");
  t.output.push(...later);
  return { ...result, expr };
}

function compound(t: Translation, node: Node, left: Node, right: Node): Location {
  const opcode = (node.opcode ?? "").slice(0, -1);
  const op = arithmeticOperators[opcode];
  if (op === undefined) return refuseKind(t, node);
  const span = t.span(node);
  const operand = value(t, right);
  const place = steady(t, locate(t, left));
  const current = read(t, place, left);
  if (current.kind === "pointer" && operand.kind === "scalar") {
    write(t, place, shifted(t, current, operand.expr, opcode === "-", node), node);
    return place;
  }
  const [a, b] = [scalarOf(t, current, left), scalarOf(t, operand, right)];
  const computed =
    node.computeResultType === undefined
      ? null
      : t.unit.typeOf(node.computeResultType.desugaredQualType ?? node.computeResultType.qualType);
  const type: CScalar = computed?.kind === "scalar" ? computed.scalar : a.type;
  const count = opcode === "<<" || opcode === ">>" ? shiftCount(b) : b.expr;
  const result = arithmetic(op, converted(a.expr, a.type, type), count, type, span);
  write(t, place, { kind: "scalar", expr: converted(result, type, a.type), type: a.type }, node, true);
  return place;
}

/** A place whose index has no effects when it is found twice. */
function steady(t: Translation, place: Location): Location {
  if (place.kind !== "memory" || place.address.index === null) return place;
  const { index } = place.address;
  if (!hasEffect(index)) return place;
  return { ...place, address: { ...place.address, index: t.hold("index", index, index.type as "i32") } };
}

/** Carries out ++ or --; the value is that before it where it stands behind. */
export function incremented(t: Translation, node: Node, unused = false): Value {
  const [child] = children(node);
  if (child === undefined) return refuseKind(t, node);
  const span = t.span(node);
  const place = steady(t, locate(t, child));
  let current = read(t, place, child);
  const down = node.opcode === "--";
  const postfix = node.isPostfix === true && !unused;
  if (current.kind === "pointer") {
    const before = postfix ? kept(t, current, node) : current;
    write(t, place, shifted(t, current, integer("i32", 1, span), down, node), node);
    return postfix ? before : unused ? { kind: "void" } : read(t, place, child);
  }
  const number = scalarOf(t, current, child);
  if (postfix) current = { ...number, expr: t.hold("before", number.expr, irScalar(number.type)) };
  const now = scalarOf(t, current, child);
  const wideType: CScalar = ["bool", "i8", "u8", "i16", "u16"].includes(now.type) ? "i32" : now.type;
  const ir = irScalar(wideType);
  const one = isFloat(ir) ? float(ir as "f32", 1, span) : integer(ir, 1, span);
  const result = arithmetic(down ? "sub" : "add", converted(now.expr, now.type, wideType), one, wideType, span);
  write(t, place, { kind: "scalar", expr: converted(result, wideType, now.type), type: now.type }, node, true);
  if (postfix) return now;
  return unused ? { kind: "void" } : read(t, place, child);
}

/** The pointer as it is now, whatever its variable becomes. */
function kept(t: Translation, pointer: Value & { kind: "pointer" }, node: Node): Value {
  const { address } = pointer;
  const span = t.span(node);
  if (address.root.kind !== "variable") {
    if (address.index === null || address.index.kind !== "variable") return pointer;
    return { ...pointer, address: { ...address, index: t.hold("before", address.index, "i64") } };
  }
  const type = { pointer: address.element, space: address.space, volatile: address.volatile };
  const variable = t.variable("before", type, span);
  t.emit({ kind: "declare", variable, value: { kind: "pointer", type, root: address.root, offset: null, span }, span });
  return { ...pointer, address: { ...address, root: { kind: "variable", variable } } };
}
