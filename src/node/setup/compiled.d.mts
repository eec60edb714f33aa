/** Hash of all that the compiler reads. */
export function sourcesHash(root: string): string;

/** Whether src/dist is what the sources give. */
export function isCompiled(root: string): boolean;

export function useCompiled(root: string): void;
export function compileSources(
  root: string,
  compile: (folder: string) => Promise<void>,
  onWait?: () => void,
): Promise<void>;
