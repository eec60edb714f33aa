/** NVIDIA's compiler, where the machine has it. */
import { execFileSync } from "node:child_process";

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

/** Compiles a whole program to an object file for a GPU. Throws with nvcc's messages. */
export function compileObject(file: string, arch: string): void {
  execFileSync("nvcc", [`-arch=${arch}`, "-w", "-rdc=true", "-c", "-o", `${file}.o`, file], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "ignore", "pipe"],
  });
}

/** Compiles CUDA C++ to PTX. Throws with nvcc's messages. */
export function compileToPtx(file: string): string {
  return execFileSync("nvcc", ["-arch=sm_90", "-w", "-rdc=true", "-ptx", "-o", "-", file], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "pipe"],
  });
}
