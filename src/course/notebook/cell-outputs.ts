/** Collects what a cell puts out into the outputs of a notebook file, as Jupyter's own clients do. */
import type { CellFailure, CellSink, DisplayPayload } from "./cell-sink.js";
import type { MimeBundle, Output } from "./notebook.js";

/** The outputs of a notebook's cells while it runs; a display with a name can update one of an earlier cell. */
export class NotebookOutputs {
  readonly #cells = new Map<number, Output[]>();
  readonly #named = new Map<string, { readonly cell: number; readonly index: number }[]>();

  /** The outputs of the cell with this position in the notebook. */
  of(cell: number): readonly Output[] {
    return this.#cells.get(cell) ?? [];
  }

  addFailure(cell: number, failure: CellFailure): void {
    this.#add(cell, { output_type: "error", ...failure });
  }

  sink(cell: number, executionCount: number): CellSink {
    return {
      stream: (name, text) => this.#addText(cell, name, text),
      display: (payload, update) => (update ? this.#update(payload) : this.#display(cell, payload)),
      result: (data: MimeBundle) =>
        this.#add(cell, { output_type: "execute_result", execution_count: executionCount, data, metadata: {} }),
    };
  }

  /** A cell's outputs, to be changed. */
  #outputsOf(cell: number): Output[] {
    const outputs = this.#cells.get(cell) ?? [];
    this.#cells.set(cell, outputs);
    return outputs;
  }

  #add(cell: number, output: Output): number {
    return this.#outputsOf(cell).push(output) - 1;
  }

  /** Consecutive writes to one stream are one output. */
  #addText(cell: number, name: "stdout" | "stderr", text: string): void {
    const outputs = this.#outputsOf(cell);
    const last = outputs.at(-1);
    if (last?.output_type === "stream" && last.name === name) {
      outputs[outputs.length - 1] = { ...last, text: last.text + text };
    } else {
      this.#add(cell, { output_type: "stream", name, text });
    }
  }

  #display(cell: number, { data, metadata, transient }: DisplayPayload): void {
    const index = this.#add(cell, { output_type: "display_data", data, metadata });
    const name = transient.display_id;
    if (name !== undefined) this.#named.set(name, [...(this.#named.get(name) ?? []), { cell, index }]);
  }

  #update({ data, metadata, transient }: DisplayPayload): void {
    for (const { cell, index } of this.#named.get(transient.display_id ?? "") ?? []) {
      this.#outputsOf(cell)[index] = { output_type: "display_data", data, metadata };
    }
  }
}
