/** Runs a program's module on a GPU: its `main`, from the first line to the exit code. */
import { InputError, WarplabError } from "../base/errors.js";
import type { Gpu } from "../host/gpu.js";
import { HostChecks, HostFault } from "./checks.js";
import { ProgramClock } from "./clock.js";
import { DeviceMemory, type HostHeap } from "./device-memory.js";
import { HostMemory } from "./host-memory.js";
import { type FindKernel, ProgramKernels } from "./kernels.js";
import { Problems } from "./problems.js";
import type { ProgramFiles } from "./program-files.js";
import { CudaRuntime } from "./runtime.js";
import { ProgramExit, Wasi } from "./wasi.js";

export interface ProgramRun {
  readonly module: WebAssembly.Module;
  readonly gpu: Gpu;
  readonly findKernel: FindKernel;
  /** The program's name first. */
  readonly args: readonly string[];
  readonly files: ProgramFiles;
  output(descriptor: number, bytes: Uint8Array): void;
  input(count: number): Uint8Array;
  /** A line of the program with a caret, for messages. */
  place(file: string, line: number, column: number): string;
  /** Where in the program an error of WebAssembly has happened, by its stack; null where that is not known. */
  trapPlace(stack: string): string | null;
}

const ABORTED = 134;
const SEGMENTATION_FAULT = 139;

type Exports = Readonly<{
  memory: WebAssembly.Memory;
  _start: () => void;
  warplab_malloc: (bytes: number) => number;
  free: (address: number) => void;
  warplab_flush?: () => void;
  __indirect_function_table: WebAssembly.Table;
}>;

/** clang gives each file's registration a name of its own. */
const REGISTRATION = /^__cudaRegisterLinkedBinary/;

/** The imports that nobody answers, by the name as a linker gives it. @throws InputError */
function checkImports(module: WebAssembly.Module, known: WebAssembly.Imports): void {
  const missing = WebAssembly.Module.imports(module)
    .filter(({ module: from, name }) => !(name in (known[from] ?? {})))
    .map(({ name }) => name);
  if (missing.length === 0) return;
  throw new InputError({
    what: `The program calls what is defined nowhere: ${missing.join(", ")}.`,
    cure: "Name all files that belong to the program: npx warplab run main.cu other.cu. cuBLAS, cuRAND, cuFFT, Thrust and OpenGL are not there.",
  });
}

/** @returns the exit code; what ends the program early stands on its stderr. */
export function runModule(run: ProgramRun): number {
  const { module, gpu, output } = run;
  const host = new HostMemory();
  const tell = (text: string): void => output(2, new TextEncoder().encode(text));
  let exports: Exports | null = null;
  const heap = (): HostHeap => {
    if (exports === null) throw new Error("The program has not begun.");
    return { malloc: exports.warplab_malloc, free: exports.free };
  };
  const flush = (): void => exports?.warplab_flush?.();
  const clock = new ProgramClock(gpu);
  const memory = new DeviceMemory(gpu, host, heap);
  const kernels = new ProgramKernels(gpu, host, memory, run.findKernel);
  const problems = new Problems((text) => {
    flush();
    tell(text);
  });
  const wasi = new Wasi({
    args: run.args,
    files: run.files,
    memory: host,
    output,
    input: run.input,
    clock: (which) => clock.read(which),
    sleep: (nanoseconds) => clock.sleep(Number(nanoseconds) / 1e6),
  });
  const runtime = new CudaRuntime({ gpu, host, memory, kernels, problems, clock, flush });
  const checks = new HostChecks(host, tell, run.place);
  const uncaught = (name: number, what: number): void => {
    const text = what === 0 ? "" : host.text(what);
    tell(`terminate called after throwing an instance of ${typeName(host.text(name))}\n`);
    tell(
      `${text === "" ? "" : `  what():  ${text}\n`}warplab: exceptions are not caught here: each ends the program.\n`,
    );
  };
  const register = (globals: number): void => exports?.__indirect_function_table.get(globals)(0);
  const registrations = WebAssembly.Module.imports(module).flatMap(({ name }) =>
    REGISTRATION.test(name) ? [[name, register] as const] : [],
  );
  const noMemory = (bytes: number): void => {
    const cure = "Take less, or free what is not used any more.";
    tell(`warplab: malloc gives no ${bytes >>> 0} bytes: the host's memory ends at 2 GiB here. ${cure}\n`);
  };
  const own = { __warplab_uncaught: uncaught, __warplab_no_memory: noMemory, ...Object.fromEntries(registrations) };
  const imports = {
    env: { ...runtime.imports(), ...checks.imports(), ...own },
    wasi_snapshot_preview1: wasi.imports(),
  } as unknown as WebAssembly.Imports;
  checkImports(module, imports);
  exports = new WebAssembly.Instance(module, imports).exports as unknown as Exports;
  host.attach(exports.memory);
  try {
    exports._start();
    return 0;
  } catch (problem) {
    if (problem instanceof ProgramExit) return problem.code;
    return ended(problem, run, tell, () => flush());
  } finally {
    wasi.finish();
  }
}

/** `St13runtime_error` is 'std::runtime_error'; other names stay as the compiler makes them. */
function typeName(mangled: string): string {
  const found = /^(St)?(\d+)(\w+)$/.exec(mangled);
  const builtin: Readonly<Record<string, string>> = { i: "int", PKc: "char const*", d: "double", f: "float" };
  if (found === null) return `'${builtin[mangled] ?? mangled}'`;
  return `'${found[1] === undefined ? "" : "std::"}${found[3]}'`;
}

/** The end of a program that something has stopped. */
function ended(problem: unknown, run: ProgramRun, tell: (text: string) => void, flush: () => void): number {
  if (problem instanceof WarplabError) {
    flush();
    tell(`warplab: ${problem.message}\n`);
    return problem instanceof HostFault ? problem.exitCode : 1;
  }
  if (!(problem instanceof WebAssembly.RuntimeError || problem instanceof RangeError)) throw problem;
  const { message }: Error = problem;
  const place = run.trapPlace(problem.stack ?? "");
  const at = place === null ? "" : `\n${place}`;
  if (/unreachable/.test(message)) {
    tell(`warplab: The program was aborted.${at}\n`);
    return ABORTED;
  }
  flush();
  if (/out of bounds memory|memory access/.test(message)) {
    tell(
      `warplab: Segmentation fault: the program reads or writes where it has no memory.${at}\nMemory of the GPU is copied first (cudaMemcpy), or is managed (cudaMallocManaged); look for an index out of bounds too.\n`,
    );
    return SEGMENTATION_FAULT;
  }
  if (/divide|remainder/.test(message)) {
    tell(`warplab: Floating point exception: the program divides by zero.${at}\nTest the divisor first.\n`);
    return 136;
  }
  const deep = /call stack/i.test(message);
  tell(`warplab: ${deep ? "The program's functions call each other too deeply" : message}.${at}\n`);
  return SEGMENTATION_FAULT;
}
