/** A cell's outputs as elements of the page, in the look of the kept ones. */

import { drawSteps, STEPS_STYLE, type ViewDocument, type ViewElement } from "../../core/show/output/step-viewer.js";
import { STEPS_MIME, type StepRecord } from "../../core/show/steps.js";
import type { MimeBundle, Output } from "../../course/notebook/notebook.js";
import { streamClass } from "../../course/notebook/stream-layout.js";
import { cleanTable } from "./clean-table.js";

function pre(className: string, text: string): HTMLElement {
  const element = document.createElement("pre");
  element.className = className;
  element.textContent = text;
  return element;
}

/** The picture, which plots.js draws over where plotly is on the page. */
function figure(data: MimeBundle, svg: string): HTMLElement {
  const text = String(data["text/plain"] ?? "figure");
  const picture = document.createElement("img");
  picture.alt = text;
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  const plotly = data["application/vnd.plotly.v1+json"];
  if (plotly === undefined) return picture;
  const element = document.createElement("figure");
  element.className = "plot";
  const area = document.createElement("div");
  area.className = "plot-area";
  area.setAttribute("role", "group");
  area.setAttribute("aria-label", text);
  area.append(picture);
  const spec = document.createElement("script");
  spec.type = "application/json";
  spec.textContent = JSON.stringify(plotly);
  element.append(area, spec);
  return element;
}

function stepsElement(record: StepRecord): HTMLElement {
  const element = document.createElement("div");
  element.className = "steps";
  const style = document.createElement("style");
  style.textContent = STEPS_STYLE;
  drawSteps(record, element as unknown as ViewElement, document as unknown as ViewDocument);
  element.prepend(style);
  return element;
}

function bundle(data: MimeBundle): HTMLElement {
  const steps = data[STEPS_MIME];
  if (steps !== undefined) return stepsElement(steps as StepRecord);
  const html = data["text/html"];
  if (typeof html === "string") return cleanTable(html);
  const svg = data["image/svg+xml"];
  if (typeof svg === "string") return figure(data, svg);
  return pre("result", String(data["text/plain"] ?? ""));
}

function shown(output: Output): HTMLElement {
  if (output.output_type === "stream") return pre(streamClass(output), output.text);
  if (output.output_type === "error") return pre("failure", output.traceback.join("\n"));
  return bundle(output.data);
}

export function outputElement(output: Output): HTMLElement {
  const element = document.createElement("div");
  element.className = "output";
  element.append(shown(output));
  return element;
}
