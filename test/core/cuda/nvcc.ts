/** NVIDIA's compiler, where the machine has it. */
import { type ExecFileSyncOptions, execFileSync } from "node:child_process";

let version: string | null | undefined;

/** nvcc's version line, or null where there is no nvcc: the tests that need it then say so and pass over. */
export function nvccVersion(): string | null {
  if (version !== undefined) return version;
  try {
    version = execFileSync("nvcc", ["--version"], { encoding: "utf8" }).trim().split("\n").at(-1) ?? null;
  } catch {
    version = null;
    console.log("nvcc is not on this machine: what it would compile is not compiled.");
  }
  return version;
}

const HEARD: ExecFileSyncOptions = { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "ignore", "pipe"] };

function forGpus(computeCapabilities: readonly number[]): string[] {
  return computeCapabilities.map((cc) => `-gencode=arch=compute_${cc},code=sm_${cc}`);
}

/** Compiles a whole program to an object file for GPUs, such as 75 and 90. Throws with nvcc's messages. */
export function compileObject(file: string, ...gpus: readonly number[]): void {
  execFileSync("nvcc", [...forGpus(gpus), "-w", "-rdc=true", "-c", "-o", `${file}.o`, file], HEARD);
}

/** Makes a whole program that runs on these GPUs; a warning is an error. Throws with nvcc's messages. */
export function compileProgram(file: string, ...gpus: readonly number[]): void {
  execFileSync("nvcc", [...forGpus(gpus), "-Werror", "all-warnings", "-o", `${file}.out`, file], HEARD);
}

/** Compiles CUDA C++ to PTX. Throws with nvcc's messages. */
export function compileToPtx(file: string): string {
  return execFileSync("nvcc", ["-arch=sm_90", "-w", "-rdc=true", "-ptx", "-o", "-", file], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "pipe"],
  });
}
