/** One complaint of tslab's compiler; lines and characters are 0-based. */
export interface CellDiagnostic {
  readonly code: number;
  readonly start: { readonly line: number; readonly character: number; readonly offset: number };
  readonly end: { readonly line: number; readonly character: number; readonly offset: number };
  readonly messageText: string;
  /** Set when the complaint is about a file that the cell imports. */
  readonly fileName?: string;
}
