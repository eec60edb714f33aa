/** What a cell needs of its editor, be it a plain text area or CodeMirror. */
import type { TypedName } from "../../types/checker.js";

export interface CellEditor {
  text: string;
  focus(): void;
  /** Marks lines, from 1, at which the cell has failed. */
  mark(lines: readonly number[]): void;
  /** Underlines what the checker of types objects to. */
  underline(places: readonly { readonly from: number; readonly to: number }[]): void;
}

/** What is known of a cell's types; positions count characters of its text. */
export interface CellTypes {
  members(position: number): Promise<readonly TypedName[]>;
  typeAt(position: number): Promise<string | null>;
}

export interface EditorKeys {
  /** Ctrl-Enter. */
  run(): void;
  /** Shift-Enter. */
  runAndGoOn(): void;
  changed(): void;
  /** Null as long as nothing is known. */
  types(): CellTypes | null;
}
