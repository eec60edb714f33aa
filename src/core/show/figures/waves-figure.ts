/** Blocks on SMs over time: the waves in which a grid runs, and the SMs that idle at its end. */
import { checkArgument } from "../../base/shape.js";
import { type BlockStay, type BlocksOnSms, blocksOnSms } from "../../host/blocks-on-sms.js";
import type { LaunchResult } from "../../host/launch-result.js";
import { launchShape } from "../../profile/launch-shape.js";
import { count, formatNumber } from "../number-format.js";
import type { Figure } from "./figure.js";
import { checkTexts, type FigureTexts, makeFigure } from "./frame.js";
import { seriesColor } from "./palette.js";
import { stateTrace } from "./state-traces.js";
import { linearTicks, type Ticks } from "./ticks.js";

const PLOT_HEIGHT = 400;
const HIGHEST_ROW = 16;
const MOST_NAMED_SMS = 16;
/** Share of a row's height that a block takes, unless rows are thin, and rows that stay empty between two SMs. */
const FILLED = 0.8;
const THIN_ROW = 4;
const GAP_ROWS = 0.5;
/** Colours beyond these repeat. */
const COLORS = 4;

const percent = (share: number): string => formatNumber(share, { scale: 100, decimals: 0, suffix: " %" });
const number = (value: number): string => formatNumber(value, count);

/** Share of all places' time, until the last block's end, in which they have a block. */
function filledShare({ sms, places, cycles }: BlocksOnSms): number {
  const taken = sms.flat().reduce((sum, { from, to }) => sum + to - from, 0);
  return taken / (sms.length * places * cycles);
}

/** "SMs 0 to 13 run 2 blocks each until cycle 900": neighbouring SMs that fare alike are told together. */
function alikeText({ sms }: BlocksOnSms): string {
  const groups: { first: number; last: number; stays: readonly BlockStay[] }[] = [];
  for (const [sm, stays] of sms.entries()) {
    const before = groups.at(-1);
    if (before !== undefined && before.stays.length === stays.length) before.last = sm;
    else groups.push({ first: sm, last: sm, stays });
  }
  const texts = groups.map(({ first, last, stays }) => {
    const who = first === last ? `SM ${first}` : `SMs ${first} to ${last}`;
    if (stays.length === 0) return `${who}: no block`;
    const end = Math.max(...stays.map(({ to }) => to));
    const blocks = `${stays.length} block${stays.length === 1 ? "" : "s"}${first === last ? "" : " each"}`;
    return `${who}: ${blocks}, until cycle ${number(Math.round(end))}`;
  });
  return texts.join("; ");
}

function smTicks({ sms, places }: BlocksOnSms): Ticks {
  const every = Math.ceil(sms.length / MOST_NAMED_SMS);
  const named = [...sms.keys()].filter((sm) => sm % every === 0);
  return {
    values: named.map((sm) => sm * (places + GAP_ROWS) + (places - 1) / 2),
    texts: named.map((sm) => `SM ${sm}`),
  };
}

/**
 * Draws when each block runs on which SM, a row for each place that an SM has for a block. Predicted.
 * @throws InputError for blocks that do different amounts of work, a launch with a seed, or one too long to be simulated whole.
 * @example display(wavesFigure(gpu.launch(sum, { grid: 100, block: 256 }, { data })));
 */
export function wavesFigure(launch: LaunchResult, texts: Partial<FigureTexts> = {}): Figure {
  checkArgument("wavesFigure", "launch", launch, launchShape);
  checkTexts("wavesFigure", texts);
  const run = blocksOnSms(launch);
  const { sms, places, cycles, blocks } = run;
  const rows = sms.length * (places + GAP_ROWS) - GAP_ROWS;
  const rowHeight = Math.min(HIGHEST_ROW, PLOT_HEIGHT / rows);
  const stays = sms.flatMap((each, sm) =>
    each.map((stay) => ({ ...stay, row: sm * (places + GAP_ROWS) + stay.place })),
  );
  const waves = Math.max(...stays.map(({ wave }) => wave)) + 1;
  const colors = Math.min(waves, COLORS);
  const traces = Array.from({ length: colors }, (_, color) => {
    const mine = Array.from({ length: waves }, (_, wave) => wave + 1).filter((wave) => (wave - 1) % COLORS === color);
    return stateTrace({
      name:
        mine.length === 1 ? `wave ${mine[0]}` : `waves ${mine.slice(0, 2).join(", ")}${mine.length > 2 ? " ..." : ""}`,
      color: seriesColor(color),
      width: (rowHeight < THIN_ROW ? 1 : FILLED) * rowHeight,
      pieces: stays.filter(({ wave }) => wave % COLORS === color),
      hover: "cycle %{x}<extra></extra>",
    });
  });
  const filled = percent(filledShare(run));
  const room = `${number(blocks)} blocks, ${places} at a time on each of ${sms.length} SMs`;
  return makeFigure({
    texts: {
      title: `${run.kernel}: blocks on SMs over time`,
      subtitle: `${room}, ${run.device}, predicted; places are taken ${filled} of the time`,
      ...texts,
    },
    alt: `Blocks of ${run.kernel} on the SMs of ${run.device} over ${number(Math.round(cycles))} cycles, predicted: ${room}, in ${waves} wave${waves === 1 ? "" : "s"}. Places are taken ${filled} of the time. ${alikeText(run)}.`,
    data: traces,
    plotHeight: Math.ceil(rows * rowHeight) + 8,
    xaxis: { type: "linear", title: "Cycle", range: [0, cycles], ticks: linearTicks(0, cycles), grid: false },
    yaxis: { type: "linear", title: "", range: [rows - 0.5, -0.7], ticks: smTicks(run), grid: false },
    narrow: true,
  });
}
