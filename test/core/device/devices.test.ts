import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/core/base/errors.js";
import {
  checkDevice,
  checkOccupancySpec,
  type DeviceId,
  type DeviceSpec,
  deviceById,
  deviceRows,
  devices,
  h200,
  modifyDevice,
  type OccupancyDeviceId,
  occupancyDeviceById,
  occupancyDevices,
  sourceRows,
  v100,
} from "../../../src/core/device/index.js";

function unfrozenParts(value: unknown, path: string): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = Object.isFrozen(value) ? [] : [path];
  return [...own, ...Object.entries(value).flatMap(([key, part]) => unfrozenParts(part, `${path}.${key}`))];
}

function valueAt(spec: DeviceSpec, path: string): unknown {
  return path.split(".").reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], spec);
}

/** A copy in which the value at a dotted path is another. */
function withValue(spec: DeviceSpec, path: string, value: unknown): DeviceSpec {
  const copy = structuredClone(spec) as unknown as Record<string, unknown>;
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  let group = copy;
  for (const key of keys) group = group[key] as Record<string, unknown>;
  if (value === undefined) delete group[last];
  else group[last] = value;
  return copy as unknown as DeviceSpec;
}

describe("the devices", () => {
  it("are six, oldest first", () => {
    expect(devices.map(({ id }) => id)).toEqual(["m2070", "v100", "a100", "rtx3080", "rtx4080-laptop", "h200"]);
  });

  it.each(occupancyDevices.map((device) => [device.id, device] as const))("%s is deeply frozen", (id, device) => {
    expect(unfrozenParts(device, id)).toEqual([]);
  });

  it.each(occupancyDevices.map((device) => [device.id, device] as const))("%s passes its check", (_id, device) => {
    expect(() => checkOccupancySpec(device)).not.toThrow();
    if ("smClockMHz" in device) expect(() => checkDevice(device as DeviceSpec)).not.toThrow();
  });

  it.each(occupancyDevices.map((device) => [device.id, device] as const))(
    "%s names a source for each number",
    (_id, device) => {
      const rows = sourceRows(device);
      expect(rows.length).toBeGreaterThan("smClockMHz" in device ? 100 : 20);
      expect(rows.filter(({ source }) => source.trim() === "").map(({ field }) => field)).toEqual([]);
      expect(rows.filter(({ confidence }) => confidence === "").map(({ field }) => field)).toEqual([]);
    },
  );

  const isReduction = (text: string): boolean => /reduc(e[^_]|tion)|nested/i.test(text.replaceAll("__reduce_sync", ""));

  it("name no source that is a reduction, but for child grids: those tables validate the model", () => {
    const rows = devices.flatMap(sourceRows).filter(({ field }) => !field.startsWith("dynamicParallelism."));
    expect(rows.filter(({ source }) => isReduction(source))).toEqual([]);
  });

  it("have their costs of child grids from GPUs that no published reduction was measured on", () => {
    const rows = devices.flatMap(sourceRows).filter(({ source }) => isReduction(source));
    expect(rows.length).toBeGreaterThan(0);
    const tables = JSON.parse(
      readFileSync(new URL("../../reference/published/reductions.json", import.meta.url), "utf8"),
    ) as readonly { readonly gpu: string }[];
    for (const { source } of rows) {
      const measured = ["A30", "RTX 4090"].find((gpu) => source.includes(gpu));
      expect(measured, source).toBeDefined();
      expect(tables.filter(({ gpu }) => gpu.includes(measured!))).toEqual([]);
      expect(source).not.toMatch(/V100|M2070|RTX 3080/);
    }
  });

  it("are the ids that editors complete", () => {
    const completed: Record<DeviceId, null> = {
      m2070: null,
      v100: null,
      a100: null,
      rtx3080: null,
      "rtx4080-laptop": null,
      h200: null,
    };
    expect(devices.map(({ id }) => id)).toEqual(Object.keys(completed));
    const more: Record<Exclude<OccupancyDeviceId, DeviceId>, null> = { k40: null, gtx970: null, rtx2080: null };
    const others = occupancyDevices.map(({ id }) => id).filter((id) => !(id in completed));
    expect(others).toEqual(Object.keys(more));
  });

  it("are found by id in any case", () => {
    expect(deviceById("V100")).toBe(v100);
    expect(occupancyDeviceById("K40").name).toBe("NVIDIA Tesla K40");
  });

  it("are listed when an unknown one is asked for", () => {
    expect(() => deviceById("p100")).toThrow(InputError);
    expect(() => deviceById("p100")).toThrow("m2070, v100, a100, rtx3080, rtx4080-laptop, h200");
  });

  it("say that of a K40 only the occupancy is known", () => {
    expect(() => deviceById("k40")).toThrow("only the occupancy is known");
  });

  it("make one row each of the table, the bandwidth that deviceQuery's clocks give in it", () => {
    const rows = deviceRows();
    expect(rows.length).toBe(devices.length);
    // Memory clock (MHz) x 2 x bus (bits) / 8, as deviceQuery shows them.
    expect(rows.find(({ id }) => id === "v100")?.peakBandwidthGBps).toBeCloseTo((877 * 2 * 4096) / 8000, 0);
    expect(rows.find(({ id }) => id === "m2070")?.peakBandwidthGBps).toBeCloseTo((1566 * 2 * 384) / 8000, 0);
    expect(rows.find(({ id }) => id === "rtx3080")?.peakBandwidthGBps).toBeCloseTo((9501 * 2 * 320) / 8000, 0);
    expect(rows.find(({ id }) => id === "h200")?.peakBandwidthGBps).toBeCloseTo((3201 * 2 * 6016) / 8000, 0);
  });
});

interface Micro {
  readonly rows: readonly Readonly<Record<string, number | string>>[];
}

function micro(file: string, match: Readonly<Record<string, number | string>>): Readonly<Record<string, number>> {
  const text = readFileSync(new URL(`../../reference/${file}`, import.meta.url), "utf8");
  const { rows } = JSON.parse(text) as Micro;
  const found = rows.find((row) => Object.entries(match).every(([key, value]) => row[key] === value));
  if (found === undefined) throw new Error(`no row ${JSON.stringify(match)} in ${file}`);
  return found as Readonly<Record<string, number>>;
}

describe("the H200's numbers against its microbenchmarks", () => {
  const first = (match: Readonly<Record<string, number | string>>) => micro("h200/micro/set-1.json", match);
  const second = (match: Readonly<Record<string, number | string>>) => micro("h200/micro/set-2.json", match);

  it("opens a barrier of 1 to 32 warps after base + perWarp x warps cycles, within 1.5", () => {
    const { baseLatencyCycles, perWarpCycles } = h200.barrier;
    for (const threads of [32, 64, 128, 256, 512, 1024]) {
      const measured = first({ micro: "syncthreads", threads }).cycles_per_op ?? Number.NaN;
      expect(Math.abs(baseLatencyCycles + (perWarpCycles * threads) / 32 - measured)).toBeLessThan(1.5);
    }
  });

  it("lengthens a shared load by latencyPerExtraWavefront for each wavefront, within 2 cycles", () => {
    const { loadLatencyCycles, latencyPerExtraWavefrontCycles } = h200.sharedMemory;
    for (const stride of [1, 2, 4, 8, 16, 32]) {
      const measured = second({ micro: "shared_load_chain", stride_words: stride }).cycles_per_op ?? Number.NaN;
      const modelled = loadLatencyCycles + latencyPerExtraWavefrontCycles * (stride - 1);
      expect(Math.abs(modelled - measured)).toBeLessThan(2);
    }
  });

  it("takes wavefrontCycles of the data stage for each wavefront of a load or store, within 2 %", () => {
    for (const throughput of ["shared_load", "shared_store"]) {
      for (const stride of [4, 8, 16, 32]) {
        const row = second({ throughput, stride_words: stride, threads: 1024 });
        const measured = row.cycles_per_warp_op_less_partner ?? Number.NaN;
        expect(measured / (stride * h200.sharedMemory.wavefrontCycles)).toBeCloseTo(1, 1.7);
      }
    }
  });

  it("holds an empty block for the residency that was measured, within 6 cycles", () => {
    const { emptyBlockResidencyCycles, residencyPerWarpCycles } = h200.launch;
    for (const threads of [32, 64, 128, 256, 512, 1024]) {
      const measured = second({ empty_blocks_of: threads, blocks_per_sm: 1 }).block_residency_cycles ?? Number.NaN;
      const modelled = emptyBlockResidencyCycles + residencyPerWarpCycles * (threads / 32 - 1);
      expect(Math.abs(modelled - measured)).toBeLessThan(6);
    }
  });

  it("gives out blocks as fast as was measured, within 1 %", () => {
    const measured = first({ empty_blocks_of: 32 }).ns_per_block ?? Number.NaN;
    expect(h200.launch.blockDispatchNanoseconds / measured).toBeCloseTo(1, 2);
  });

  it("reads and writes at the measured share of the peak, within 1 %", () => {
    const { dram } = h200;
    const read = second({ dram_read: "int4 x4" }).GBps ?? Number.NaN;
    const write = second({ dram_write: "int4" }).GBps ?? Number.NaN;
    expect((dram.peakBandwidthGBps * dram.achievableReadFraction) / read).toBeCloseTo(1, 2);
    expect((dram.peakBandwidthGBps * dram.achievableWriteFraction) / write).toBeCloseTo(1, 2);
  });

  it("copies as fast as pieces and loops do in the mean, by what 192 MiB more of each array take longer, within 1 %", () => {
    const number = (match: Readonly<Record<string, number | string>>, key: string): number =>
      micro("h200/micro/streams.json", { ...match, reads: 1, writes: 1 })[key] ?? Number.NaN;
    const [pieces, loop] = ["streams", "streamsLoop"].map((name) => {
      const [short, long] = [67.11, 268.44].map((MB) => number({ micro: name, MB }, "cleanUs"));
      return (2000 * (268.44 - 67.11)) / (long! - short!);
    });
    const mean = (pieces! + loop!) / 2;
    expect((h200.dram.peakBandwidthGBps * h200.dram.achievableCopyFraction) / mean).toBeCloseTo(1, 2);
  });

  it("has the limits that cudaGetDeviceProperties gave", () => {
    const row: Readonly<Record<string, unknown>> = second({ props: "NVIDIA H200" });
    const { limits } = h200;
    expect(limits.totalGlobalMemBytes).toBe(row.totalGlobalMem);
    expect(limits.sharedBytesPerBlockOptIn).toBe(row.sharedOptin);
    expect(limits.sharedReservedBytesPerBlock).toBe(row.reserved);
    expect([...limits.maxGridDim]).toEqual(row.maxGrid);
    expect([...limits.maxBlockDim]).toEqual(row.maxBlock);
  });
});

describe("a device with a wrong number", () => {
  const numericFields = sourceRows(v100)
    .filter(({ value }) => typeof value === "number")
    .map(({ field }) => field);

  it.each(numericFields)("is refused by name when %s is missing, NaN or negative", (field) => {
    for (const value of [undefined, Number.NaN, -1]) {
      expect(() => checkDevice(withValue(v100, field, value)), `${field} = ${value}`).toThrow(field);
    }
  });

  it("is refused when a number that must be more is 0", () => {
    expect(() => checkDevice(withValue(v100, "smCount", 0))).toThrow("smCount is 0");
  });

  it("is refused when its schedulers cannot share the warps equally", () => {
    expect(() => checkDevice(withValue(v100, "schedulersPerSm", 3))).toThrow("limits.maxWarpsPerSm is 64, which 3");
  });

  it("is refused when its schedulers choose by no known rule", () => {
    const byAge: object = { ...v100, warpScheduling: "greedyThenOldest" };
    expect(() => checkDevice(byAge as DeviceSpec)).toThrow('warpScheduling is "greedyThenOldest"');
  });

  it("is refused when a field is misspelt, with the fields there are", () => {
    const misspelt: object = { ...v100, sharedBanks: 64 };
    expect(() => checkDevice(misspelt as DeviceSpec)).toThrow("sharedBanks is no field of a device");
    expect(() => checkDevice(withValue(v100, "sharedMemory.bank", 64))).toThrow("sharedMemory.bank is no field");
    expect(() => checkDevice(withValue(v100, "sharedMemory.bank", 64))).toThrow("bankWidthBytes");
  });

  it("is refused when a whole pipe is missing", () => {
    expect(() => checkDevice(withValue(v100, "pipes.alu", undefined))).toThrow("pipes.alu is missing");
  });

  it("is refused when a pipe that every GPU has is null", () => {
    expect(() => checkDevice(withValue(v100, "pipes.alu", null))).toThrow("pipes.alu is null");
  });

  it.each<readonly [string, unknown]>([
    ["smCount", 80.5],
    ["warpSize", 64],
    ["limits.maxThreadsPerSm", 2000],
    ["limits.maxThreadsPerBlock", 4096],
    ["limits.maxBlockDim", [2048, 1024, 64]],
    ["limits.maxGridDim", [65535, 65535]],
    ["limits.registersPerBlock", 131072],
    ["limits.registersPerSm", 66000],
    ["limits.sharedBytesPerBlock", 131072],
    ["limits.sharedBytesPerBlockOptIn", 131072],
    ["limits.sharedCarveoutsBytes", [65536, 32768, 98304]],
    ["limits.sharedCarveoutsBytes", [0, 65536]],
    ["pipes.alu.sharedBy", "warp"],
    ["sharedMemory.banks", 33],
    ["sharedMemory.bankWidthBytes", 5],
    ["l1.cachesGlobalLoads", "yes"],
    ["l1.capacityBytes", 65536],
    ["l1.missBytes", 100],
    ["l1.lineBytes", 64],
    ["l2.sectorBytes", 64],
    ["l2.fetchBytes", 256],
    ["l2.partitions", 3],
    ["l2.noneKeptShare", 0.5],
    ["l2.hitLatencyCycles", 20],
    ["dram.latencyCycles", 100],
    ["dram.achievableReadFraction", 1.2],
  ])("is refused by name for %s = %j", (field, value) => {
    const check = (): void => checkDevice(withValue(v100, field, value));
    expect(check).toThrow(InputError);
    expect(check).toThrow(`Device v100: ${field}`);
  });
});

describe("a modified device", () => {
  const twice = modifyDevice(v100, { sharedMemory: { banks: 64 } });

  it("has the change, and all else as it was", () => {
    expect(twice.sharedMemory.banks).toBe(64);
    expect(twice.sharedMemory.loadLatencyCycles).toBe(v100.sharedMemory.loadLatencyCycles);
    expect(twice.limits).toEqual(v100.limits);
  });

  it("leaves the original alone", () => expect(v100.sharedMemory.banks).toBe(32));

  it("says in id, name and source that it was changed", () => {
    expect(twice.id).toBe("v100-modified");
    expect(twice.name).toContain("(modified)");
    const row = sourceRows(twice).find(({ field }) => field === "sharedMemory.banks");
    expect(row).toEqual({
      field: "sharedMemory.banks",
      value: 64,
      confidence: "changed",
      source: "changed from 32 to 64",
    });
  });

  it("keeps the sources of what did not change, also beside a change in a group with one source", () => {
    const faster = modifyDevice(v100, { pipes: { fma: { latencyCycles: 2 } } });
    const source = (spec: DeviceSpec, field: string): string | undefined =>
      sourceRows(spec).find((row) => row.field === field)?.source;
    const field = "pipes.fma.issueIntervalCycles";
    expect(source(faster, field)).toBe(source(v100, field));
    expect(source(faster, "pipes.fma.latencyCycles")).toBe("changed from 4 to 2");
  });

  it("is deeply frozen", () => expect(unfrozenParts(twice, "twice")).toEqual([]));

  it("may lose a pipe that not every GPU has", () => {
    expect(modifyDevice(h200, { pipes: { redux: null } }).pipes.redux).toBeNull();
  });

  it("may take another name", () => {
    expect(modifyDevice(v100, { id: "slow", smClockMHz: 765 }).id).toBe("slow");
  });

  it("is checked", () => {
    expect(() => modifyDevice(v100, { limits: { maxWarpsPerSm: 128 } })).toThrow("limits.maxThreadsPerSm");
    expect(() => modifyDevice(v100, { smClockMHz: Number.NaN })).toThrow("smClockMHz");
  });

  it("is refused for a field that devices do not have, with those they have", () => {
    const misspelt: object = { sharedMemory: { bank: 64 } };
    expect(() => modifyDevice(v100, misspelt)).toThrow("no field sharedMemory.bank");
    expect(() => modifyDevice(v100, misspelt)).toThrow("bankWidthBytes");
  });

  it("is the same as one spelt out by hand and checked", () => {
    const byHand: DeviceSpec = { ...v100, sharedMemory: { ...v100.sharedMemory, banks: 64 } };
    expect(() => checkDevice(byHand)).not.toThrow();
    expect(valueAt(byHand, "sharedMemory.banks")).toBe(valueAt(twice, "sharedMemory.banks"));
  });
});
