/** A stream as the scheduler and a profiler know it. */

/**
 * - legacy: the default stream of CUDA, which waits for all blocking streams, and they for it.
 * - blocking: a stream of cudaStreamCreate, or the default stream of `--default-stream per-thread`.
 * - non-blocking: one of cudaStreamNonBlocking, which the legacy stream leaves alone.
 */
export type StreamKind = "legacy" | "blocking" | "non-blocking";

export interface StreamKey {
  /** 0 is the default stream; others count from 1, in the order of their creation. */
  readonly number: number;
  readonly name: string;
  readonly kind: StreamKind;
}

/** The stream of everything that names no other. */
export const LEGACY_STREAM: StreamKey = Object.freeze({ number: 0, name: "default stream", kind: "legacy" });

/** The default stream of `--default-stream per-thread`, of the one thread that a program has. */
export const PER_THREAD_STREAM: StreamKey = Object.freeze({ number: 0, name: "default stream", kind: "blocking" });

/** An event of a program, by identity. */
export interface EventKey {
  /** From 1, in the order of their creation. */
  readonly number: number;
  /** Without cudaEventDisableTiming. */
  readonly timing: boolean;
}
