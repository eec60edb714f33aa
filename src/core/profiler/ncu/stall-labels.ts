/** The labels that Nsight Compute shows warp states by. */
import type { StallReason } from "../../timing/index.js";

export const STALL_LABELS: readonly (readonly [reason: StallReason, label: string])[] = [
  ["selected", "Selected"],
  ["not_selected", "Stall Not Selected"],
  ["wait", "Stall Wait"],
  ["long_scoreboard", "Stall Long Scoreboard"],
  ["short_scoreboard", "Stall Short Scoreboard"],
  ["barrier", "Stall Barrier"],
  ["math_pipe_throttle", "Stall Math Pipe Throttle"],
  ["mio_throttle", "Stall MIO Throttle"],
  ["lg_throttle", "Stall LG Throttle"],
  ["branch_resolving", "Stall Branch Resolving"],
  ["dispatch_stall", "Stall Dispatch Stall"],
  ["no_instruction", "Stall No Instruction"],
  ["drain", "Stall Drain"],
  ["membar", "Stall Membar"],
  ["sleeping", "Stall Sleeping"],
];
