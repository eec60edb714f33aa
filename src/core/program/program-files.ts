/** The files that a program may use: paths relative to its folder, with `/`. */

export interface FileFacts {
  readonly kind: "file" | "folder";
  readonly bytes: number;
}

export interface ProgramFiles {
  /** null where there is no such file, or where it may not be seen. */
  facts(path: string): FileFacts | null;
  read(path: string): Uint8Array | null;
  /** Names in a folder. */
  list(path: string): readonly string[];
  /** false where the program may not write there. */
  write(path: string, content: Uint8Array): boolean;
  remove(path: string): boolean;
}
