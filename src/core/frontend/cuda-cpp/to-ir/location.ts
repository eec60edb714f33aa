/** Names of places: variables, elements, members, what a pointer points to. */
import type { Expr } from "../../../ir/ir.js";
import { children, type Node, only } from "../tree/node.js";
import type { CType } from "../tree/types.js";
import { inElements, moved, movedBytes, strideOf } from "./address.js";
import { assigned, incremented } from "./assignment.js";
import { call } from "./call.js";
import { declaredLocation } from "./declaration.js";
import { temporary } from "./places.js";
import { condition, effect, refuseKind, value } from "./reading.js";
import { initialize } from "./records.js";
import type { Translation } from "./translation.js";
import { type Address, irVector, type Location } from "./values.js";

/** The place that an expression names. */
export function locate(t: Translation, node: Node): Location {
  switch (node.kind) {
    case "ParenExpr":
    case "ExprWithCleanups":
    case "ConstantExpr":
    case "SubstNonTypeTemplateParmExpr":
      return locate(t, children(node).at(-1) ?? node);
    case "MaterializeTemporaryExpr":
    case "CXXBindTemporaryExpr": {
      const type = t.unit.type(node);
      if (type.kind === "record" && irVector(type.name) === null) {
        const place = temporary(t, "temporary", type, node);
        initialize(t, place, only(node));
        return place;
      }
      return { kind: "value", value: value(t, only(node)) };
    }
    case "DeclRefExpr":
      return declaredLocation(t, node);
    case "ImplicitCastExpr":
    case "CStyleCastExpr":
    case "CXXStaticCastExpr":
    case "CXXConstCastExpr":
    case "CXXReinterpretCastExpr":
    case "CXXFunctionalCastExpr": {
      if (node.valueCategory === "prvalue") return { kind: "value", value: value(t, node) };
      const place = locate(t, only(node));
      if (node.castKind !== "LValueBitCast") return place;
      if (place.kind === "memory") return { ...place, type: t.unit.type(node) };
      return t.refuse(node, "A variable is seen as another type.", "Use __float_as_int and its like.");
    }
    case "ArraySubscriptExpr": {
      const [first, second] = children(node);
      if (first === undefined || second === undefined) return refuseKind(t, node);
      const [one, other] = [value(t, first), value(t, second)];
      const [base, index] = one.kind === "scalar" ? [other, one] : [one, other];
      if (base.kind !== "pointer" || index.kind !== "scalar") {
        return t.refuse(
          node,
          "An index into something that is no array of the device.",
          "Index a pointer parameter or an array.",
        );
      }
      const to = t.unit.type(node);
      const seen = base.to.kind === "array" || to.kind === "unknown" ? base.to : withVolatile(base.to, node);
      return { kind: "memory", address: moved(t, base.address, base.to, index.expr, node), type: seen };
    }
    case "UnaryOperator":
      if (node.opcode === "*") {
        const pointer = value(t, only(node));
        if (pointer.kind !== "pointer")
          return t.refuse(node, "This is no pointer into memory of the device.", "Point to an array's element.");
        const { element } = strideOf(t, pointer.to, node);
        return {
          kind: "memory",
          address: inElements(t, pointer.address, element, node),
          type: withVolatile(pointer.to, node),
        };
      }
      if (node.opcode === "++" || node.opcode === "--") {
        incremented(t, node);
        return locate(t, only(node));
      }
      return { kind: "value", value: value(t, node) };
    case "BinaryOperator":
      if (node.opcode === "=") return assigned(t, node);
      if (node.opcode === ",") {
        const [left, right] = children(node);
        if (left === undefined || right === undefined) return refuseKind(t, node);
        effect(t, left);
        return locate(t, right);
      }
      return { kind: "value", value: value(t, node) };
    case "CompoundAssignOperator":
      return assigned(t, node);
    case "ConditionalOperator": {
      const [test, yes, no] = children(node);
      if (node.valueCategory === "prvalue" || test === undefined || yes === undefined || no === undefined) break;
      const chosen = condition(t, test);
      if (chosen.kind === "const") return locate(t, Number(chosen.value) !== 0 ? yes : no);
      const held = t.hold("chosen", chosen, "bool");
      return { kind: "choice", condition: held, yes: locate(t, yes), no: locate(t, no) };
    }
    case "MemberExpr":
      return member(t, node);
    case "CallExpr":
    case "CXXMemberCallExpr":
    case "CXXOperatorCallExpr": {
      const result = call(t, node);
      return result.kind === "location" ? result.location : { kind: "value", value: result.value };
    }
    default:
  }
  return { kind: "value", value: value(t, node) };
}

function withVolatile(type: CType, node: Node): CType {
  if (type.kind !== "scalar" && type.kind !== "record") return type;
  return /\bvolatile\b/.test(node.type?.qualType ?? "") ? { ...type, volatile: true } : type;
}

const COMPONENTS = ["x", "y", "z", "w"];

/** `object.field` or `pointer->field`. */
function member(t: Translation, node: Node): Location {
  const child = only(node);
  const name = node.name ?? "";
  if (node.type?.qualType === "<bound member function type>") return refuseKind(t, node);
  const base = memberBase(t, node, child);
  const component = COMPONENTS.indexOf(name);
  switch (base.kind) {
    case "builtin":
      return {
        kind: "value",
        value: {
          kind: "scalar",
          expr: { kind: "builtin", type: "u32", name: base.name, axis: name as "x", span: t.span(node) },
          type: "u32",
        },
      };
    case "slot":
      if (typeof base.type !== "string" && component >= 0) return { ...base, component: component as 0 };
      break;
    case "value":
      if (base.value.kind === "vector" && component >= 0) {
        const { type, expr } = base.value;
        const part: Expr = {
          kind: "component",
          type: type.scalar,
          vector: expr,
          component: component as 0,
          span: t.span(node),
        };
        return { kind: "value", value: { kind: "scalar", expr: part, type: type.scalar } };
      }
      if (base.value.kind === "record") {
        return fieldOf(t, base.value.address, base.value.name, name, node);
      }
      break;
    case "fields": {
      const field = base.fields.get(name);
      if (field !== undefined) return field;
      break;
    }
    case "memory":
      if (base.type.kind === "record") return fieldOf(t, base.address, base.type.name, name, node);
      break;
    default:
  }
  return t.refuse(node, `${name} is no member that a kernel can use here.`, "Use a struct of plain numbers.");
}

function memberBase(t: Translation, node: Node, child: Node): Location {
  if (!node.isArrow) return locate(t, child);
  if (child.kind === "CXXThisExpr" || (child.kind === "ImplicitCastExpr" && only(child).kind === "CXXThisExpr")) {
    if (t.self !== null) return t.self;
  }
  const pointer = value(t, child);
  if (pointer.kind !== "pointer")
    return t.refuse(node, "`->` needs a pointer into memory of the device.", "Use `.` on a variable.");
  return { kind: "memory", address: pointer.address, type: pointer.to };
}

function fieldOf(t: Translation, address: Address, record: string, name: string, node: Node): Location {
  const field = t.unit.layout(record)?.fields.find((each) => each.name === name);
  if (field === undefined)
    return t.refuse(node, `The place of ${name} in ${record} is not known here.`, "Use a struct of plain numbers.");
  const { element } = strideOf(t, field.type, node);
  return { kind: "memory", address: movedBytes(t, address, field.offset, element, node), type: field.type };
}
