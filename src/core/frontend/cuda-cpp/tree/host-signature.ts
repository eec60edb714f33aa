/**
 * A kernel's parameters as the host of a whole program lays them out: pointers and `long` have 4 bytes there, 8 in the kernel.
 * The numbers and pointers of each parameter come in the order of the kernel's IR.
 */

import { byteSize } from "../../../ir/types.js";
import { vectorOf } from "./layout.js";
import { children, type Node } from "./node.js";
import type { CScalar, CType } from "./types.js";
import type { FunctionNode, Unit } from "./unit.js";

/** One number or pointer of a parameter: its place among the parameter's bytes. */
export interface HostPart {
  readonly offset: number;
  readonly type: CScalar | "pointer";
  /** 4 for a `long`. */
  readonly bytes: number;
}

export interface HostParameter {
  readonly name: string;
  readonly parts: readonly HostPart[];
  /** Why the host's bytes are not those of the kernel; null where they are. */
  readonly refused: string | null;
}

interface Measured {
  readonly size: number;
  readonly align: number;
  readonly parts: readonly HostPart[];
}

const LONG = /\blong\b/;

/** Whether a type's text names the `long` of C++, which is no `long long`. */
function isLong(text: string): boolean {
  return LONG.test(text.replaceAll(/\blong long\b/g, "").replaceAll(/\b(long double|longlong\d)\b/g, ""));
}

const textOf = (node: Node): string => node.type?.desugaredQualType ?? node.type?.qualType ?? "";

class Refused extends Error {}

function scalarPart(scalar: CScalar, text: string): Measured {
  const bytes = isLong(text) ? 4 : byteSize(scalar);
  return { size: bytes, align: bytes, parts: [{ offset: 0, type: scalar, bytes }] };
}

function measure(unit: Unit, type: CType, text: string): Measured {
  switch (type.kind) {
    case "scalar":
      return scalarPart(type.scalar, text);
    case "pointer":
      return { size: 4, align: 4, parts: [{ offset: 0, type: "pointer", bytes: 4 }] };
    case "array": {
      const of = measure(unit, type.of, text);
      const starts = Array.from({ length: type.length ?? 0 }, (_, i) => i * of.size);
      return {
        size: of.size * starts.length,
        align: of.align,
        parts: starts.flatMap((start) => moved(of.parts, start)),
      };
    }
    case "record":
      return record(unit, type.name);
    default:
      throw new Refused("its type is not known here");
  }
}

function moved(parts: readonly HostPart[], by: number): readonly HostPart[] {
  return parts.map((part) => ({ ...part, offset: part.offset + by }));
}

function record(unit: Unit, name: string): Measured {
  const vector = vectorOf(name);
  const layout = unit.layout(name);
  if (layout === null) throw new Refused(`the layout of ${name} is not known here`);
  if (vector !== null && /^u?long[1-4]$/.test(name)) throw new Refused(`${name} has 64 bits in the kernel`);
  const own = unit.record(name);
  const declared = own === undefined ? [] : children(own).filter(({ kind }) => kind === "FieldDecl");
  const parts: HostPart[] = [];
  let [end, most] = [0, layout.align];
  if (
    layout.fields.every(
      (field) =>
        !differs(
          unit,
          field.type,
          declared.find((each) => each.name === field.name),
        ),
    )
  ) {
    for (const field of layout.fields) parts.push(...moved(measure(unit, field.type, "").parts, field.offset));
    return { size: layout.size, align: layout.align, parts };
  }
  most = 1;
  for (const field of layout.fields) {
    const node = declared.find((each) => each.name === field.name);
    const measured = measure(unit, field.type, node === undefined ? "" : textOf(node));
    const offset = Math.ceil(end / measured.align) * measured.align;
    parts.push(...moved(measured.parts, offset));
    end = offset + measured.size;
    most = Math.max(most, measured.align);
  }
  return { size: Math.ceil(end / most) * most, align: most, parts };
}

/** Whether a field has other bytes on the host. */
function differs(unit: Unit, type: CType, node: Node | undefined): boolean {
  if (type.kind === "pointer") return true;
  if (type.kind === "array") return differs(unit, type.of, node);
  if (type.kind === "scalar") return node !== undefined && isLong(textOf(node));
  if (type.kind !== "record") return false;
  const own = unit.record(type.name);
  const declared = own === undefined ? [] : children(own).filter(({ kind }) => kind === "FieldDecl");
  return (unit.layout(type.name)?.fields ?? []).some((field) =>
    differs(
      unit,
      field.type,
      declared.find((each) => each.name === field.name),
    ),
  );
}

/** Why memory that a pointer leads to has other bytes on the host; null where it has not. */
function otherMemory(unit: Unit, type: CType, text: string): string | null {
  if (type.kind === "pointer") {
    return type.to.kind === "pointer"
      ? "it points to pointers"
      : otherMemory(unit, type.to, text.replace(/\*[^*]*$/, ""));
  }
  if (type.kind === "array") return otherMemory(unit, type.of, text);
  if (type.kind === "scalar") return isLong(text) ? "it points to a long, which has 32 bits on the host here" : null;
  if (type.kind === "record" && differs(unit, type, undefined)) return `a ${type.name} holds a pointer or a long`;
  return null;
}

export function hostParameters(unit: Unit, fn: FunctionNode): readonly HostParameter[] {
  return fn.parameters.map((node, index) => {
    const name = node.name ?? `param${index}`;
    const type = unit.type(node);
    const seen: CType = type.kind === "array" ? { kind: "pointer", to: type.of } : type;
    try {
      const { parts } = measure(unit, seen, textOf(node));
      const refused = seen.kind === "pointer" ? otherMemory(unit, seen, textOf(node)) : null;
      return { name, parts, refused };
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      return { name, parts: [], refused: problem.message };
    }
  });
}
