/** NVIDIA GeForce RTX 2080 (Turing, compute capability 7.5): the occupancy part. */

import { memory, occupancyHeader, programmingGuide } from "../source.js";
import { fieldsFrom, occupancyDevice, sourced } from "../sourced.js";
import type { OccupancySpec } from "../spec.js";
import { kepler } from "./generations.js";

export const rtx2080: OccupancySpec = occupancyDevice(
  { id: "rtx2080", name: "NVIDIA GeForce RTX 2080", architecture: "Turing", codename: "TU104" },
  {
    ...kepler,
    ...fieldsFrom(memory("NVIDIA's sheet: TU104 with 46 SM, compute capability 7.5"), {
      computeCapability: { major: 7, minor: 5 },
      smCount: 46,
    }),
    limits: {
      ...kepler.limits,
      ...fieldsFrom(programmingGuide, {
        maxThreadsPerSm: 1024,
        maxWarpsPerSm: 32,
        sharedBytesPerSm: 65536,
        sharedBytesPerBlockOptIn: 65536,
      }),
      ...fieldsFrom(occupancyHeader, {
        maxBlocksPerSm: 16,
        sharedCarveoutsBytes: [32768, 65536],
      }),
      totalGlobalMemBytes: sourced(8589934592, memory("NVIDIA's sheet: 8 GB")),
    },
  },
);
