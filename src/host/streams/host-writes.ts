/** When asynchronous copies write page-locked memory: at once, unless somebody keeps them until the host has waited. */

type Keeper = (write: () => void) => void;

let keeper: Keeper | null = null;

/** Does a copy's writes into page-locked memory, or leaves them to the keeper. Its activity has been noted just before. */
export function writeHost(write: () => void): void {
  if (keeper === null) write();
  else keeper(write);
}

/** Whether such writes may come later, so that the values have to be taken now. */
export function hostWritesWait(): boolean {
  return keeper !== null;
}

/** Gives all such writes to `next` until `stop`. */
export function keepHostWrites(next: Keeper): { readonly stop: () => void } {
  const before = keeper;
  keeper = next;
  return {
    stop: () => {
      keeper = before;
    },
  };
}
