/** KeyNumbers against the insertion order of a Map. */
import { expect, it } from "vitest";
import { KeyNumbers, withRoom } from "../../../../src/core/timing/base/key-numbers.js";

it("numbers keys in the order of their coming, however many, and of whatever size", () => {
  const numbers = new KeyNumbers();
  const map = new Map<number, number>();
  let state = 1;
  for (let i = 0; i < 5000; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    // Half of the keys are repeated; instances of a block differ from bit 28 on.
    const key = (state >>> 21) + (i % 3) * 2 ** 28 + (i % 7) * 2 ** 34;
    if (!map.has(key)) map.set(key, map.size);
    expect(numbers.of(key)).toBe(map.get(key));
  }
  expect(numbers.count).toBe(map.size);
  for (const [key, number] of map) expect(numbers.of(key)).toBe(number);
  expect(numbers.known(2 ** 40)).toBe(-1);
  expect(numbers.count).toBe(map.size);
});

it("lengthens what is known of them without a change to the rest", () => {
  const values = withRoom(Float64Array.of(3, 4), 5, -1);
  expect([...values]).toEqual([3, 4, -1, -1, -1, -1]);
  expect(withRoom(values, 5, -1)).toBe(values);
});
