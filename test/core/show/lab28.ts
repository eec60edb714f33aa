/** The tables of "Lab 28: Warp-Level Optimization" and of "Example 03: Parallel Reduction" (RTX 3080), as published. */

export interface PublishedVersion {
  readonly version: string;
  readonly timeMs: number;
  readonly bandwidthGBps: number;
  readonly timeSpeedup: number;
}

/** Lab 28, 2^24 int32; its speed-up table gives both speed-ups. */
export const lab28: readonly (PublishedVersion & { readonly bandwidthSpeedup: number })[] = [
  { version: "Divergent Interleaved", timeMs: 0.706, bandwidthGBps: 95.12, timeSpeedup: 1, bandwidthSpeedup: 1 },
  {
    version: "Non-Divergent Interleaved",
    timeMs: 0.446,
    bandwidthGBps: 150.31,
    timeSpeedup: 1.58,
    bandwidthSpeedup: 1.58,
  },
  // biome-ignore lint/suspicious/noApproximativeNumericConstant: a kernel time, not a logarithm
  { version: "Sequential Addressing", timeMs: 0.434, bandwidthGBps: 154.5, timeSpeedup: 1.63, bandwidthSpeedup: 1.62 },
  { version: "First Add During Load", timeMs: 0.236, bandwidthGBps: 284.94, timeSpeedup: 2.99, bandwidthSpeedup: 3.0 },
  {
    version: "Warp-Level Optimization",
    timeMs: 0.175,
    bandwidthGBps: 383.39,
    timeSpeedup: 4.03,
    bandwidthSpeedup: 4.03,
  },
];

/** Lab 28's "typical GPU". */
export const lab28PeakGBps = 432;

/** Example 03, "16777216 elements (64.00 MB)". */
export const example03: readonly PublishedVersion[] = [
  { version: "V1: Interleaved", timeMs: 0.85, bandwidthGBps: 75, timeSpeedup: 1.0 },
  { version: "V2: Sequential", timeMs: 0.425, bandwidthGBps: 150, timeSpeedup: 2.0 },
  { version: "V3: First Add", timeMs: 0.28, bandwidthGBps: 228, timeSpeedup: 3.0 },
  { version: "V4: Unroll Warp", timeMs: 0.235, bandwidthGBps: 272, timeSpeedup: 3.6 },
  { version: "V5: Multi-Element", timeMs: 0.156, bandwidthGBps: 410, timeSpeedup: 5.4 },
];

/** 2^24 elements of four bytes. */
export const bytesRead: number = 2 ** 24 * 4;
