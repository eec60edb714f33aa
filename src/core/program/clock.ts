/**
 * A program's time: what its host part has really taken, and the predicted time of its calls of CUDA. The simulator's own time is
 * left out. So two readings around a launch and a synchronisation have the launch's predicted time between them.
 */
import type { Gpu } from "../host/gpu.js";

export class ProgramClock {
  readonly #gpu: Gpu;
  readonly #begin: number = performance.now();
  readonly #calendar: number = Date.now();
  /** Milliseconds in the simulator. */
  #inside = 0;
  #depth = 0;
  #entered = 0;
  #slept = 0;
  #asked = false;
  #last = 0;

  constructor(gpu: Gpu) {
    this.#gpu = gpu;
  }

  /** Runs a call of the simulator, whose time is none of the program's. */
  inside<T>(call: () => T): T {
    if (this.#depth++ === 0) this.#entered = performance.now();
    try {
      return call();
    } finally {
      if (--this.#depth === 0) this.#inside += performance.now() - this.#entered;
    }
  }

  sleep(milliseconds: number): void {
    this.#slept += Math.max(0, milliseconds);
  }

  /** Milliseconds of the program so far. The GPU's clock starts with the first reading. */
  get milliseconds(): number {
    const host = (this.#depth > 0 ? this.#entered : performance.now()) - this.#begin - this.#inside + this.#slept;
    const device = this.#asked || this.#depth === 0 ? this.inside(() => this.#gpu.clock.hostMicroseconds / 1e3) : 0;
    this.#asked = true;
    this.#last = Math.max(this.#last, host + device);
    return this.#last;
  }

  /** Nanoseconds, as WASI gives them. */
  read(which: "real" | "monotonic" | "process"): bigint {
    const now = BigInt(Math.round(this.milliseconds * 1e6));
    return which === "real" ? BigInt(this.#calendar) * 1_000_000n + now : now;
  }
}
