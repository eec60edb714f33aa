/** A device's numbers from the readings of its microbenchmarks, each with its spread. */
import type { DeviceEntry, DeviceJson, DeviceSpec, DeviceValue } from "../../core/device/index.js";
import { DEVICE_FORMAT, deviceFrom, unitOf } from "../../core/device/index.js";
import { keptShares } from "./kept-shares.js";
import type { Reading, Row } from "./reading.js";
import type { Readings } from "./readings.js";

interface Derived {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly from: string;
}

/** What rules read: the readings, and the device as it is known so far. */
interface Known {
  readonly readings: ReadonlyMap<string, Reading>;
  readonly device: DeviceSpec;
}

type Rule = readonly [field: string, derive: (known: Known) => Derived | undefined];

/** A whole number where it is nearly one, as most latencies are; else three digits. */
function rounded(value: number): number {
  const whole = Math.round(value);
  return whole > 0 && Math.abs(value - whole) / whole < 0.06 ? whole : Number(value.toPrecision(3));
}

/** `of` the value and of both ends, which it may exchange. */
function mapped(reading: Derived | undefined, of: (value: number) => number, round = rounded): Derived | undefined {
  if (reading === undefined) return undefined;
  const ends = [of(reading.low), of(reading.high)];
  return { value: round(of(reading.value)), low: Math.min(...ends), high: Math.max(...ends), from: reading.from };
}

const one =
  (name: string, of: (value: number, device: DeviceSpec) => number = (value) => value, round = rounded) =>
  ({ readings, device }: Known): Derived | undefined =>
    mapped(readings.get(name), (value) => of(value, device), round);

function together(found: readonly Reading[], value: number): Derived | undefined {
  if (found.length === 0) return undefined;
  const from = [...new Set(found.map((reading) => reading.from))];
  return {
    value,
    low: Math.min(...found.map(({ low }) => low)),
    high: Math.max(...found.map(({ high }) => high)),
    from: from.length > 3 ? `${from[0]} to ${from.at(-1)}` : from.join("; "),
  };
}

const named = ({ readings }: Known, prefix: string): readonly Reading[] =>
  [...readings.values()].filter(({ name }) => name.startsWith(prefix));

const whole = (value: number): number => Math.round(value);

const median =
  (prefix: string) =>
  (known: Known): Derived | undefined => {
    const found = [...named(known, prefix)].sort((a, b) => a.value - b.value);
    return mapped(together(found, found[Math.floor(found.length / 2)]?.value ?? 0), (value) => value, whole);
  };

/** The bandwidth that the best of several sizes reaches. The spread is of those within a tenth of it. */
const best =
  (prefix: string, factor: number = 1) =>
  (known: Known): Derived | undefined => {
    const found = named(known, prefix);
    const most = Math.max(...found.map(({ value }) => value));
    const near = found.filter(({ value }) => value > 0.9 * most);
    return mapped(
      together(near, most),
      (value) => value * factor,
      (value) => Number(value.toPrecision(4)),
    );
  };

/** An H200's L2 gives 9500 GB/s to kernels with more loads in flight than the program's, which reaches 8650. */
const L2_READ_FACTOR = 9500 / 8650;

/** The mean of a stream's forms, as a share of the peak. */
const share =
  (prefix: string) =>
  (known: Known): Derived | undefined => {
    const found = named(known, prefix);
    const mean = found.reduce((sum, { value }) => sum + value, 0) / found.length;
    const ofPeak = (value: number): number => Math.min(1, value / known.device.dram.peakBandwidthGBps);
    return mapped(together(found, mean), ofPeak, (value) => Number(value.toFixed(3)));
  };

/** How much a quantity grows by each step from the first to the last of readings with a number at the end of their name. */
const slope =
  (prefix: string, at: "slope" | "start") =>
  (known: Known): Derived | undefined => {
    const place = ({ name }: Reading): number => Number(name.slice(prefix.length));
    const found = named(known, prefix)
      .filter((reading) => place(reading) >= 1)
      .sort((a, b) => place(a) - place(b));
    const [first, last] = [found[0], found.at(-1)];
    if (first === undefined || last === undefined || place(last) === place(first)) return undefined;
    const steps = place(last) - place(first);
    const step = (last.value - first.value) / steps;
    const [low, high] = [(last.low - first.high) / steps, (last.high - first.low) / steps];
    const from = `${first.from} to ${last.from.split(": ").at(-1)}`;
    if (at === "slope") return { value: rounded(step), low, high, from };
    const before = place(first);
    return {
      value: rounded(first.value - before * step),
      low: first.low - before * high,
      high: first.high - before * low,
      from,
    };
  };

/** Cycles that an instruction occupies its pipe, by the instructions a cycle and SM. */
const interval =
  (name: string, pipe: "alu" | "fma" | "imad" | "fp64" | "xu" | "shuffle" | "match" | "redux") =>
  (known: Known): Derived | undefined => {
    const spec = known.device.pipes[pipe];
    if (spec === null) return undefined;
    const pipes = spec.sharedBy === "sm" ? 1 : known.device.schedulersPerSm;
    // Chains of 32 warps reach less than the pipe does, never more.
    return mapped(
      known.readings.get(name),
      (rate) => pipes / rate,
      (value) => Math.max(1, Math.round(value * 0.98)),
    );
  };

function fetchBytes({ readings }: Known): Derived | undefined {
  const [at8, at16, at32] = [8, 16, 32].map((words) => readings.get(`dram.strided.${words}`));
  if (at8 === undefined || at16 === undefined || at32 === undefined) return undefined;
  // Twice the stride gives half of the useful words where each comes with a piece of its own.
  const two = at8.value / at16.value > 1.5 ? 2 : 1;
  const four = two === 2 && at16.value / at32.value > 1.5 ? 2 : 1;
  const bytes = 32 * two * four;
  return { value: bytes, low: bytes, high: bytes, from: `${at8.from} to ${at32.name}` };
}

/** Of the words in the near half of L2, as L2's own latency. */
function nearAtomic({ readings }: Known): Derived | undefined {
  const reading = readings.get("atomic.chain");
  return reading === undefined ? undefined : mapped({ ...reading, value: reading.low }, (cycles) => cycles, whole);
}

const cyclesOf = (nanoseconds: number, device: DeviceSpec): number => (nanoseconds * device.smClockMHz) / 1000;
const digits3 = (value: number): number => Number(value.toPrecision(3));

/** In an order in which each finds what it needs of the device. */
const RULES: readonly Rule[] = [
  ["pipes.alu.latencyCycles", one("chain.lop3")],
  ["pipes.alu.issueIntervalCycles", interval("rate.lop3", "alu")],
  ["pipes.fma.latencyCycles", one("chain.ffma")],
  ["pipes.fma.issueIntervalCycles", interval("rate.ffma", "fma")],
  ["pipes.imad.latencyCycles", one("chain.imad")],
  ["pipes.imad.issueIntervalCycles", interval("rate.imad", "imad")],
  ["pipes.fp64.latencyCycles", one("chain.dadd")],
  ["pipes.fp64.issueIntervalCycles", interval("rate.dadd", "fp64")],
  ["pipes.xu.latencyCycles", one("chain.ex2")],
  ["pipes.xu.issueIntervalCycles", interval("rate.ex2", "xu")],
  ["pipes.shuffle.latencyCycles", one("chain.shfl")],
  ["pipes.shuffle.issueIntervalCycles", interval("rate.shfl", "shuffle")],
  ["pipes.vote.latencyCycles", one("chain.setp_ballot", (cycles, { pipes }) => cycles - pipes.alu.latencyCycles)],
  ["pipes.match.latencyCycles", one("chain.match_all")],
  ["pipes.match.issueIntervalCycles", interval("rate.match_all", "match")],
  ["pipes.redux.latencyCycles", one("chain.redux", (cycles, { pipes }) => cycles - pipes.alu.latencyCycles)],
  ["pipes.redux.issueIntervalCycles", interval("rate.redux", "redux")],
  ["pipes.special.issueIntervalCycles", one("special.rate")],
  ["pipes.adu.issueIntervalCycles", one("barrier.8x8", (cycles) => cycles / 16, whole)],
  [
    "matchAny.latencyPerValueCycles",
    one("chain.match_any", (cycles, { matchAny }) => (cycles - (matchAny?.latencyCycles ?? 0)) / 32),
  ],
  ["sharedMemory.loadLatencyCycles", one("shared.chain.1", undefined, whole)],
  ["sharedMemory.latencyPerExtraWavefrontCycles", slope("shared.chain.", "slope")],
  ["sharedMemory.wavefrontCycles", slope("shared.load.", "slope")],
  ["sharedMemory.atomicLatencyCycles", one("shared.atomic.1", undefined, whole)],
  ["sharedMemory.atomicLatencyPerExtraLaneCycles", slope("shared.atomic.", "slope")],
  ["sharedMemory.atomicLaneIntervalCycles", slope("shared.red.", "slope")],
  ["barrier.perWarpCycles", slope("barrier.", "slope")],
  ["barrier.baseLatencyCycles", slope("barrier.", "start")],
  ["l1.hitLatencyCycles", median("l1.chase.")],
  ["l1.lineIntervalCycles", one("l2.lines.32", (cycles) => cycles / 32)],
  ["l1.hitLineIntervalCycles", one("l1.lines.33", (cycles) => cycles / 32, digits3)],
  ["l2.hitLatencyCycles", median("l2.chase.")],
  ["l2.fetchBytes", fetchBytes],
  ["l2.bandwidthGBps", best("l2.read.", L2_READ_FACTOR)],
  ["l2.writeBandwidthGBps", best("l2.write.")],
  ["dram.latencyCycles", one("dram.chase", undefined, whole)],
  ["dram.achievableReadFraction", share("dram.read.")],
  // What a store of one element a thread leaves in L2 at its end is written later.
  ["dram.achievableWriteFraction", share("dram.write.loop")],
  ["dram.achievableCopyFraction", share("dram.copy.")],
  ["atomics.returnLatencyCycles", nearAtomic],
  ["atomics.sameAddressIntervalCycles", one("atomic.address", cyclesOf, digits3)],
  ["atomics.sameAddressLaneCycles", one("atomic.lanes", (ns, device) => cyclesOf(ns, device) / 32, digits3)],
  ["launch.blockDispatchNanoseconds", one("blocks.dispatch", undefined, digits3)],
  ["launch.emptyBlockResidencyCycles", one("blocks.residency.1", undefined, whole)],
  ["launch.residencyPerWarpCycles", slope("blocks.residency.", "slope")],
  ["launch.queuedKernelEventMicroseconds", one("launch.queued", undefined, digits3)],
  ["launch.emptyKernelEventMicroseconds", one("launch.idle", undefined, digits3)],
  ["launch.backToBackMicroseconds", one("launch.backToBack", undefined, digits3)],
  ["transfers.hostToDeviceGBps", one("copy.toDevice", undefined, digits3)],
  ["transfers.deviceToHostGBps", one("copy.toHost", undefined, digits3)],
  ["transfers.pageableHostToDeviceGBps", one("copy.pageableToDevice", undefined, digits3)],
  ["transfers.pageableDeviceToHostGBps", one("copy.pageableToHost", undefined, digits3)],
  ["transfers.copyMicroseconds", one("copy.small", undefined, digits3)],
  ["transfers.deviceCopyMicroseconds", one("copy.within", undefined, digits3)],
  ["transfers.memsetMicroseconds", one("memset.small", undefined, digits3)],
];

/** Fields that the program asks the CUDA runtime for, by the name in its "card" line. */
const PROPERTIES: readonly (readonly [field: string, key: string])[] = [
  ["computeCapability", "computeCapability"],
  ["smCount", "smCount"],
  ["l2.sizeBytes", "l2Bytes"],
  ["dram.busWidthBits", "busWidthBits"],
  ["limits.totalGlobalMemBytes", "totalGlobalMemBytes"],
  ["limits.sharedBytesPerBlock", "sharedBytesPerBlock"],
  ["limits.sharedBytesPerBlockOptIn", "sharedBytesPerBlockOptIn"],
  ["limits.sharedReservedBytesPerBlock", "sharedReservedBytesPerBlock"],
  ["limits.registersPerBlock", "registersPerBlock"],
  ["limits.registersPerSm", "registersPerSm"],
  ["limits.maxThreadsPerBlock", "maxThreadsPerBlock"],
  ["limits.maxBlocksPerSm", "maxBlocksPerSm"],
  ["transfers.copyEngines", "asyncEngines"],
];

function measuredEntry(
  field: string,
  value: DeviceValue,
  source: string,
  spread?: readonly [number, number],
): DeviceEntry {
  const unit = unitOf(field);
  return {
    value,
    ...(unit !== undefined && { unit }),
    source,
    confidence: "measured",
    ...(spread !== undefined && { spread }),
  };
}

function facts(card: Row, clocks: readonly number[]): Record<string, DeviceEntry> {
  const source = `the CUDA runtime on ${card.card}`;
  const numbers: Record<string, DeviceEntry> = {};
  for (const [field, key] of PROPERTIES) numbers[field] = measuredEntry(field, card[key] as DeviceValue, source);
  const peak = (Number(card.memoryClockMHz) * 2 * Number(card.busWidthBits)) / 8000;
  if (peak > 0) numbers["dram.peakBandwidthGBps"] = measuredEntry("dram.peakBandwidthGBps", Math.round(peak), source);
  const sorted = [...clocks].sort((a, b) => a - b);
  const clock = Math.round(sorted[Math.floor(sorted.length / 2)] ?? Number(card.maxClockMHz));
  const ends = [sorted[0] ?? clock, sorted.at(-1) ?? clock] as const;
  numbers.smClockMHz = measuredEntry(
    "smClockMHz",
    clock,
    "cycles against nanoseconds on all SMs, between the groups",
    ends,
  );
  return numbers;
}

export interface DeriveOptions {
  readonly id: string;
  readonly name?: string;
  readonly like?: string;
  /** What is published of the card; it stands where the output says nothing of it, and after what the output says. */
  readonly facts?: DeviceJson["numbers"];
}

const significant = (value: number): number => Number(value.toPrecision(4));

/** The device file: published and read facts, derived numbers; the generation's defaults are `deviceFrom`'s. */
export function deriveDevice(readings: Readings, options: DeriveOptions): DeviceJson {
  const { card, byName, clocks } = readings;
  const { id, name = String(card?.card ?? id), like } = options;
  const numbers: Record<string, DeviceEntry | DeviceValue> = {
    ...options.facts,
    ...(card === null ? {} : facts(card, clocks)),
  };
  const json = (): DeviceJson => ({ format: DEVICE_FORMAT, id, name, ...(like !== undefined && { like }), numbers });
  let device = deviceFrom(json());
  for (const [field, derive] of RULES) {
    const derived = derive({ readings: byName, device });
    if (derived === undefined || !(derived.value > 0)) continue;
    const spread = [significant(derived.low), significant(derived.high)] as const;
    numbers[field] = measuredEntry(field, derived.value, derived.from, spread);
    if (field === "pipes.alu.latencyCycles") device = deviceFrom(json());
  }
  const kept = keptShares(byName, device.l2.sizeBytes);
  if (kept !== undefined) {
    for (const [field, { value, spread }] of Object.entries(kept.shares)) {
      numbers[field] = measuredEntry(field, value, kept.from, spread);
    }
  }
  return json();
}

/** The fields that were derived from readings. */
export function derivedFields(json: DeviceJson): readonly string[] {
  return Object.entries(json.numbers).flatMap(([field, entry]) =>
    typeof entry === "object" && entry !== null && "spread" in entry ? [field] : [],
  );
}
