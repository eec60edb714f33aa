/** Compiles and runs a whole program, with the report that is asked for. */
import "../platform.js";
import { dirname, relative } from "node:path";
import { WarplabError } from "../../core/base/errors.js";
import { platform, providePlatform } from "../../core/base/platform.js";
import { deviceById } from "../../core/device/index.js";
import { HOST_BYTES } from "../../core/frontend/cuda-cpp/host/invocations.js";
import { type Activity, listen } from "../../core/host/activity.js";
import { Gpu } from "../../core/host/gpu.js";
import { ncu } from "../../core/profiler/ncu/details-page.js";
import { nvprofText } from "../../core/profiler/nvprof/nvprof.js";
import { runModule } from "../../core/program/run-module.js";
import { type Sanitizing, startSanitizing } from "../../core/sanitizer/sanitize.js";
import { type CompiledProgram, compileProgram } from "./compiled-program.js";
import { lineOfAddresses, placeText, stackAddresses } from "./line-of-address.js";
import { FolderFiles, ProgramTexts } from "./program-folder.js";
import { ProgramOutput, readInput } from "./program-output.js";

export interface ProgramOptions {
  /** The source files; the first gives the program its name and its folder. */
  readonly files: readonly [string, ...string[]];
  readonly args: readonly string[];
  readonly device: string | null;
  readonly sanitize: boolean;
  readonly profile: "nvprof" | "ncu" | null;
  readonly root: string | null;
  readonly include: readonly string[];
  readonly write: string | null;
}

/** The most memory of the GPU that a program gets: its addresses lie above those of the host. */
const DEVICE_BYTES = 2 ** 32 - HOST_BYTES - (1 << 25);

/** A program's own time limit ends it before: a kernel without an end is told by the limit of a warp. */
const MOST_STEPS = 1e11;
const MOST_STEPS_OF_WARP = 3e8;

/** `started` is called when the program itself begins. @returns the program's exit code; 1 where it cannot be compiled */
export function runProgram(
  options: ProgramOptions,
  started: () => void = () => undefined,
  output: ProgramOutput = new ProgramOutput(),
): number {
  try {
    return compileAndRun(options, output, started);
  } catch (problem) {
    if (!(problem instanceof WarplabError)) throw problem;
    output.text(2, `${problem.message}\n`);
    return 1;
  } finally {
    output.flush();
  }
}

function compileAndRun(options: ProgramOptions, output: ProgramOutput, started: () => void): number {
  const root = options.root ?? dirname(options.files[0]);
  const texts = new ProgramTexts(options.files, root, options.include);
  const device = deviceById(options.device ?? "h200");
  const memoryBytes = Math.min(device.limits.totalGlobalMemBytes, DEVICE_BYTES);
  const gpu = new Gpu(device, { memoryBytes, stepLimit: MOST_STEPS, warpStepLimit: MOST_STEPS_OF_WARP });
  const compiled = compileProgram(texts);
  const lineOf = (addresses: readonly number[]): string | null => {
    const found = lineOfAddresses(compiled.bytes, addresses);
    return found === null ? null : placeText(texts.texts, found);
  };
  started();
  const activities = options.profile === null ? null : listen();
  const sanitizing = options.sanitize ? startSanitizing() : null;
  let code: number;
  try {
    code = runCompiled(compiled, gpu, options, { texts, output, lineOf });
  } finally {
    output.flush();
    const list = activities?.stop() ?? [];
    if (options.profile !== null) output.text(1, reportOf(options, list));
  }
  return sanitizing === null ? code : sanitized(sanitizing, output, code);
}

interface Surroundings {
  readonly texts: ProgramTexts;
  readonly output: ProgramOutput;
  readonly lineOf: (addresses: readonly number[]) => string | null;
}

/** The platform outside of programs: of two that run one after the other at once, neither gives back the other's. */
let outside: ReturnType<typeof platform> | null = null;

function runCompiled(
  { module, findKernel }: CompiledProgram,
  gpu: Gpu,
  options: ProgramOptions,
  { texts, output, lineOf }: Surroundings,
): number {
  let running = true;
  const [file] = options.files;
  outside ??= platform();
  const before = outside;
  // What kernels have printed that nobody has waited for is lost, as on a GPU.
  providePlatform({
    ...before,
    print: (text) => {
      if (running) output.text(1, text);
    },
  });
  const refused = new Set<string>();
  const files = new FolderFiles(dirname(file), options.write, (path) => {
    if (!refused.has(path))
      output.text(2, `warplab: the program may not write ${path}. --write DIR lets it write in DIR.\n`);
    refused.add(path);
  });
  try {
    return runModule({
      module,
      gpu,
      findKernel,
      args: [`./${relative(dirname(file), file)}`.replace(/\.\w+$/, ""), ...options.args],
      files,
      output: (descriptor, bytes) => output.write(descriptor, bytes),
      input: (count) => {
        output.flush();
        return readInput(count);
      },
      place: (file, line, column) => placeText(texts.texts, { file, line, column }),
      trapPlace: (stack) => lineOf(stackAddresses(stack)),
    });
  } finally {
    running = false;
    queueMicrotask(() => {
      providePlatform(before);
      outside = null;
    });
  }
}

function reportOf({ profile, files }: ProgramOptions, list: readonly Activity[]): string {
  if (profile === "nvprof") return nvprofText(list, { application: files[0] });
  return list.flatMap((each) => (each.kind === "launch" ? [`${ncu(each.launch)}\n`] : [])).join("\n");
}

function sanitized(sanitizing: Sanitizing, output: ProgramOutput, code: number): number {
  const { text, errors } = sanitizing.finish();
  output.text(1, `${text}\n`);
  return code === 0 && errors > 0 ? 1 : code;
}
