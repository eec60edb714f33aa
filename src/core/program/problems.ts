/** Problems that CUDA tells a program by a code: the code stays for the program, the sentence goes to stderr. */
import { CompileError, InputError, KernelFault, LaunchError, WarplabError } from "../base/errors.js";
import { cudaErrorCode } from "../frontend/cuda-cpp/host/errors.js";
import { HostFault } from "./checks.js";

/** CUDA's name of a problem. */
export function nameOf(problem: WarplabError): string {
  if (problem instanceof KernelFault || problem instanceof LaunchError) return problem.code;
  return /^(cudaError\w+)/.exec(problem.what)?.[1] ?? "cudaErrorUnknown";
}

/** What ends a program: its kernel cannot be compiled, or the host itself has failed. */
function isFinal(problem: WarplabError): boolean {
  return problem instanceof CompileError || problem instanceof HostFault;
}

/** Refuses a call by CUDA's code of its mistake; stderr gets the sentence. */
export function refuseCall(code: string, what: string, cure: string): never {
  throw new InputError({ what: `${code}: ${what}`, cure });
}

export class Problems {
  #last = 0;
  /** After a fault of a kernel, once the host has waited, each call of the runtime fails alike. */
  #sticky = 0;
  #fault = 0;
  readonly #tell: (text: string) => void;
  readonly #told: Set<string> = new Set();

  constructor(tell: (text: string) => void) {
    this.#tell = tell;
  }

  /** The code for a call that has gone well and that waits for the GPU. */
  get waited(): number {
    if (this.#fault !== 0) this.#sticky = this.#fault;
    return this.#sticky;
  }

  /** A call's failure by CUDA's name of it, which the program is told alone. */
  code(name: string | null): number {
    if (name === null) return this.waited;
    this.#last = cudaErrorCode(name);
    return this.#last;
  }

  /** The code of a call, which gives CUDA's name of its failure; what it throws is told, and has a code, too. */
  tried(call: () => string | null): number {
    try {
      return this.code(call());
    } catch (problem) {
      if (!(problem instanceof WarplabError) || isFinal(problem)) throw problem;
      return this.report(problem);
    }
  }

  /** A failure with its explanation, which stderr gets once. */
  report(problem: WarplabError): number {
    const name = nameOf(problem);
    if (!this.#told.has(problem.message)) this.#tell(`warplab: ${problem.message}\n`);
    this.#told.add(problem.message);
    if (!(problem instanceof KernelFault)) return this.code(name);
    this.#fault = cudaErrorCode(name);
    return 0;
  }

  /** cudaGetLastError. */
  take(): number {
    const code = this.peek();
    this.#last = 0;
    return code;
  }

  /** cudaPeekAtLastError. */
  peek(): number {
    return this.#last === 0 ? this.#sticky : this.#last;
  }

  /** cudaDeviceReset. */
  reset(): void {
    this.#last = 0;
    this.#sticky = 0;
    this.#fault = 0;
  }
}
