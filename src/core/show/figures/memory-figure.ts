/** The memory chart of a launch: the SM, shared memory, L1, L2 and DRAM as boxes, with the bytes between them and hit rates. */
import { checkArgument } from "../../base/shape.js";
import type { LaunchResult } from "../../host/launch-result.js";
import { launchShape } from "../../profile/launch-shape.js";
import { formatNumber } from "../number-format.js";
import type { Figure, ScatterTrace } from "./figure.js";
import { checkTexts, type FigureTexts, makeFigure } from "./frame.js";
import { guideColor, okabeIto } from "./palette.js";
import { writtenTexts } from "./text-traces.js";

const SECTOR_BYTES = 32;
const LINE_BYTES = 128;
const SCALE = 56;
const HALF_BOX = 0.42;
const ARROW_HEAD = 10;

interface Box {
  readonly left: number;
  readonly right: number;
  /** Height of its centre, counted downward. */
  readonly level: number;
  readonly text: string;
}

interface Link {
  readonly x: number;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

/** "4.19 MB": powers of 1000, as Nsight Compute's memory chart has them. */
export function bytesText(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${formatNumber(bytes / 1000 ** power, { significant: 3 })} ${UNITS[power]}`;
}

function rateText(percent: number | null): string {
  return percent === null ? "not used" : `hit rate ${formatNumber(percent, { decimals: 0 })} %`;
}

/** Bytes between the levels. Those beyond L1 are predicted. */
export interface MemoryTraffic {
  readonly loadBytes: number;
  readonly storeBytes: number;
  readonly atomicBytes: number;
  /** Asked for by lanes; with conflicts shared memory gives a word of it at a time. */
  readonly sharedBytes: number;
  /** Between L1 and L2, both ways. */
  readonly l2Bytes: number;
  readonly dramReadBytes: number;
  readonly dramWriteBytes: number;
}

export function memoryTraffic(launch: LaunchResult): MemoryTraffic {
  checkArgument("memoryTraffic", "launch", launch, launchShape);
  const { counters, device, time, program, rawCounters: raw } = launch;
  const wholeLines = device.l1.sectorBytes === LINE_BYTES && device.l1.cachesGlobalLoads;
  const loadBytes = wholeLines ? counters.globalLoadLines * LINE_BYTES : counters.globalLoadSectors * SECTOR_BYTES;
  const storeBytes = counters.globalStoreSectors * SECTOR_BYTES;
  const atomicBytes = counters.globalAtomicSectors * SECTOR_BYTES;
  const shared = program.instructions.filter(({ space }) => space === "shared");
  return {
    loadBytes,
    storeBytes,
    atomicBytes,
    sharedBytes: shared.reduce((sum, { pc }) => sum + (raw.bytes[pc] ?? 0), 0),
    l2Bytes: (loadBytes + storeBytes + atomicBytes) * (1 - (time.l1HitRatePercent ?? 0) / 100),
    dramReadBytes: time.dramBytesRead,
    dramWriteBytes: time.dramBytesWritten,
  };
}

function outline({ left, right, level }: Box): ScatterTrace {
  const [top, bottom] = [level - HALF_BOX, level + HALF_BOX];
  return {
    type: "scatter",
    mode: "lines",
    name: "box",
    showlegend: false,
    hoverinfo: "skip",
    x: [left, right, right, left, left],
    y: [top, top, bottom, bottom, top],
    line: { color: okabeIto.blue, width: 2 },
    cliponaxis: false,
  };
}

function links(all: readonly Link[]): readonly ScatterTrace[] {
  const base = { type: "scatter", name: "bytes", showlegend: false, hoverinfo: "skip", cliponaxis: false } as const;
  const marker = (symbol: "triangle-up" | "triangle-down") => ({ symbol, size: ARROW_HEAD, color: guideColor });
  const xs = all.map(({ x }) => x);
  return [
    {
      ...base,
      mode: "lines",
      x: all.flatMap(({ x }) => [x, x, null]),
      y: all.flatMap(({ from, to }) => [from + 0.1, to - 0.1, null]),
      line: { color: guideColor, width: 2 },
    },
    { ...base, mode: "markers", x: xs, y: all.map(({ from }) => from + 0.1), marker: marker("triangle-up") },
    { ...base, mode: "markers", x: xs, y: all.map(({ to }) => to - 0.1), marker: marker("triangle-down") },
  ];
}

/**
 * The memory chart of a launch.
 * @example
 * display(memoryFigure(gpu.launch(sum, { grid: 64, block: 256 }, { data })));
 */
export function memoryFigure(launch: LaunchResult, figureTexts: Partial<FigureTexts> = {}): Figure {
  checkArgument("memoryFigure", "launch", launch, launchShape);
  checkTexts("memoryFigure", figureTexts);
  const { kernel, device, time, counters } = launch;
  const traffic = memoryTraffic(launch);
  const conflicts = counters.sharedLoadBankConflicts + counters.sharedStoreBankConflicts;
  const atomics = traffic.atomicBytes === 0 ? "" : `\natomics ${bytesText(traffic.atomicBytes)}`;
  const boxes: readonly Box[] = [
    { left: 0, right: 10, level: 0, text: `SM: ${kernel}` },
    { left: 0, right: 4.8, level: 2, text: `L1\n${rateText(time.l1HitRatePercent)}` },
    { left: 5.2, right: 10, level: 2, text: `Shared memory\n${formatNumber(conflicts, { grouping: true })} conflicts` },
    { left: 0, right: 10, level: 4, text: `L2\n${rateText(time.l2HitRatePercent)}` },
    { left: 0, right: 10, level: 6, text: "DRAM" },
  ];
  const between = (x: number, level: number, text: string): Link => ({
    x,
    from: level + HALF_BOX,
    to: level + 2 - HALF_BOX,
    text,
  });
  const all: readonly Link[] = [
    between(0.6, 0, `loads ${bytesText(traffic.loadBytes)}\nstores ${bytesText(traffic.storeBytes)}${atomics}`),
    between(5.8, 0, bytesText(traffic.sharedBytes)),
    between(0.6, 2, `${bytesText(traffic.l2Bytes)} (predicted)`),
    between(
      0.6,
      4,
      `read ${bytesText(traffic.dramReadBytes)}\nwritten ${bytesText(traffic.dramWriteBytes)} (predicted)`,
    ),
  ];
  const figure = makeFigure({
    texts: {
      title: `${kernel}: memory chart`,
      subtitle: `${device.name}; bytes to L1 and shared memory are exact, the rest is predicted`,
      width: 380,
      ...figureTexts,
    },
    alt: `Memory chart of ${kernel} on ${device.name}. Boxes: ${boxes.map(({ text }) => text.replace("\n", ", ")).join("; ")}. Between SM and L1: ${all[0]!.text.replaceAll("\n", ", ")}; SM and shared memory: ${all[1]!.text}; L1 and L2: ${all[2]!.text}; L2 and DRAM: ${all[3]!.text.replaceAll("\n", ", ")}.`,
    data: [
      ...boxes.map(outline),
      ...links(all),
      writtenTexts(
        boxes.map(({ left, right, level, text }) => ({ x: (left + right) / 2, y: level, text })),
        "middle center",
      ),
      writtenTexts(
        all.map(({ x, from, to, text }) => ({ x: x + 0.2, y: (from + to) / 2, text })),
        "middle right",
      ),
    ],
    plotHeight: Math.ceil((6 + 2 * HALF_BOX) * SCALE) + 8,
    xaxis: { type: "linear", title: "", range: [-0.1, 10.1], ticks: { values: [], texts: [] }, grid: false },
    yaxis: {
      type: "linear",
      title: "",
      range: [6 + HALF_BOX + 0.06, -HALF_BOX - 0.06],
      ticks: { values: [], texts: [] },
      grid: false,
    },
  });
  const { layout } = figure;
  const bare = { ...layout, xaxis: { ...layout.xaxis, showline: false }, yaxis: { ...layout.yaxis, showline: false } };
  return { ...figure, layout: bare };
}
