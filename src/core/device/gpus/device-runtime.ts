/**
 * Costs of the device runtime of CUDA 11 and before, whose kernels can wait for their children. They follow from three published runs of
 * one program, Professional CUDA C Programming's nestedReduce2 (2048 blocks of 512 threads). Its times are the host's.
 */
import { documented, nearest, published } from "../source.js";
import { fieldsFrom, type Sourced, type SourcedNumbers, sourced } from "../sourced.js";
import type { DynamicParallelismSpec } from "../spec.js";
import { h200 } from "./h200.js";

/** 16,384 grids whose launching blocks wait, as many without waits, and 8 grids in a chain below the host's. */
interface NestedReduction {
  readonly gpu: string;
  readonly smClockMHz: number;
  readonly waitsMs: number;
  readonly noWaitsMs: number;
  readonly chainMs: number;
}

const GRIDS = 16_384;
/** The host's grid and its 8 descendants. */
const CHAIN = 9;

export const a30: NestedReduction = {
  gpu: "A30, 1440 MHz, 8.0",
  smClockMHz: 1440,
  waitsMs: 29.676,
  noWaitsMs: 16.381,
  chainMs: 0.874,
};

/** Its kernels were compiled for debugging (-G); the device runtime is not. */
export const rtx4090: NestedReduction = {
  gpu: "RTX 4090, 2520 MHz, 8.9, CUDA 12.9 with CUDA_FORCE_CDP1_IF_SUPPORTED",
  smClockMHz: 2520,
  waitsMs: 12.517,
  noWaitsMs: 6.737,
  chainMs: 0.41,
};

/** `run` on a GPU of another clock: the device runtime's code takes the same cycles. */
export function childGridsLike(
  run: NestedReduction,
  smClockMHz: Sourced<number>,
): SourcedNumbers<DynamicParallelismSpec> {
  const microseconds = (ms: number, grids: number): number =>
    ((ms * 1000) / grids) * (run.smClockMHz / smClockMHz.value);
  const perLevel = microseconds(run.chainMs, CHAIN);
  const { launchMicroseconds, streamIntervalMicroseconds, tailLaunchMicroseconds } = h200.dynamicParallelism!;
  return {
    ...fieldsFrom(published(`notes on nestedReduce2 from a public repository (${run.gpu}), by the SM clocks`), {
      childIntervalMicroseconds: microseconds(run.noWaitsMs, GRIDS),
      awaitedIntervalMicroseconds: microseconds(run.waitsMs, GRIDS),
      childLatencyMicroseconds: perLevel,
      nestedLaunchMicroseconds: perLevel,
    }),
    ...fieldsFrom(nearest("measured on the H200, CUDA 13"), {
      launchMicroseconds,
      streamIntervalMicroseconds,
      tailLaunchMicroseconds,
    }),
    maxDepth: sourced(24, documented("CUDA C++ Programming Guide, dynamic parallelism: nesting depth 24")),
    pendingLaunchLimit: sourced(
      null,
      documented("CUDA C++ Programming Guide 11, dynamic parallelism: launches beyond the pool are virtualized"),
    ),
  };
}
