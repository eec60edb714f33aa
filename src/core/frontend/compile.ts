/** One kernel from its definition to its IR: its own text, then each device function for each choice of spaces. */
import type { Span } from "../base/errors.js";
import { CompileError } from "../base/errors.js";
import { guardStack } from "../base/stack-overflow.js";
import type { DeviceFunction, KernelIr, Param } from "../ir/ir.js";
import { cudaName, isScalar, isVector, loadedType, type PointerType } from "../ir/types.js";
import {
  type Callee,
  type ConstantInput,
  type DeviceDefinition,
  isCallee,
  type KernelDefinition,
} from "./declare/definition.js";
import { isValueType, TypedConstant } from "./declare/element.js";
import { forms } from "./declare/form.js";
import { isPointerParameter, isScalarType } from "./declare/parameter.js";
import { reportFor } from "./text/report.js";
import { typeName } from "./text/type-name.js";
import { deviceBody, kernelBody } from "./translate/function.js";
import type { KernelTables, OwnParameter } from "./translate/kernel-tables.js";
import { calleeValue } from "./translate/names/free-name.js";
import type { ParsedSource } from "./translate/parsed-source.js";
import { parseSource } from "./translate/source.js";
import { constant, isConst, literal } from "./translate/values/fold.js";
import { type Members, plain, type Value } from "./translate/values/value.js";

const start: Span = { line: 1, column: 0, length: 1 };

function constantValue(input: ConstantInput, refuse: () => never): Value {
  if (input instanceof TypedConstant) {
    const raw = typeof input.value === "boolean" ? Number(input.value) : input.value;
    return plain(constant(input.type, raw, start));
  }
  if (isValueType(input)) return { kind: "type", type: input.type };
  if (typeof input === "boolean") return plain(constant("bool", input ? 1 : 0, start));
  if (typeof input === "bigint") return plain(constant("i64", input, start));
  if (typeof input !== "number" || Number.isNaN(input)) return refuse();
  if (!Number.isInteger(input)) return plain(literal("f32", input, start));
  if (input >= -(2 ** 31) && input < 2 ** 31) return plain(literal("i32", input, start));
  if (input > 0 && input < 2 ** 32) return plain(literal("u32", input, start));
  return Number.isSafeInteger(input) ? plain(constant("i64", input, start)) : refuse();
}

/** Template constants and functions by name. */
function membersOf(
  source: ParsedSource,
  constants: Readonly<Record<string, ConstantInput>>,
  functions: Readonly<Record<string, Callee>>,
): Members {
  const members = new Map<string, Value>();
  const refuse = (name: string, what: string, cure: string): never => {
    throw new CompileError({
      what: `${what} (${name} of ${source.text.name})`,
      cure,
      source: source.text,
      span: start,
    });
  };
  for (const [name, input] of Object.entries(constants)) {
    members.set(
      name,
      constantValue(input, () =>
        refuse(
          name,
          "A constant has no value that a kernel can use.",
          `Give a number, a truth value or a type: { ${name}: 256 }.`,
        ),
      ),
    );
  }
  for (const [name, callee] of Object.entries(functions)) {
    if (!isCallee(callee)) {
      refuse(
        name,
        "A function was given that is no device function.",
        typeof callee === "function" && !isValueType(callee)
          ? `Make it one: const ${name} = device("${name}", { x: i32 }, ({ x }) => ...).`
          : `Give it among the constants: constants: { ${name} }.`,
      );
    }
    members.set(name, calleeValue(callee));
  }
  return members;
}

function kernelParams(definition: KernelDefinition, source: ParsedSource): readonly Param[] {
  return Object.entries(definition.params).map(([name, parameter]): Param => {
    const refuse = (what: string, cure: string): never => {
      throw new CompileError({
        what: `${what} (${name} of ${definition.name})`,
        cure,
        source: source.text,
        span: start,
      });
    };
    if (parameter === undefined || parameter === null)
      return refuse("A parameter has no type.", `Declare it: { ${name}: ptr(i32) } or { ${name}: i32 }.`);
    if (isPointerParameter(parameter)) {
      if (parameter.space !== "any" && parameter.space !== "global")
        return refuse(
          "A kernel's pointer points into global memory.",
          `Write ${name}: ptr(${typeName(parameter.element.type)}).`,
        );
      const type: PointerType = { pointer: parameter.element.type, space: "global", volatile: parameter.volatile };
      return { name, kind: "pointer", type };
    }
    if (isScalarType(parameter) && parameter.type !== "bool") return { name, kind: "scalar", type: parameter.type };
    const element = isValueType(parameter) && parameter.type !== "bool" ? typeName(parameter.type) : "i32";
    return refuse(
      "A kernel's parameter is a number or a pointer.",
      `Write ${name}: ptr(${element}), or one of i32, u32, f32, f64, i64, u64.`,
    );
  });
}

function kernelMembers(params: readonly Param[]): Members {
  return new Map(
    params.map((param, index): [string, Value] => {
      if (param.kind === "scalar") return [param.name, plain({ kind: "param", type: param.type, index, span: start })];
      const expr = {
        kind: "pointer",
        type: param.type,
        root: { kind: "param", index },
        offset: null,
        span: start,
      } as const;
      return [param.name, { kind: "pointer", expr, root: `param:${index}`, dims: [], row: null }];
    }),
  );
}

function ownParameters(params: readonly Param[]): readonly OwnParameter[] {
  return params.map((param) => ({
    name: param.name,
    kind: param.kind,
    type: param.kind === "scalar" ? param.type : "i32",
    pointer: param.kind === "pointer" ? cudaName(param.type.pointer) : "",
  }));
}

/** Compiles one device function for one choice of its pointers' spaces. */
function compileDevice(
  device: DeviceDefinition,
  pointers: readonly (PointerType | null)[],
  tables: KernelTables,
  own: readonly OwnParameter[],
): DeviceFunction {
  const source = parseSource(device.name, device.text, device.place, "device function");
  const report = reportFor(source.text, tables, false);
  const ids: number[] = [];
  const members = new Map<string, Value>();
  Object.entries(device.params).forEach(([name, parameter], index) => {
    const variable = tables.variables.length;
    const pointer = pointers[index];
    const type = pointer ?? (isPointerParameter(parameter) ? undefined : loadedType(parameter.type));
    if (type === undefined) return;
    tables.variables.push({ name, type, mutable: false, span: start });
    ids.push(variable);
    if (pointer) {
      const expr = {
        kind: "pointer",
        type: pointer,
        root: { kind: "variable", variable },
        offset: null,
        span: start,
      } as const;
      members.set(name, { kind: "pointer", expr, root: `variable:${variable}`, dims: [], row: null });
    } else if (isScalar(type) || isVector(type))
      members.set(name, plain({ kind: "variable", type, variable, span: start }));
  });
  const translated = deviceBody({
    source,
    report,
    tables,
    params: members,
    constants: membersOf(source, device.constants, device.functions),
    isKernel: false,
    ownParameters: own,
    form: forms[device.form ?? "long"],
  });
  const library = device.library === true ? { library: true as const } : {};
  const fn = { name: device.name, source: source.text, params: ids, ...library, ...translated };
  return [...tables.named.values()].includes(device) ? { ...fn, byName: true } : fn;
}

/** Empty tables of a kernel with parameters `own`. */
function createTables(own: readonly OwnParameter[], named: Iterable<readonly [string, Callee]>): KernelTables {
  const known = new Map<DeviceDefinition, Map<string, number>>();
  const instance: KernelTables["instance"] = (device, pointers, span, report) => {
    if (tables.open.includes(device)) {
      const round = [...tables.open.slice(tables.open.indexOf(device)), device].map(({ name }) => name);
      report.fail(
        span,
        `${device.name} calls itself: ${round.join(" calls ")}; recursion has no place in a kernel.`,
        "Write a loop, with local(i32, n) as its stack where it needs one.",
      );
    }
    const key = pointers.map((pointer) => pointer?.space ?? "-").join(",");
    const byKey = known.get(device) ?? new Map<string, number>();
    known.set(device, byKey);
    const found = byKey.get(key);
    if (found !== undefined) return found;
    tables.open.push(device);
    const compiled = compileDevice(device, pointers, tables, own);
    tables.open.pop();
    const index = tables.functions.push(compiled) - 1;
    byKey.set(key, index);
    return index;
  };
  const savepoint = (): (() => void) => {
    const lists = [
      tables.variables,
      tables.sharedArrays,
      tables.localArrays,
      tables.functions,
      tables.warnings,
      tables.children,
      tables.open,
    ];
    const lengths = lists.map((list) => list.length);
    return () => {
      lists.forEach((list, index) => {
        list.length = lengths[index] ?? 0;
      });
      for (const byKey of known.values()) {
        for (const [key, index] of byKey) if (index >= tables.functions.length) byKey.delete(key);
      }
    };
  };
  const tables: KernelTables = {
    variables: [],
    sharedArrays: [],
    localArrays: [],
    functions: [],
    warnings: [],
    children: [],
    named: new Map(named),
    open: [],
    readForType: 0,
    savepoint,
    instance,
  };
  return tables;
}

function constantsList(members: Members): KernelIr["constants"] {
  return [...members].flatMap(([name, value]) =>
    value.kind === "expr" && isConst(value.expr) ? [{ name, type: value.expr.type, value: value.expr.value }] : [],
  );
}

export interface CompiledKernel {
  readonly ir: KernelIr;
  /** The meanings of the text's free names, for other instances of the kernel. */
  readonly named: ReadonlyMap<string, Callee>;
}

/** Compiles a kernel; throws CompileError with line, caret and cure. */
export function compileKernel(definition: KernelDefinition): KernelIr {
  return compileWithNames(definition).ir;
}

export function compileWithNames(definition: KernelDefinition): CompiledKernel {
  return guardStack(`kernel "${definition.name}"`, () => compileDefinition(definition));
}

function compileDefinition(definition: KernelDefinition): CompiledKernel {
  const source = parseSource(definition.name, definition.text, definition.place);
  const params = kernelParams(definition, source);
  const own = ownParameters(params);
  const tables = createTables(own, definition.named ?? []);
  const constants = membersOf(source, definition.constants, definition.functions);
  const body = kernelBody({
    source,
    report: reportFor(source.text, tables, true),
    tables,
    params: kernelMembers(params),
    constants,
    isKernel: true,
    ownParameters: own,
    form: forms[definition.form ?? "long"],
  });
  const ir: KernelIr = {
    name: definition.name,
    source: source.text,
    params,
    constants: constantsList(constants),
    variables: tables.variables,
    sharedArrays: tables.sharedArrays,
    localArrays: tables.localArrays,
    functions: tables.functions,
    body,
    warnings: tables.warnings,
  };
  const { children, named } = tables;
  return { ir: children.length === 0 ? ir : { ...ir, children }, named };
}
