/** NVIDIA Tesla K40 (Kepler, compute capability 3.5): the occupancy part. */

import { memory, occupancyHeader, programmingGuide, published } from "../source.js";
import { fieldsFrom, occupancyDevice, sourced } from "../sourced.js";
import type { OccupancySpec } from "../spec.js";
import { kepler } from "./generations.js";

export const k40: OccupancySpec = occupancyDevice(
  { id: "k40", name: "NVIDIA Tesla K40", architecture: "Kepler", codename: "GK110B" },
  {
    ...kepler,
    ...fieldsFrom(published("deviceQuery of a Tesla K40"), {
      computeCapability: { major: 3, minor: 5 },
      smCount: 15,
    }),
    limits: {
      ...kepler.limits,
      ...fieldsFrom(occupancyHeader, {
        maxBlocksPerSm: 16,
        sharedCarveoutsBytes: [16384, 32768, 49152],
      }),
      ...fieldsFrom(programmingGuide, {
        sharedBytesPerSm: 49152,
        sharedBytesPerBlockOptIn: 49152,
      }),
      totalGlobalMemBytes: sourced(12884901888, memory("NVIDIA's sheet: 12 GB")),
    },
  },
);
