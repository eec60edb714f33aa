/** Casts: those that C++ makes by itself, which clang has written out, and those of the text. */
import { children, type Node } from "../tree/node.js";
import { converted } from "./constants.js";
import { read } from "./places.js";
import { condition, locate, refuseKind, scalar, value } from "./reading.js";
import type { Translation } from "./translation.js";
import type { Value } from "./values.js";

const VOID: Value = { kind: "void" };

export function cast(t: Translation, node: Node): Value {
  const child = children(node)
    .filter((each) => !each.kind.endsWith("Decl"))
    .at(-1);
  if (child === undefined) return refuseKind(t, node);
  const type = t.unit.type(node);
  switch (node.castKind) {
    case "LValueToRValue":
      return value(t, child);
    case "ArrayToPointerDecay": {
      if (child.kind === "StringLiteral") return value(t, child);
      const place = locate(t, child);
      if (place.kind === "memory" && place.type.kind === "array") {
        return { kind: "pointer", address: place.address, to: place.type.of };
      }
      if (place.kind === "value" && (place.value.kind === "pointer" || place.value.kind === "string"))
        return place.value;
      return t.refuse(node, "This array has no place in memory.", "Declare it in the kernel.");
    }
    case "NullToPointer":
      return { kind: "null" };
    case "ToVoid":
      value(t, child);
      return VOID;
    case "PointerToBoolean":
      return { kind: "scalar", expr: condition(t, child), type: "bool" };
    case "BitCast":
    case "NoOp":
    case "AddressSpaceConversion":
    case "DerivedToBase":
    case "UncheckedDerivedToBase":
    case "BaseToDerived": {
      const found = value(t, child);
      if (found.kind === "pointer" && type.kind === "pointer") {
        const volatile = /\bvolatile\b/.test(node.type?.qualType ?? "") || found.address.volatile;
        return { kind: "pointer", address: { ...found.address, volatile }, to: type.to };
      }
      return found;
    }
    case "LValueBitCast":
      return read(t, locate(t, node), node);
    case "ConstructorConversion":
    case "UserDefinedConversion":
    case "Dependent":
      return value(t, child);
    case "FunctionToPointerDecay":
    case "BuiltinFnToFnPtr":
      return t.refuse(node, "A function is used as a value.", "Call it, or choose with if.");
    case "PointerToIntegral":
    case "IntegralToPointer":
      return t.refuse(node, "A pointer is made a number, or a number a pointer.", "Compute with indices.");
    default: {
      if (type.kind === "void") {
        value(t, child);
        return VOID;
      }
      const found = scalar(t, child);
      if (type.kind !== "scalar")
        return t.refuse(node, `A cast to ${node.type?.qualType ?? "this type"}.`, "Cast to a number.");
      return { kind: "scalar", expr: converted(found.expr, found.type, type.scalar), type: type.scalar };
    }
  }
}
