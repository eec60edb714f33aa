/** A notebook's committed outputs beside those of a new run: what a reader would find changed. */
import type { Cell, Notebook, Output } from "../../course/notebook/notebook.js";

/** Pictures are drawn from the figure beside them, and another platform may differ in a pixel. */
const NOT_COMPARED = new Set(["image/png", "image/svg+xml"]);

/** An exercise's check draws anew each time, and says by which seed. */
function normalText(text: string): string {
  return text.replace(/\bseed: \d+/g, "seed: N");
}

function normalValue(value: unknown): unknown {
  if (typeof value === "string") return normalText(value);
  if (Array.isArray(value)) return value.map(normalValue);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, normalValue(each)]));
}

function normalOutput(output: Output): unknown {
  if (!("data" in output)) return normalValue(output);
  const data = Object.entries(output.data).filter(([mime]) => !NOT_COMPARED.has(mime));
  return normalValue({ ...output, data: Object.fromEntries(data) });
}

const textOf = (output: Output): string => {
  if (output.output_type === "stream") return output.text;
  if (output.output_type === "error") return `${output.ename}: ${output.evalue}`;
  return String(output.data["text/plain"] ?? Object.keys(output.data).join(", "));
};

/** The first line in which two texts differ. */
function firstChange(kept: string, now: string): string {
  const [before, after] = [normalText(kept).split("\n"), normalText(now).split("\n")];
  const at = before.findIndex((line, index) => line !== after[index]);
  if (at < 0 && before.length === after.length) return "a part of a figure or table";
  const line = at < 0 ? before.length : at;
  return `"${before[line] ?? ""}" is now "${after[line] ?? ""}"`;
}

function cellChange(kept: Cell, now: Cell): string | null {
  if (kept.cell_type !== "code" || now.cell_type !== "code") return null;
  if (now.execution_count === null && now.source.trim() !== "") return "was not run";
  if (kept.execution_count === null) return "has no outputs of a run";
  if (kept.outputs.length !== now.outputs.length) {
    return `puts out ${now.outputs.length} things instead of ${kept.outputs.length}`;
  }
  for (const [index, output] of kept.outputs.entries()) {
    const other = now.outputs[index];
    if (other === undefined || JSON.stringify(normalOutput(output)) === JSON.stringify(normalOutput(other))) continue;
    return `output ${index + 1}: ${firstChange(textOf(output), textOf(other))}`;
  }
  return null;
}

/**
 * @param kept the notebook as it is committed
 * @param now the same after a run
 * @returns a line for each cell whose outputs differ; none where a reader would see the same
 */
export function changedOutputs(kept: Notebook, now: Notebook): readonly string[] {
  return kept.cells.flatMap((cell, index) => {
    const other = now.cells[index];
    const change = other === undefined || cell.source.trim() === "" ? null : cellChange(cell, other);
    return change === null ? [] : [`cell ${index + 1} (${cell.id ?? "without id"}): ${change}`];
  });
}

/** A cell that writes to stderr warns of something; a page has no such output. */
export function warnings(notebook: Notebook): readonly string[] {
  return notebook.cells.flatMap((cell, index) => {
    if (cell.cell_type !== "code") return [];
    const texts = cell.outputs.flatMap((output) =>
      output.output_type === "stream" && output.name === "stderr" ? [output.text.trim()] : [],
    );
    return texts.map((text) => `cell ${index + 1} writes to stderr: ${text.split("\n")[0]}`);
  });
}
