/** Where the outputs of a cell go. */
import type { MimeBundle } from "./notebook.js";

/** The content of `display_data`; `transient.display_id` names an output that a later display updates. */
export interface DisplayPayload {
  readonly data: MimeBundle;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly transient: { readonly display_id?: string };
}

/** Where a cell's outputs go, in the order in which they arise. */
export interface CellSink {
  stream(name: "stdout" | "stderr", text: string): void;
  display(payload: DisplayPayload, update: boolean): void;
  /** The value of the cell's last expression. */
  result(data: MimeBundle): void;
}

/** Why a cell failed, in the form of Jupyter's error messages: the name, the value, and lines for a reader. */
export interface CellFailure {
  readonly ename: string;
  readonly evalue: string;
  readonly traceback: readonly string[];
}
