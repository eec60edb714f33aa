/**
 * The text of a function that is never run, such as a kernel. A bundler that rewrites functions keeps it here as its author
 * wrote it, so that names and lines are the author's.
 */
const texts = new WeakMap<object, string>();

/** @returns a function that stands for the text: it takes a kernel's place, and does nothing */
export function keptText(text: string): () => void {
  const body = (): void => {};
  texts.set(body, text);
  return body;
}

export function textOf(body: (...args: never[]) => unknown): string {
  return texts.get(body) ?? Function.prototype.toString.call(body);
}
