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

/** Neighbouring SMs, and the blocks of the first of them. */
interface SmGroup {
  readonly first: number;
  last: number;
  readonly stays: readonly BlockStay[];
}

/** Neighbouring SMs with as many blocks are one group. */
function alikeSms({ sms }: BlocksOnSms): readonly SmGroup[] {
  const groups: SmGroup[] = [];
  for (const [sm, stays] of sms.entries()) {
    const before = groups.at(-1);
    if (before !== undefined && before.stays.length === stays.length) before.last = sm;
    else groups.push({ first: sm, last: sm, stays });
  }
  return groups;
}

const whoIn = ({ first, last }: SmGroup): string => (first === last ? `SM ${first}` : `SMs ${first} to ${last}`);

/** "SMs 0 to 13: 2 blocks each, until cycle 900". */
function alikeText(groups: readonly SmGroup[]): string {
  const texts = groups.map((group) => {
    const { first, last, stays } = group;
    if (stays.length === 0) return `${whoIn(group)}: no block`;
    const end = Math.max(...stays.map(({ to }) => to));
    const blocks = `${stays.length} block${stays.length === 1 ? "" : "s"}${first === last ? "" : " each"}`;
    return `${whoIn(group)}: ${blocks}, until cycle ${number(Math.round(end))}`;
  });
  return texts.join("; ");
}

/** Each SM by itself, or one for each group of alike SMs where the rows would be too thin to see. */
function drawnSms(run: BlocksOnSms, alike: readonly SmGroup[]): readonly SmGroup[] {
  const thin = PLOT_HEIGHT / (run.sms.length * (run.places + GAP_ROWS)) < THIN_ROW;
  return thin ? alike : run.sms.map((stays, sm) => ({ first: sm, last: sm, stays }));
}

function smTicks(drawn: readonly SmGroup[], places: number): Ticks {
  const every = Math.ceil(drawn.length / MOST_NAMED_SMS);
  const named = [...drawn.keys()].filter((at) => at % every === 0);
  return {
    values: named.map((at) => at * (places + GAP_ROWS) + (places - 1) / 2),
    texts: named.map((at) => whoIn(drawn[at]!)),
  };
}

/**
 * Draws when each block runs on which SM, a row for each place that an SM has for a block. Where that would be too many rows,
 * neighbouring SMs with as many blocks share one picture, that of the first of them. Predicted.
 * @throws InputError for blocks that do different amounts of work, a launch with a seed, or one too long to be simulated whole.
 * @example display(wavesFigure(gpu.launch(sum, { grid: 100, block: 256 }, { data })));
 */
export function wavesFigure(launch: LaunchResult, texts: Partial<FigureTexts> = {}): Figure {
  checkArgument("wavesFigure", "launch", launch, launchShape);
  checkTexts("wavesFigure", texts);
  const run = blocksOnSms(launch);
  const { sms, places, cycles, blocks } = run;
  const alike = alikeSms(run);
  const drawn = drawnSms(run, alike);
  const rows = drawn.length * (places + GAP_ROWS) - GAP_ROWS;
  const rowHeight = Math.min(HIGHEST_ROW, PLOT_HEIGHT / rows);
  const stays = drawn.flatMap((group, at) =>
    group.stays.map((stay) => ({ ...stay, row: at * (places + GAP_ROWS) + stay.place })),
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
    alt: `Blocks of ${run.kernel} on the SMs of ${run.device} over ${number(Math.round(cycles))} cycles, predicted: ${room}, in ${waves} wave${waves === 1 ? "" : "s"}. Places are taken ${filled} of the time. ${alikeText(alike)}.`,
    data: traces,
    plotHeight: Math.ceil(rows * rowHeight) + 8,
    xaxis: { type: "linear", title: "Cycle", range: [0, cycles], ticks: linearTicks(0, cycles), grid: false },
    yaxis: { type: "linear", title: "", range: [rows - 0.5, -0.7], ticks: smTicks(drawn, places), grid: false },
    narrow: true,
  });
}
