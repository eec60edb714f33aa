import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/core/base/errors.js";
import {
  type DeviceJson,
  deviceById,
  deviceFrom,
  deviceSchema,
  devices,
  deviceToJson,
  h200,
  sourceRows,
} from "../../../src/core/device/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import "../../../src/node/platform.js";

const { $schema: _draft, ...schema } = deviceSchema();
const accepts = new Ajv({ allowUnionTypes: true }).compile(schema);

/** What NVIDIA's pages say of a GeForce RTX 3070, and no more. */
const published: DeviceJson = {
  format: "warplab device 1",
  id: "rtx3070",
  name: "NVIDIA GeForce RTX 3070",
  source: "NVIDIA's sheet of the GeForce RTX 3070",
  numbers: {
    computeCapability: "8.6",
    smCount: 46,
    smClockMHz: 1725,
    "limits.totalGlobalMemBytes": 8589934592,
    "l2.sizeBytes": 4194304,
    "dram.peakBandwidthGBps": 448,
  },
};

const withNumbers = (numbers: DeviceJson["numbers"]): DeviceJson => ({
  ...published,
  numbers: { ...published.numbers, ...numbers },
});

const message = (json: unknown): string => {
  try {
    deviceFrom(json as DeviceJson);
  } catch (problem) {
    expect(problem).toBeInstanceOf(InputError);
    return (problem as InputError).message;
  }
  throw new Error("the file was taken");
};

describe("a device as JSON", () => {
  it.each(devices.map((device) => [device.id, device] as const))("%s comes back equal", (_id, device) => {
    const json = JSON.parse(JSON.stringify(deviceToJson(device))) as DeviceJson;
    const { sources: _read, ...read } = deviceFrom(json);
    const { sources: _written, ...written } = device;
    expect(structuredClone(read)).toEqual(structuredClone(written));
    expect(sourceRows(deviceFrom(json))).toEqual(sourceRows(device));
  });

  it.each(devices.map((device) => [device.id, device] as const))("%s keeps to the schema", (_id, device) => {
    accepts(deviceToJson(device));
    expect(accepts.errors).toBeNull();
  });

  it("keeps spread, unit, source and confidence of a number", () => {
    const entry = {
      value: 33.4,
      unit: "cycles",
      source: "a chase",
      confidence: "measured",
      spread: [33, 35],
    } as const;
    const device = deviceFrom(withNumbers({ "l1.hitLatencyCycles": entry }));
    expect(deviceToJson(device).numbers["l1.hitLatencyCycles"]).toEqual(entry);
  });

  it("of published facts alone takes the rest from its generation, and says so", () => {
    expect(accepts(published)).toBe(true);
    const device = deviceFrom(published);
    expect(device.architecture).toBe("Ampere");
    expect(device.dram.peakBandwidthGBps).toBe(448);
    expect(device.limits.maxThreadsPerSm).toBe(1536);
    const rows = new Map(sourceRows(device).map((row) => [row.field, row]));
    expect(rows.get("smCount")).toMatchObject({ value: 46, confidence: "documented", source: published.source });
    expect(rows.get("l1.hitLatencyCycles")?.confidence).toBe("nearest");
    expect(rows.get("l1.hitLatencyCycles")?.source).toContain(
      "default of the generation, from NVIDIA GeForce RTX 3080",
    );
  });

  it.each(["7.0", "7.5", "8.0", "8.6", "8.9", "9.0", "10.0", "12.0"])(
    "has defaults for capability %s",
    (capability) => {
      const device = deviceFrom(withNumbers({ computeCapability: capability }));
      expect(`${device.computeCapability.major}.${device.computeCapability.minor}`).toBe(capability);
    },
  );

  it("runs a kernel's GPU", () => {
    expect(new Gpu(published).device.name).toBe("NVIDIA GeForce RTX 3070");
  });

  it("is named by its path where a GPU's id is asked for", () => {
    const folder = mkdtempSync(join(tmpdir(), "warplab-device-"));
    const path = join(folder, "my-gpu.json");
    writeFileSync(path, JSON.stringify(published));
    expect(deviceById(path).name).toBe(published.name);
    expect(new Gpu(path).device.id).toBe("rtx3070");
    writeFileSync(path, "{");
    expect(() => deviceById(path)).toThrow(/my-gpu\.json is no JSON/);
    rmSync(folder, { recursive: true });
    expect(() => deviceById(path)).toThrow(/my-gpu\.json cannot be read/);
  });

  it("that is wrong is refused by field, value, range and source", () => {
    const low = message(withNumbers({ "dram.latencyCycles": { value: -5, source: "a typing error" } }));
    expect(low).toContain("Device rtx3070: dram.latencyCycles is -5");
    expect(low).toContain("It may be 0 to 100000. Its source: a typing error.");
    const high = message(withNumbers({ smClockMHz: 1_725_000 }));
    expect(high).toMatch(/smClockMHz is 1725000, .* takes 1 to 20000\. Its source: NVIDIA's sheet/);
    const relation = message(withNumbers({ "l2.hitLatencyCycles": { value: 20, source: "a guess" } }));
    expect(relation).toMatch(/l2\.hitLatencyCycles is 20, no more than L1's.*Its source: a guess/);
  });

  it("that is wrong in form is refused with a cure", () => {
    expect(message(withNumbers({ "l2.size": 5 }))).toContain("There are l2.sizeBytes, l2.lineBytes");
    expect(message(withNumbers({ "l2.sizeByte": 5 }))).toContain("Did you mean l2.sizeBytes?");
    expect(message(withNumbers({ "l2.sizeBytes": { value: 4, unit: "MB" } }))).toContain('Give it in "bytes".');
    expect(message({ ...published, source: undefined })).toContain("nothing says where that comes from");
    expect(message(withNumbers({ computeCapability: "6.1" }))).toContain('"like": "v100"');
    expect(message({ ...published, numbers: { computeCapability: "8.6" } })).toContain("smCount, smClockMHz");
    expect(message(withNumbers({ smCount: { value: 46, source: "x", spread: [3, 1] as never } }))).toContain(
      "[low, high]",
    );
    expect(message({ ...published, format: "2" })).toContain("format");
    expect(message([])).toContain("deviceFrom");
  });

  it("of another generation may name the built-in GPU that it resembles", () => {
    const device = deviceFrom({ ...withNumbers({ computeCapability: "6.1" }), like: "v100" });
    expect(device.limits.maxThreadsPerSm).toBe(2048);
    expect(() => deviceFrom({ ...published, like: "v1000" })).toThrow(/There|there is no such GPU/);
  });

  it("may say that a GPU has no such unit, or has one that its relative has not", () => {
    expect(deviceFrom(withNumbers({ "pipes.redux": null })).pipes.redux).toBeNull();
    const { sources: _sources, ...numbers } = h200;
    const json = deviceToJson(devices[0]!);
    const shuffle = Object.fromEntries(
      Object.entries(numbers.pipes.shuffle!).map(([key, value]) => [`pipes.shuffle.${key}`, { value, source: "H200" }]),
    );
    const { "pipes.shuffle": _none, ...others } = json.numbers;
    expect(deviceFrom({ ...json, numbers: { ...others, ...shuffle } }).pipes.shuffle).toEqual(h200.pipes.shuffle);
  });
});
