/** Tables and figures as Jupyter's display_data: one message with several forms, of which each front end takes the best. */
import { either, listOf, objectWith, type Shape } from "../base/shape.js";
import type { LaunchResult } from "../host/launch-result.js";
import { launchShape } from "../profile/launch-shape.js";
import { type Figure, figureShape, plotlyJson } from "./figures/figure.js";
import { launchTable } from "./launch-table.js";
import { toHtml } from "./output/html.js";
import { toMarkdown } from "./output/markdown.js";
import { toText } from "./output/plain-text.js";
import { stepsHtml } from "./output/step-viewer.js";
import { type StepRecord, stepRecordShape } from "./steps.js";
import { type Table, tableShape } from "./table.js";

/** The same thing in several MIME types. */
export interface DisplayData {
  readonly data: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly transient: Readonly<Record<string, unknown>>;
}

/** What is shown by itself. */
export type View = Figure | Table | StepRecord;

/** Something that is shown as tables and figures, one after the other. */
export interface Shown {
  readonly views: readonly View[];
}

const viewShape: Shape = either(figureShape, tableShape, stepRecordShape);

const shownShape: Shape = objectWith(
  { views: listOf(viewShape) },
  "what display can show: a figure, a table, a launch, or a result with views",
);

/** What `display` takes. */
export const displayShape: Shape = listOf(either(viewShape, launchShape, shownShape));

/** Whether a value is a table, a figure or a recorded block. */
export function isView(value: unknown): value is View {
  if (typeof value !== "object" || value === null || !("kind" in value)) return false;
  if (value.kind === "steps" && "steps" in value) return true;
  return (value.kind === "table" && "columns" in value) || (value.kind === "figure" && "layout" in value);
}

/** What `display` shows: a launch as a table with its warnings. */
export type Displayed = View | Shown | LaunchResult;

/** The tables and figures of what `display` was given, in order. */
export function viewsOf(items: readonly Displayed[]): readonly View[] {
  return items.flatMap((each): readonly View[] => {
    if ("views" in each) return each.views;
    return "kind" in each ? [each] : [launchTable(each)];
  });
}

/**
 * A figure in plotly's MIME type (VS Code), as a picture (Jupyter, nbconvert, GitHub) and as text. No text/html: front
 * ends prefer it to the picture even where its scripts may not run.
 * @param picture its MIME type and data
 */
export function figureData(figure: Figure, picture: Readonly<Record<string, string>>, note = ""): DisplayData {
  const { width, height } = figure.layout;
  const plotly: unknown = JSON.parse(plotlyJson(figure));
  const text = `${figure.title}\n${figure.alt}${note}`;
  return {
    data: { "application/vnd.plotly.v1+json": plotly, ...picture, "text/plain": text },
    metadata: { "image/png": { width, height } },
    transient: {},
  };
}

/** A table as HTML (which every front end draws, and lines up numbers), Markdown (for exports) and text. */
export function tableData(table: Table): DisplayData {
  return {
    data: { "text/html": toHtml(table), "text/markdown": toMarkdown(table), "text/plain": toText(table) },
    metadata: {},
    transient: {},
  };
}

/** A recorded block: HTML that draws itself, and a sentence. A page of the course draws it from the record, in `data`. */
export function stepsData(record: StepRecord, data: Readonly<Record<string, unknown>> = {}): DisplayData {
  return {
    data: { ...data, "text/html": stepsHtml(record), "text/plain": record.alt },
    metadata: {},
    transient: {},
  };
}
