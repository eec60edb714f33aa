/** Copies over PCI Express, for GPUs whose own were not measured. */
import { documented, estimated, nearest, type Source } from "../source.js";
import { fieldsFrom, type SourcedNumbers, sourced } from "../sourced.js";
import type { TransferSpec } from "../spec.js";
import { h200 } from "./h200.js";

/** Rates in 10^9 bytes a second. */
export interface LinkRates {
  readonly hostToDeviceGBps: number;
  readonly deviceToHostGBps: number;
  readonly pageableHostToDeviceGBps: number;
  readonly pageableDeviceToHostGBps: number;
}

/** `engines`: the copy engines and who says so; `link`: what says the rates. */
export function transfersOver(
  gpu: string,
  engines: readonly [count: number, source: Source],
  rates: LinkRates,
  link: Source,
): SourcedNumbers<TransferSpec> {
  const { transfers } = h200;
  const { hostToDeviceGBps, deviceToHostGBps, pageableHostToDeviceGBps, pageableDeviceToHostGBps } = rates;
  return {
    copyEngines: sourced(...engines),
    ...fieldsFrom(link, { hostToDeviceGBps, deviceToHostGBps }),
    ...fieldsFrom(estimated("the host copies the data to page-locked pieces first, about half as fast as the link"), {
      pageableHostToDeviceGBps,
      pageableDeviceToHostGBps,
    }),
    ...fieldsFrom(nearest(`measured on the H200 (see h200.ts); no measurement of the ${gpu} found`), {
      bothWaysFraction: transfers.bothWaysFraction,
      copyMicroseconds: transfers.copyMicroseconds,
      pageableCopyMicroseconds: transfers.pageableCopyMicroseconds,
      deviceCopyMicroseconds: transfers.deviceCopyMicroseconds,
      memsetMicroseconds: transfers.memsetMicroseconds,
      copyCallMicroseconds: transfers.copyCallMicroseconds,
    }),
    allocationsWait: sourced(
      true,
      documented("CUDA C++ Programming Guide, implicit synchronization: a page-locked or device memory allocation"),
    ),
  };
}
