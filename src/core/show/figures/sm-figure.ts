/** One SM drawn from a GPU's specification: its schedulers with what belongs to each, and what they share. A square is a lane. */

import { checkDevice, type DeviceSpec, type SmParts, type SmUnit, smParts } from "../../device/index.js";
import { count, formatNumber } from "../number-format.js";
import { kibibytes } from "../sm-table.js";
import { wrapText } from "../text-width.js";
import type { Figure, ScatterTrace } from "./figure.js";
import { checkTexts, type FigureTexts, leftMargin, makeFigure, rightMargin } from "./frame.js";
import { guideColor, okabeIto } from "./palette.js";
import { TEXT_SIZE, type WrittenText, writtenTexts } from "./text-traces.js";

const WIDTH = 380;
const LINE = 17;
const PAD = 6;
const GAP = 8;
/** Pixels from one lane's square to the next, and the square's side. */
const PITCH = 9;
const SQUARE = 6;
const LANES_A_ROW = 8;
/** Pixels of a unit's name beside its lanes, where the schedulers share it. */
const NAME_WIDTH = 64;
const SHARED_A_ROW = 16;

const COLORS: Readonly<Record<SmUnit["unit"], string>> = {
  int: okabeIto.orange,
  fp32: okabeIto.blue,
  fp64: okabeIto.green,
  sfu: okabeIto.purple,
  loadStore: okabeIto.vermillion,
};

const number = (value: number): string => formatNumber(value, count);

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** All that is drawn, in pixels from the plot's upper left corner. */
interface Drawing {
  readonly boxes: Box[];
  readonly centred: WrittenText[];
  readonly left: WrittenText[];
  readonly lanes: Map<SmUnit["unit"], { readonly x: number; readonly y: number }[]>;
}

function addLanes({ lanes }: Drawing, { unit, lanes: all }: SmUnit, left: number, top: number, perRow: number): void {
  const places = lanes.get(unit) ?? [];
  lanes.set(unit, places);
  for (let lane = 0; lane < all; lane++) {
    const [column, row] = [lane % perRow, Math.floor(lane / SHARED_A_ROW)];
    places.push({ x: left + (column + 0.5) * PITCH, y: top + (row + 0.5) * PITCH });
  }
}

function schedulerHeight(lines: number, units: readonly SmUnit[]): number {
  const lanes = units.reduce((sum, { lanes }) => sum + LINE + Math.ceil(lanes / LANES_A_ROW) * PITCH + 4, 0);
  return 2 * PAD + lines * LINE + lanes;
}

/** A scheduler's box: its warps and registers, and its own units. */
function addScheduler(drawing: Drawing, box: Box, lines: readonly string[], units: readonly SmUnit[]): void {
  drawing.boxes.push(box);
  const middle = box.left + box.width / 2;
  let y = box.top + PAD;
  for (const text of lines) {
    drawing.centred.push({ x: middle, y: y + LINE / 2, text });
    y += LINE;
  }
  for (const unit of units) {
    drawing.centred.push({ x: middle, y: y + LINE / 2, text: `${unit.lanes} ${unit.title}` });
    y += LINE;
    addLanes(drawing, unit, middle - (Math.min(unit.lanes, LANES_A_ROW) * PITCH) / 2, y, LANES_A_ROW);
    y += Math.ceil(unit.lanes / LANES_A_ROW) * PITCH + 4;
  }
}

function outlines(boxes: readonly Box[]): ScatterTrace {
  return {
    type: "scatter",
    mode: "lines",
    name: "boxes",
    showlegend: false,
    hoverinfo: "skip",
    x: boxes.flatMap(({ left, width }) => [left, left + width, left + width, left, left, null]),
    y: boxes.flatMap(({ top, height }) => [top, top, top + height, top + height, top, null]),
    line: { color: guideColor, width: 1.5 },
    cliponaxis: false,
  };
}

function squares(drawing: Drawing, units: readonly SmUnit[]): readonly ScatterTrace[] {
  return units.map(({ unit, title }): ScatterTrace => {
    const places = drawing.lanes.get(unit) ?? [];
    return {
      type: "scatter",
      mode: "markers",
      name: title,
      showlegend: false,
      x: places.map(({ x }) => x),
      y: places.map(({ y }) => y),
      hovertemplate: `a lane: ${title}<extra></extra>`,
      marker: { symbol: "square", size: SQUARE, color: COLORS[unit] },
      cliponaxis: false,
    };
  });
}

function carveouts(bytes: readonly number[]): string {
  return bytes.map((each) => number(each / 1024)).join(", ");
}

function altText({ name, smCount, limits }: DeviceSpec, parts: SmParts): string {
  const own = (sharedBy: SmUnit["sharedBy"]): string =>
    parts.units.flatMap((unit) => (unit.sharedBy === sharedBy ? [`${unit.lanes} lanes ${unit.title}`] : [])).join(", ");
  return `One of ${smCount} SMs of ${name}. ${parts.schedulers} schedulers, each with places for ${parts.warpsPerScheduler} warps, ${number(parts.registersPerScheduler)} registers, ${own("scheduler")}. Shared by all: ${own("sm")}; ${kibibytes(parts.l1AndSharedBytes)} of L1 and shared memory, of which shared memory takes ${carveouts(parts.sharedCarveoutsBytes)} KiB; places for ${limits.maxBlocksPerSm} blocks.`;
}

/**
 * Draws one SM of a GPU.
 * @example display(smFigure(deviceById("m2070")), smFigure(deviceById("v100")));
 */
export function smFigure(device: DeviceSpec, texts: Partial<FigureTexts> = {}): Figure {
  checkDevice(device);
  checkTexts("smFigure", texts);
  const parts = smParts(device);
  const { schedulers, units, lanesClock } = parts;
  const own = units.filter(({ sharedBy }) => sharedBy === "scheduler");
  const shared = units.filter(({ sharedBy }) => sharedBy === "sm");
  const width = texts.width ?? WIDTH;
  const plotWidth = width - leftMargin([], "") - rightMargin;
  const drawing: Drawing = { boxes: [], centred: [], left: [], lanes: new Map() };
  const boxWidth = (plotWidth - (schedulers - 1) * GAP) / schedulers;
  const registers = `${number(parts.registersPerScheduler)} registers`;
  const lines = [
    "scheduler",
    `${number(parts.warpsPerScheduler)} warps`,
    ...wrapText(registers, boxWidth - PAD, TEXT_SIZE),
  ];
  const height = schedulerHeight(lines.length, own);
  for (let index = 0; index < schedulers; index++) {
    const box = { left: index * (boxWidth + GAP), top: 0, width: boxWidth, height };
    addScheduler(drawing, box, lines, own);
  }
  let y = height + GAP;
  const sharedHeight = shared.reduce(
    (sum, { lanes }) => sum + Math.max(LINE, Math.ceil(lanes / SHARED_A_ROW) * PITCH + 4),
    0,
  );
  drawing.boxes.push({ left: 0, top: y, width: plotWidth, height: sharedHeight + 2 * PAD });
  y += PAD;
  for (const unit of shared) {
    const rows = Math.max(LINE, Math.ceil(unit.lanes / SHARED_A_ROW) * PITCH + 4);
    drawing.left.push({ x: PAD - 4, y: y + rows / 2, text: `${unit.lanes} ${unit.title}` });
    const lanesHeight = Math.ceil(unit.lanes / SHARED_A_ROW) * PITCH;
    addLanes(drawing, unit, PAD + NAME_WIDTH, y + (rows - lanesHeight) / 2, SHARED_A_ROW);
    y += rows;
  }
  y += PAD + GAP;
  const memory = [
    `${kibibytes(parts.l1AndSharedBytes)}: L1 and shared memory`,
    `shared: ${carveouts(parts.sharedCarveoutsBytes)} KiB; the rest is L1`,
  ];
  drawing.boxes.push({ left: 0, top: y, width: plotWidth, height: 2 * PAD + memory.length * LINE });
  for (const [index, text] of memory.entries()) {
    drawing.centred.push({ x: plotWidth / 2, y: y + PAD + (index + 0.5) * LINE, text });
  }
  y += 2 * PAD + memory.length * LINE;
  const clocks = lanesClock === 1 ? "lanes at the schedulers' clock" : `lanes at ${lanesClock} x the schedulers' clock`;
  const figure = makeFigure({
    texts: {
      title: `An SM of ${device.architecture}`,
      subtitle: `${device.name}, one of ${device.smCount}; a square is a lane; ${clocks}`,
      ...texts,
      width,
    },
    alt: altText(device, parts),
    data: [
      outlines(drawing.boxes),
      ...squares(drawing, units),
      writtenTexts(drawing.centred, "middle center"),
      writtenTexts(drawing.left, "middle right"),
    ],
    plotHeight: Math.ceil(y) + 2,
    xaxis: { type: "linear", title: "", range: [-1, plotWidth + 1], ticks: { values: [], texts: [] }, grid: false },
    yaxis: { type: "linear", title: "", range: [y + 1, -1], ticks: { values: [], texts: [] }, grid: false },
    fixedWidth: true,
  });
  const { layout } = figure;
  const bare = { ...layout, xaxis: { ...layout.xaxis, showline: false }, yaxis: { ...layout.yaxis, showline: false } };
  return { ...figure, layout: bare };
}
