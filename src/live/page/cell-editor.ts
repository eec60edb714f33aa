/** What a cell needs of its editor, be it a plain text area or CodeMirror. */
export interface CellEditor {
  text: string;
  focus(): void;
  /** Marks lines, from 1, at which the cell has failed. */
  mark(lines: readonly number[]): void;
}

export interface EditorKeys {
  /** Ctrl-Enter. */
  run(): void;
  /** Shift-Enter. */
  runAndGoOn(): void;
  changed(): void;
}
