/** Lanes of a block wait for others, at a warp primitive, a barrier or in a loop: only the reference engine can go on. */
export class LanesElsewhere extends Error {
  constructor(readonly block: number) {
    super(`lanes of block ${block} wait for others`);
  }
}
