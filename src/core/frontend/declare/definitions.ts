/**
 * Device functions and kernels by their names. A free name in a kernel's text means the last definition of that name
 * before the kernel was made. A notebook's cell that is run again defines it again. A name is kept for good, and so is its
 * text. A kernel's compiled form, with its programs for each GPU, is kept only while the kernel is one of the latest.
 */
import type { Callee, ChildKernel, DeviceDefinition, KernelDefinition } from "./definition.js";

/** A kernel whose text is at hand. */
export interface DefinedKernel extends ChildKernel {
  readonly spec: KernelDefinition;
}

/** Compiles the text again. */
type Make = (spec: KernelDefinition) => DefinedKernel;

type KeptCallees = ReadonlyMap<string, DeviceDefinition | KeptKernel>;

/** Kernels that are held whole. */
const LATEST = 16;

/** A kernel as text; the kernels that its text names are texts too. */
class KeptKernel {
  readonly #spec: Omit<KernelDefinition, "functions" | "named">;
  readonly #functions: KeptCallees;
  readonly #named: KeptCallees;
  readonly #make: Make;

  constructor({ spec }: DefinedKernel, make: Make) {
    const { functions, named = [], ...own } = spec;
    this.#spec = own;
    const whole = new Map<Callee, DeviceDefinition | KeptKernel>();
    this.#functions = keptOf(Object.entries(functions), make, whole);
    this.#named = keptOf(named, make, whole);
    this.#make = make;
  }

  /** `made`: the kernels that have been made already for the same kernel. */
  again(made: Map<KeptKernel, DefinedKernel> = new Map()): DefinedKernel {
    const known = made.get(this);
    if (known !== undefined) return known;
    const callees = (kept: KeptCallees): [string, Callee][] =>
      [...kept].map(([name, each]) => [name, each instanceof KeptKernel ? each.again(made) : each]);
    const functions = Object.fromEntries(callees(this.#functions));
    const kernel = this.#make({ ...this.#spec, functions, named: new Map(callees(this.#named)) });
    made.set(this, kernel);
    return kernel;
  }
}

function keptOf(
  callees: Iterable<readonly [string, Callee]>,
  make: Make,
  known: Map<Callee, DeviceDefinition | KeptKernel>,
): KeptCallees {
  return new Map(
    [...callees].map(([name, callee]) => {
      const kept =
        known.get(callee) ?? (callee.kind === "device" ? callee : new KeptKernel(callee as DefinedKernel, make));
      known.set(callee, kept);
      return [name, kept];
    }),
  );
}

const defined = new Map<string, DeviceDefinition | KeptKernel>();

const latest = new Map<KeptKernel, DefinedKernel>();

function hold(kept: KeptKernel, kernel: DefinedKernel): void {
  latest.delete(kept);
  latest.set(kept, kernel);
  for (const [oldest] of latest) {
    if (latest.size <= LATEST) return;
    latest.delete(oldest);
  }
}

function setLast(name: string, callee: DeviceDefinition | KeptKernel): void {
  const before = defined.get(name);
  if (before instanceof KeptKernel) latest.delete(before);
  // As the last one of those that are listed.
  defined.delete(name);
  defined.set(name, callee);
}

/** The latest of its name from now on. */
export function defineDevice(device: DeviceDefinition): void {
  setLast(device.name, device);
}

/** The latest of its name from now on. `make` makes the same kernel again of its text. */
export function defineKernel(kernel: DefinedKernel, make: Make): void {
  const kept = new KeptKernel(kernel, make);
  setLast(kernel.name, kept);
  hold(kept, kernel);
}

export function lastDefined(name: string): Callee | undefined {
  const found = defined.get(name);
  if (!(found instanceof KeptKernel)) return found;
  const kernel = latest.get(found) ?? found.again();
  hold(found, kernel);
  return kernel;
}

export function lastDevice(name: string): DeviceDefinition | undefined {
  const found = defined.get(name);
  return found instanceof KeptKernel ? undefined : found;
}

export function isDefined(name: string): boolean {
  return defined.has(name);
}

/** Names in the order of their definition. */
export function definedNames(): readonly string[] {
  return [...defined.keys()];
}

/** For tests whose texts must mean the same whatever another file has defined before. */
export function forgetDefinitions(): void {
  defined.clear();
  latest.clear();
}
