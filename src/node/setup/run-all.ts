/** Works of which several go on at the same time. */

/** Begins the works in their order, `most` of them at a time; ends when all have ended. */
export async function runAll(works: readonly (() => Promise<void>)[], most: number): Promise<void> {
  const waiting = [...works];
  const lane = async (): Promise<void> => {
    for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) await work();
  };
  await Promise.all(Array.from({ length: most }, lane));
}
