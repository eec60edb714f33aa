/** Every third of a list of answers. ANSWERS=all in the environment grades them all, as .ci/run does. */
export function oneInThree<T>(answers: readonly T[]): readonly T[] {
  return process.env.ANSWERS === "all" ? answers : answers.filter((_, index) => index % 3 === 0);
}
