/** NVIDIA GeForce GTX 970 (Maxwell, compute capability 5.2): the occupancy part, for the course's worked example. */

import { memory, occupancyHeader, programmingGuide, published } from "../source.js";
import { fieldsFrom, occupancyDevice, sourced } from "../sourced.js";
import type { OccupancySpec } from "../spec.js";
import { kepler } from "./generations.js";

export const gtx970: OccupancySpec = occupancyDevice(
  { id: "gtx970", name: "NVIDIA GeForce GTX 970", architecture: "Maxwell", codename: "GM204" },
  {
    ...kepler,
    ...fieldsFrom(published("deviceQuery of a GTX 970"), {
      computeCapability: { major: 5, minor: 2 },
      smCount: 13,
    }),
    limits: {
      ...kepler.limits,
      ...fieldsFrom(occupancyHeader, {
        maxBlocksPerSm: 32,
        sharedCarveoutsBytes: [98304],
      }),
      ...fieldsFrom(programmingGuide, {
        sharedBytesPerSm: 98304,
        sharedBytesPerBlockOptIn: 49152,
      }),
      totalGlobalMemBytes: sourced(4294967296, memory("NVIDIA's sheet: 4 GB")),
    },
  },
);
