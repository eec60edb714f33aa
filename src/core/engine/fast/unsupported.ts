/** A program, or a launch of it, that the fast engine leaves to the reference engine. */
export class Unsupported extends Error {
  override readonly name: string = "Unsupported";
}
