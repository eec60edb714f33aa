/** The pipes that the SM model distinguishes: those of `DeviceSpec.pipes`. */
export const PIPE_NAMES = [
  "alu",
  "fma",
  "imad",
  "fp64",
  "xu",
  "lsu",
  "shuffle",
  "vote",
  "match",
  "redux",
  "uniform",
  "constant",
  "special",
  "cbu",
  "adu",
] as const;
export type PipeName = (typeof PIPE_NAMES)[number];
