/** When asynchronous copies write page-locked memory: at once, unless somebody keeps them until the host has waited. */

type Keeper = (write: () => void) => void;

let keeper: Keeper | null = null;

/** Who keeps such writes now; it gets them with the values of the copy. null: they are done at once. */
export function hostWriteKeeper(): Keeper | null {
  return keeper;
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
