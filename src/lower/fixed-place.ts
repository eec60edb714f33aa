/** Operations that begin or end a block, or that nothing moves across. */
export const FIXED_PLACE: ReadonlySet<string> = new Set([
  "bra",
  "exit",
  "bssy",
  "bsync",
  "bar",
  "fence",
  "gridsync",
  "syncwarp",
  "printf",
  "launch",
  "deviceSynchronize",
  "atom",
]);
