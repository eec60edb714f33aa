/**
 * Where a device's number comes from. A specification keeps plain numbers to read (`v100.smCount`). Beside them, a record
 * of the same shape holds a source for each (`v100.sources.smCount`).
 */

/**
 * measured: read off this very GPU by a microbenchmark. documented: NVIDIA says so. published: measured by others on
 * this GPU. nearest: measured on the nearest relative, and converted. estimated: derived by reasoning. memory: common
 * knowledge, not re-read. changed: set by modifyDevice.
 */
export type Confidence = "measured" | "documented" | "published" | "nearest" | "estimated" | "memory" | "changed";

export interface Source {
  readonly text: string;
  readonly confidence: Confidence;
  /** The least and the greatest reading, where several were taken. */
  readonly spread?: readonly [low: number, high: number];
}

/** One value of a specification, as against a group of fields. */
export type Leaf = number | string | boolean | null | readonly number[];

/** The shape of T with a source for each value; a group of values may have one source in common. */
export type Sources<T> = {
  readonly [K in keyof T]-?: [T[K]] extends [Leaf] ? Source : Source | Sources<NonNullable<T[K]>>;
};

export function measured(text: string): Source {
  return { text, confidence: "measured" };
}

export function documented(text: string): Source {
  return { text, confidence: "documented" };
}

export function published(text: string): Source {
  return { text, confidence: "published" };
}

export function nearest(text: string): Source {
  return { text, confidence: "nearest" };
}

export function estimated(text: string): Source {
  return { text, confidence: "estimated" };
}

export function memory(text: string): Source {
  return { text, confidence: "memory" };
}

/** CUDA C++ Programming Guide, tables of technical specifications and of arithmetic throughput per compute capability. */
export const programmingGuide: Source = documented(
  "CUDA C++ Programming Guide, compute capabilities: technical specifications and arithmetic throughput tables",
);

/** The rules of NVIDIA's occupancy calculator for this compute capability. */
export const occupancyHeader: Source = documented("cuda_occupancy.h of CUDA 13.0");
