/**
 * What clang's checks of the host's own code find, each with its line: null pointers, divisions by zero, indices out of
 * bounds. A `long` has 64 bits on other machines, and its overflow of the 32 here is told, too.
 */
import { InputError } from "../base/errors.js";
import type { HostMemory } from "./host-memory.js";

/** A fault that ends the program: what has happened, and the signal's code. */
export class HostFault extends InputError {
  readonly exitCode: number;
  constructor(what: string, cure: string, exitCode: number) {
    super({ what, cure });
    this.exitCode = exitCode;
  }
}

const SEGMENTATION_FAULT = 139;
const FLOATING_POINT_EXCEPTION = 136;

export class HostChecks {
  readonly #memory: HostMemory;
  readonly #tell: (text: string) => void;
  readonly #places: (file: string, line: number, column: number) => string;
  readonly #told: Set<string> = new Set();

  /** `places`: a line of the program with a caret. */
  constructor(
    memory: HostMemory,
    tell: (text: string) => void,
    places: (file: string, line: number, column: number) => string,
  ) {
    this.#memory = memory;
    this.#tell = tell;
    this.#places = places;
  }

  /** clang gives each check an address where file, line and column stand. */
  #place(data: number): string {
    const [file, line, column] = [0, 4, 8].map((at) => this.#memory.u32(data + at)) as [number, number, number];
    return this.#places(this.#memory.text(file), line, column);
  }

  #once(text: string): void {
    if (!this.#told.has(text)) this.#tell(`warplab: ${text}\n`);
    this.#told.add(text);
  }

  #null(data: number, what: string): never {
    throw new HostFault(
      `Segmentation fault: ${what}\n${this.#place(data)}`,
      "Give the pointer memory first (malloc, new, cudaMallocManaged), and test what a function returns.",
      SEGMENTATION_FAULT,
    );
  }

  /** A `long` on the host: its overflow would be none where it has 64 bits. */
  #overflow(data: number): void {
    const type = this.#memory.u32(data + 12);
    if (!/^'(?:unsigned )?long'/.test(this.#memory.text(type + 4))) return;
    this.#once(
      `A long overflows: it has 32 bits on the host here, and 64 where nvcc compiles for Linux.\n${this.#place(data)}\nUse long long.`,
    );
  }

  imports(): Readonly<Record<string, (...given: number[]) => unknown>> {
    const plain: Record<string, (...given: number[]) => unknown> = {
      type_mismatch_v1: (data = 0, pointer = 0) => {
        if (pointer === 0) this.#null(data, "the program reads or writes by a null pointer.");
      },
      pointer_overflow: (data = 0, base = 0) => {
        if (base === 0) this.#null(data, "the program takes an element of a null pointer.");
      },
      out_of_bounds: (data = 0) => {
        this.#once(
          `The program uses an element behind the end of an array.\n${this.#place(data)}\nCompare the index with the array's length.`,
        );
      },
      divrem_overflow: (data = 0, _left = 0, right = 0) => {
        if (right !== 0) return;
        throw new HostFault(
          `Floating point exception: the program divides by zero.\n${this.#place(data)}`,
          "Test the divisor first.",
          FLOATING_POINT_EXCEPTION,
        );
      },
      shift_out_of_bounds: (data = 0) => this.#overflow(data),
    };
    for (const name of ["add", "sub", "mul", "negate"]) {
      plain[`${name}_overflow`] = (data = 0) => this.#overflow(data);
    }
    return Object.fromEntries(
      Object.entries(plain).flatMap(([name, check]) => [
        [`__ubsan_handle_${name}`, check],
        [`__ubsan_handle_${name}_abort`, check],
      ]),
    );
  }
}
