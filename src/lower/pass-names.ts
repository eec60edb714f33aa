/** The optimisation passes that can be left out, in their order. What a program computes does not depend on them. */
export const PASS_NAMES = [
  "number-values",
  "dead-stores",
  "continue-to-else",
  "sink-into-params",
  "unroll-full",
  "scalarize-arrays",
  "merge-sides",
  "expand-divisions",
  "carry-expressions",
  "unroll-runtime",
  "invariant-code",
  "pointer-strides",
  "unroll-again",
  "hoist-common",
  "warp-atomics",
  "vector-memory",
  "parameter-pairs",
  "tail-exit",
  "mark-selects",
  "pointer-sums",
  "cross-block-index",
  "share-reciprocals",
  "select-instructions",
  "constant-registers",
] as const;

export type PassName = (typeof PASS_NAMES)[number];
