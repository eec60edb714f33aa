/** The operations that streams hand to the GPU, with the time that they take there. Times are predicted, in microseconds of one clock. */
import type { LaunchResult } from "../launch-result.js";
import type { HostMemory } from "./pinned.js";
import type { StreamKey } from "./stream-key.js";

/** The unit that does an operation: a copy engine in one direction, or the SMs. */
export type Engine = "HtoD" | "DtoH" | "SMs";

/** A part of a kernel's time in which its blocks fill one share of the places for blocks. */
export interface KernelPhase {
  /** 0 to 1: of the blocks of this kernel that the GPU can hold. */
  readonly share: number;
  readonly microseconds: number;
}

/** Throughput that operations at one time share: 0 to 1 of the GPU's, while the operation runs alone. */
export interface Demands {
  readonly dram: number;
  readonly l2: number;
  readonly issue: number;
}

/** The time and throughput that an operation takes if it is alone on the GPU. */
export interface OperationCost {
  /** From the end of what it waits for, until its engine has work. */
  readonly leadMicroseconds: number;
  /** A copy has one phase, of share 1. */
  readonly phases: readonly KernelPhase[];
  readonly demands: Demands;
}

/** An operation of a stream, as a trace shows it. */
export interface TracedOperation {
  readonly kind: "kernel" | "HtoD" | "DtoH" | "DtoD" | "memset";
  /** The kernel's name, or nvprof's name of a copy. */
  readonly name: string;
  readonly stream: StreamKey;
  readonly engine: Engine;
  /** From the first activity of the trace on. `start` is when its engine begins, `end` when it is done. */
  readonly startMicroseconds: number;
  readonly endMicroseconds: number;
  /** The time that it takes alone. */
  readonly aloneMicroseconds: number;
  /** When the host's call came. */
  readonly issuedMicroseconds: number;
  readonly bytes: number | null;
  /** Where the host's side of a copy lies. */
  readonly host: HostMemory | null;
  readonly launch: LaunchResult | null;
}
