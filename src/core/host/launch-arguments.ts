/** Binds a launch's arguments, given by name, to a kernel's parameters, and refuses what CUDA's compiler or driver would. */
import { InputError } from "../base/errors.js";
import { anything, checkArgument, recordOf } from "../base/shape.js";
import { described } from "../base/shown.js";
import { typedArrayName } from "../base/typed-array.js";
import type { Argument } from "../engine/engine.js";
import type { Param } from "../ir/ir.js";
import { unfit } from "../ir/stored-value.js";
import { byteSize, cudaName, type ElementType, type Narrow, type Scalar } from "../ir/types.js";
import { type BufferOwner, DeviceBuffer, freedBuffer } from "./buffer.js";

export type LaunchArgument = number | bigint | boolean | DeviceBuffer;

export type LaunchArguments = Readonly<Record<string, LaunchArgument>>;

function bindScalar(kernel: string, name: string, type: Scalar, value: LaunchArgument): Argument {
  const refuse = (reason: string, cure: string): never => {
    throw new InputError({ what: `Kernel ${kernel}: parameter ${name} is ${cudaName(type)}, but ${reason}.`, cure });
  };
  if (DeviceBuffer.is(value)) {
    const element = cudaName(value.element);
    return refuse("a buffer was given", `Declare ${name} as ptr(${element}), or give it a number.`);
  }
  if (typeof value !== "number" && typeof value !== "bigint" && typeof value !== "boolean") {
    return refuse(`${described(value)} was given`, "Give it a number.");
  }
  if (type === "bool")
    return typeof value === "boolean" ? Number(value) : refuse("no boolean was given", "Give true or false.");
  if (type === "f64") return Number(value);
  if (type === "f32") return Math.fround(Number(value));
  const wrong = typeof value === "boolean" ? null : unfit(type, value);
  if (wrong !== null) return refuse(wrong.reason, `${wrong.cure}.`);
  return type === "i64" || type === "u64" ? BigInt(value) : Number(value);
}

function sameElement(parameter: ElementType, buffer: ElementType): boolean {
  const scalar = (type: ElementType): Scalar | Narrow => (typeof type === "string" ? type : type.scalar);
  const [one, other] = [scalar(parameter), scalar(buffer)];
  // A char has no sign by its name: text is one and the other.
  return one === other || (byteSize(one) === 1 && byteSize(other) === 1);
}

function bindPointer(
  kernel: string,
  name: string,
  element: ElementType,
  value: LaunchArgument,
  owner: BufferOwner,
): Argument {
  if (!DeviceBuffer.is(value)) {
    throw new InputError({
      what: `Kernel ${kernel}: parameter ${name} is ${cudaName(element)}*, but ${described(value)} was given.`,
      cure:
        typedArrayName(value) !== undefined
          ? `Copy the array to the GPU first: ${name}: gpu.upload(array).`
          : `Allocate a buffer and give it: ${name}: gpu.alloc(type, length), or gpu.upload(array) for values.`,
    });
  }
  if (value.owner !== owner) {
    throw new InputError({
      what: `Kernel ${kernel}: the buffer given as ${name} lives on another GPU.`,
      cure: "Allocate it on the GPU that launches the kernel.",
    });
  }
  if (value.freed) {
    const parts = {
      what: `Kernel ${kernel}: the buffer given as ${name} was freed.`,
      cure: "Free it after the last launch that uses it.",
    };
    throw freedBuffer("launch", value, parts, `kernel ${kernel} as ${name}`);
  }
  if (!sameElement(element, value.element)) {
    throw new InputError({
      what: `Kernel ${kernel}: parameter ${name} is ${cudaName(element)}*, but the buffer holds ${cudaName(value.element)}.`,
      cure: `Allocate the buffer with that type, or declare the parameter as a pointer to ${cudaName(value.element)}.`,
    });
  }
  const whole = Math.floor(value.byteLength / byteSize(element)) * byteSize(element);
  const { address, bytesBefore } = value;
  return { address, byteLength: whole, ...(bytesBefore > 0 ? { bytesBefore } : {}) };
}

/** Arguments in the order of the parameters. Missing, unknown and mistyped ones are errors that name the parameter. */
export function bindArguments(
  kernel: string,
  params: readonly Param[],
  given: LaunchArguments,
  owner: BufferOwner,
): readonly Argument[] {
  checkArgument(`Launch of kernel ${kernel}`, "arguments", given, recordOf(anything));
  const names = params.map((param) => param.name);
  for (const name of Object.keys(given)) {
    if (!names.includes(name)) {
      throw new InputError({
        what: `Kernel ${kernel} has no parameter ${name}.`,
        cure: `Its parameters are ${names.join(", ") || "none"}.`,
      });
    }
  }
  return params.map((param) => {
    const value = given[param.name];
    if (value === undefined) {
      throw new InputError({
        what: `Kernel ${kernel}: no argument for parameter ${param.name}.`,
        cure: `Add ${param.name} to the launch's arguments.`,
      });
    }
    return param.kind === "scalar"
      ? bindScalar(kernel, param.name, param.type, value)
      : bindPointer(kernel, param.name, param.type.pointer, value, owner);
  });
}
