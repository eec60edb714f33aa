/** The names of the tables, apart from what simulates them: a command's usage needs no more. */
export type LadderId = "lab-28" | "example-03" | "notes" | "warp-reduce";

/** In the order of the course. */
export const ladderIds: readonly LadderId[] = Object.freeze(["lab-28", "example-03", "notes", "warp-reduce"]);
