/** A mark of all that a request could leave behind for the next one in its process: globals, prototypes, and listeners. */

const SHARED: readonly object[] = [
  globalThis,
  ...[Object, Function, Array, String, Number, Boolean, RegExp, Map, Set, WeakMap, Promise, Error, Int32Array].flatMap(
    (each) => [each, each.prototype],
  ),
  JSON,
  Math,
  Reflect,
];

/** Node makes some globals when they are first read: of these the name alone counts. */
const LAZY: ReadonlySet<string | symbol> = new Set(
  Reflect.ownKeys(globalThis).filter((key) => Object.getOwnPropertyDescriptor(globalThis, key)?.get !== undefined),
);

/** A property as text; a value by its kind, and a function also by its place among those seen. */
function propertyText(owner: object, key: string | symbol, seen: Map<unknown, number>): string {
  if (owner === globalThis && LAZY.has(key)) return String(key);
  const found = Object.getOwnPropertyDescriptor(owner, key);
  const parts = [found?.value, found?.get, found?.set].map((value: unknown) => {
    if (typeof value !== "function") return typeof value === "object" ? "object" : String(value);
    if (!seen.has(value)) seen.set(value, seen.size);
    return `f${seen.get(value)}`;
  });
  return `${String(key)} ${parts.join(" ")}`;
}

const seen = new Map<unknown, number>();

/** Another text where a name was added, removed or replaced, or a listener of the process stayed. */
export function realmMark(): string {
  const names = SHARED.map((owner) =>
    Reflect.ownKeys(owner)
      .filter((key) => key !== "lastIndex" && !(owner === RegExp && /^(\$|input|last|left|right)/.test(String(key))))
      .map((key) => propertyText(owner, key, seen))
      .join(";"),
  );
  const listeners = process.eventNames().map((name) => `${String(name)} ${process.listenerCount(name)}`);
  return [...names, ...listeners, process.cwd()].join("\n");
}
