/** Kernels of a CUDA C++ text, which launch as those in TypeScript do. */
import { InputError } from "../base/errors.js";
import type { KernelIr } from "../ir/ir.js";
import { byteSize, type ElementType, isVector, type Narrow, type Scalar } from "../ir/types.js";
import type { DeviceSymbol, TranslatedKernel } from "./cuda-cpp/to-ir/kernel.js";
import type { TemplateNode } from "./cuda-cpp/tree/unit.js";
import { isValueType, type ValueType } from "./declare/element.js";
import { Kernel } from "./kernel.js";

/** A `__device__` or `__constant__` variable that a kernel uses. `Gpu.symbol` gives its memory. */
export interface CudaSymbol {
  readonly name: string;
  /** The same for all kernels of one file. */
  readonly key: object;
  readonly parameter: string;
  readonly element: ElementType;
  readonly length: number;
  /** Its first values. */
  values(): ArrayBufferView;
}

const ARRAYS = {
  i8: Int8Array,
  u8: Uint8Array,
  i16: Int16Array,
  u16: Uint16Array,
  bool: Int32Array,
  i32: Int32Array,
  u32: Uint32Array,
  i64: BigInt64Array,
  u64: BigUint64Array,
  f32: Float32Array,
  f64: Float64Array,
};

function symbolOf(symbol: DeviceSymbol, keys: Map<string, object>): CudaSymbol {
  const key = keys.get(symbol.id) ?? {};
  keys.set(symbol.id, key);
  const { name, parameter, element, length, initial } = symbol;
  const values = (): ArrayBufferView => {
    const bytes = new ArrayBuffer(length * byteSize(element));
    for (const { byte, type, value } of initial) {
      // A number or a bigint by its type, which the array's static type does not tell.
      const place = new ARRAYS[type](1) as unknown as Record<number, number | bigint> & ArrayBufferView;
      place[0] = value;
      new Uint8Array(bytes, byte).set(new Uint8Array(place.buffer));
    }
    return new ARRAYS[isVector(element) ? element.scalar : element](bytes);
  };
  return { name, key, parameter, element, length, values };
}

/** Compiles one more instance of a template: its name and the arguments as C++ writes them. */
export type Instantiate = (name: string, given: readonly string[]) => TranslatedKernel;

const LONG_NAMES: Readonly<Record<Scalar | Narrow, string>> = {
  i8: "char",
  u8: "unsigned char",
  i16: "short",
  u16: "unsigned short",
  bool: "bool",
  i32: "int",
  u32: "unsigned int",
  i64: "long long",
  u64: "unsigned long long",
  f32: "float",
  f64: "double",
};

/** An argument of a template: a number, a truth value or a type such as f32. */
export type TemplateArgument = number | bigint | boolean | ValueType;

function argumentText(name: string, value: TemplateArgument): string {
  if (isValueType(value))
    return isVector(value.type) ? `${vectorStem(value.type.scalar)}${value.type.lanes}` : LONG_NAMES[value.type];
  if (typeof value === "boolean" || typeof value === "bigint" || Number.isInteger(value)) return String(value);
  throw new InputError({
    what: `${name} is given a value that is no template argument of C++.`,
    cure: "Give a whole number, a truth value or a type, such as 256 or f32.",
  });
}

function vectorStem(scalar: Scalar): string {
  return { bool: "bool", i32: "int", u32: "uint", i64: "longlong", u64: "ulonglong", f32: "float", f64: "double" }[
    scalar
  ];
}

/** The part that all kernels of one text share. */
export interface CudaText {
  readonly text: string;
  /** Variables of the device by clang's id. */
  readonly symbols: Map<string, object>;
  readonly instantiate: Instantiate;
}

/** What an instance was made of. */
interface InstanceOf {
  readonly template: CudaTemplate;
  readonly given: Readonly<Record<string, TemplateArgument>>;
}

export class CudaKernel extends Kernel {
  readonly #source: CudaText;
  readonly #symbols: readonly CudaSymbol[];
  readonly #translated: TranslatedKernel;
  readonly #of: InstanceOf | null;

  /** Whether a kernel comes from a CUDA C++ text. */
  static override is(value: unknown): value is CudaKernel {
    return typeof value === "object" && value !== null && #source in value;
  }

  constructor(translated: TranslatedKernel, source: CudaText, of: InstanceOf | null = null) {
    const { name, ir } = translated;
    const constants = Object.fromEntries(ir.constants.map((each) => [each.name, Number(each.value)]));
    super({ name, text: source.text, params: {}, constants, functions: {} }, { ir: ir as KernelIr, named: new Map() });
    this.#source = source;
    this.#translated = translated;
    this.#of = of;
    this.#symbols = translated.symbols.map((symbol) => symbolOf(symbol, source.symbols));
  }

  /** The kernel as its text says, without what a program has added to this object. */
  again(): CudaKernel {
    return new CudaKernel(this.#translated, this.#source, this.#of);
  }

  /**
   * Another instance of the template that the kernel is one of.
   * @throws InputError for a kernel that is none, and for names that are no parameters of the template
   */
  override with(constants: Readonly<Record<string, TemplateArgument>>): CudaKernel {
    const own = Object.fromEntries(this.ir.constants.map(({ name, value }) => [name, Number(value)]));
    if (this.#of !== null) return this.#of.template.with({ ...own, ...this.#of.given, ...constants });
    throw new InputError({
      what: `The kernel ${this.name} is no instance of a template that was made by with.`,
      cure: "Write template <int BLOCK> before __global__, and take the instances of the template.",
    });
  }

  /** Variables of the device that the kernel uses. */
  get symbols(): readonly CudaSymbol[] {
    return this.#symbols;
  }

  /** A variable of the device by its name. @throws InputError where the kernel uses none of that name. */
  symbol(name: string): CudaSymbol {
    const found = this.#symbols.find((each) => each.name === name);
    if (found !== undefined) return found;
    const names = this.#symbols.map((each) => each.name).join(", ");
    throw new InputError({
      what: `Kernel ${this.name} uses no variable ${name} of the device.`,
      cure: names === "" ? "It uses none." : `It uses ${names}.`,
    });
  }

  /** Structs as their fields: `{ size: { x: 4, y: 2 } }` is `size.x` and `size.y`. */
  flatArguments<T>(args: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
    const names = this.ir.params.map((param) => param.name);
    const flat: Record<string, T> = {};
    const add = (name: string, value: T): void => {
      const isStruct = typeof value === "object" && value !== null && names.some((each) => each.startsWith(`${name}.`));
      if (!isStruct) flat[name] = value;
      else for (const [field, inner] of Object.entries(value)) add(`${name}.${field}`, inner as T);
    };
    for (const [name, value] of Object.entries(args)) add(name, value);
    return flat;
  }

  /** The text itself. */
  override toCuda(): string {
    return this.#source.text;
  }
}

/** A template of kernels: `reduce.with({ BLOCK: 256 })` is a kernel. */
export class CudaTemplate {
  readonly name: string;
  readonly #node: TemplateNode;
  readonly #source: CudaText;

  static is(value: unknown): value is CudaTemplate {
    return typeof value === "object" && value !== null && #node in value;
  }

  constructor(node: TemplateNode, source: CudaText) {
    this.name = node.name;
    this.#node = node;
    this.#source = source;
  }

  /** The names of its parameters. */
  get parameters(): readonly string[] {
    return this.#node.parameters.map(({ name }) => name);
  }

  /** The instance with these arguments; those at the end that have a default may be left out. @throws InputError for names that are no parameters of the template. */
  with(given: Readonly<Record<string, TemplateArgument>>): CudaKernel {
    const names = this.parameters;
    const stranger = Object.keys(given).find((name) => !names.includes(name));
    if (stranger !== undefined) {
      throw new InputError({
        what: `The template ${this.name} has no parameter ${stranger}.`,
        cure: `Its parameters are ${names.join(", ")}.`,
      });
    }
    const first = names.findIndex((name) => !(name in given));
    const used = first < 0 ? names : names.slice(0, first);
    const late = names.slice(used.length).find((name) => name in given);
    if (late !== undefined) {
      throw new InputError({
        what: `The template ${this.name} is given ${late}, but not ${names[used.length]} before it.`,
        cure: `Give all of ${names.join(", ")}.`,
      });
    }
    const missing = this.#node.parameters.slice(used.length).filter(({ hasDefault }) => !hasDefault);
    if (missing.length > 0) {
      throw new InputError({
        what: `The template ${this.name} is given no ${missing[0]?.name}, which has no default.`,
        cure: `Give all of ${names.join(", ")}.`,
      });
    }
    const texts = used.map((name) => argumentText(name, given[name] as TemplateArgument));
    return new CudaKernel(this.#source.instantiate(this.name, texts), this.#source, { template: this, given });
  }
}
