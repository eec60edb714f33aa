/** A scoreboard for a terminal, and as a picture. */
import { deviceById } from "../../core/device/index.js";
import type { Figure } from "../../core/show/figures/figure.js";
import { lineFigure } from "../../core/show/figures/line-figure.js";
import { formatNumber, percentOfOne } from "../../core/show/number-format.js";
import { toText, wrap } from "../../core/show/output/plain-text.js";
import { table } from "../../core/show/table.js";
import { number } from "../../course/exercises/finding.js";
import type { ExerciseSpec } from "../../course/exercises/spec.js";
import { clipped } from "../grade/report.js";
import type { Scoreboard, Try } from "./scoreboard.js";

/** The file as it is now. */
const NOW = "now";
const SHORT_HASH = 7;
const MOST_MESSAGE = 36;

/** GPUs whose bandwidth the exercise scores. */
function gpusOf({ checks }: ExerciseSpec): readonly string[] {
  return [...new Set(checks.flatMap((check) => (check.kind === "bandwidth" ? [check.gpu] : [])))];
}

function nameOf({ commit }: Try): string {
  return commit === null ? NOW : commit.hash.slice(0, SHORT_HASH);
}

function messageOf({ commit }: Try): string {
  if (commit === null) return "the file as it is";
  return clipped(commit.isMerge ? `(merge) ${commit.message}` : commit.message, MOST_MESSAGE);
}

const shortName = (gpu: string): string =>
  deviceById(gpu)
    .name.replace(/^NVIDIA (GeForce |Tesla )?/, "")
    .split("-")[0] ?? gpu;

const percent = (share: number): string => formatNumber(share, percentOfOne);

/** "57.1 % on H200, 88.9 % on V100". */
function sharesText({ score }: Try, spec: ExerciseSpec): string {
  const texts = gpusOf(spec).flatMap((gpu) => {
    const share = score?.shares[gpu];
    return share === undefined ? [] : [`${percent(share)} on ${shortName(gpu)}`];
  });
  return texts.join(", ");
}

/** One sentence on the best try; empty where there is none. */
export function bestText({ best, spec }: Scoreboard): string {
  if (best?.score == null) return "";
  const { points, outOf } = best.score;
  const shares = sharesText(best, spec);
  const of = best.commit === null ? "the file as it is" : `${nameOf(best)} of ${best.commit.date.slice(0, 10)}`;
  return `Your best ${spec.id} is ${of}: ${number(points)} of ${number(outOf)} points${shares === "" ? "" : `, ${shares}`} (predicted).`;
}

/** The tries as a table, then why some have not all points, and the notes. */
export function scoreboardText(board: Scoreboard, width: number): string {
  const { spec, tries, best, notes } = board;
  const gpus = gpusOf(spec);
  const rows = tries.map((each) => {
    const shares = gpus.map((gpu, at) => [`gpu${at}`, each.score?.shares[gpu] ?? null] as const);
    return {
      name: nameOf(each),
      date: each.commit?.date.slice(0, 16).replace("T", " ") ?? "",
      message: messageOf(each),
      points: each.score === null ? "?" : `${number(each.score.points)}/${number(each.score.outOf)}`,
      best: each === best ? "best" : "",
      ...Object.fromEntries(shares),
    };
  });
  const shown = table({
    title: `${spec.id}: ${spec.title}: your tries`,
    columns: [
      { key: "name", title: "Commit" },
      { key: "date", title: "Date" },
      { key: "message", title: "Message" },
      ...gpus.map((gpu, at) => ({
        key: `gpu${at}` as "name",
        title: shortName(gpu),
        align: "right" as const,
        format: percentOfOne,
      })),
      { key: "points", title: "Points", align: "right" },
      { key: "best", title: "" },
    ],
    rows,
    note: gpus.length === 0 ? "" : "Shares of each GPU's peak bandwidth, predicted.",
  });
  const reasons = tries.flatMap((each) =>
    each.score?.reason == null ? [] : [`${nameOf(each)}: ${each.score.reason}`],
  );
  const lines = [...reasons, ...notes, bestText(board)]
    .filter((text) => text !== "")
    .flatMap((text) => wrap(text, width));
  return `${toText(shown, { width })}\n${lines.join("\n")}\n`;
}

/** The shares over the tries; null where fewer than two have any. */
export function scoreboardFigure({ spec, tries }: Scoreboard): Figure | null {
  const series = gpusOf(spec).map((gpu) => ({
    name: deviceById(gpu).name,
    points: tries.flatMap(({ score }, at) => {
      const share = score?.shares[gpu];
      return share === undefined ? [] : [{ x: at + 1, y: 100 * share }];
    }),
  }));
  if (!series.some(({ points }) => points.length > 1)) return null;
  return lineFigure({
    title: `${spec.title}: share of the peak by try`,
    subtitle: "cold L2, predicted; the last try is the file as it is",
    series: series.filter(({ points }) => points.length > 0),
    xTitle: "try",
    yTitle: "share of the peak bandwidth (%)",
    yMax: 100,
  });
}
