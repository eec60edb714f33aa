/** Node, a notebook and debuggers show an object by this text: a few lines instead of all that it holds. */

const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/**
 * `target`, an object or a class's prototype, now shown as `text` gives it. All else of it stays as it is, and copies
 * made by spreading are shown whole. `console.dir(value, { customInspect: false })` shows the original too.
 *
 * @example
 * console.log(summarized({ kernel: "sum", values: [1, 2, 3] }, ({ kernel }) => `launch of ${kernel}`)); // launch of sum
 */
export function summarized<T extends object>(target: T, text: (value: T) => string): T {
  function show(this: T): string {
    return text(this);
  }
  return Object.defineProperty(target, INSPECT, { value: show, enumerable: false });
}
