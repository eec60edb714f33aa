/** The view of a recorded block, drawn into elements of a document that is no browser's. */
import { expect, test } from "vitest";
import { drawSteps, type ViewDocument, type ViewElement } from "../../../../src/core/show/output/step-viewer.js";
import type { RecordedStep, StepRecord } from "../../../../src/core/show/steps.js";

class Element implements ViewElement {
  textContent: string | null = "";
  className = "";
  value = "";
  disabled = false;
  readonly style = { setProperty: (): void => {} };
  readonly attributes = new Map<string, string>();
  readonly children: Element[] = [];
  readonly #listeners = new Map<string, () => void>();

  constructor(readonly name: string) {}

  append(...parts: readonly (ViewElement | string)[]): void {
    for (const part of parts) {
      if (typeof part === "string") this.textContent += part;
      else this.children.push(part as Element);
    }
  }

  replaceChildren(...parts: readonly (ViewElement | string)[]): void {
    this.children.length = 0;
    this.append(...parts);
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }

  addEventListener(event: string, listener: () => void): void {
    this.#listeners.set(event, listener);
  }

  tell(event: string): void {
    this.#listeners.get(event)?.();
  }

  all(wanted: (element: Element) => boolean): readonly Element[] {
    return [...(wanted(this) ? [this] : []), ...this.children.flatMap((child) => child.all(wanted))];
  }
}

const COUNT = 5000;
const ELEMENTS = 8;

/** Step i of two warps gives element i % 8, and the warp's variable, the value i. */
const written = Array.from({ length: COUNT }, (_, index): RecordedStep => {
  const warp = (index >> 2) & 1;
  return {
    warp,
    source: 0,
    line: 1 + (index % 3),
    active: 0xffffffff,
    live: 0xffffffff,
    elsewhere: [],
    variables: { i: new Array<string>(32).fill(String(index)) },
    shared: { sdata: [[index % ELEMENTS, String(index)]] },
    accesses: [],
  };
});

function drawn() {
  let reads = 0;
  const steps = new Proxy(written, {
    get(target, key, receiver) {
      if (typeof key === "string" && /^\d+$/.test(key)) reads++;
      return Reflect.get(target, key, receiver);
    },
  });
  const record: StepRecord = {
    kind: "steps",
    title: "counted",
    alt: "",
    warps: 2,
    sources: [[1, 2, 3].map((line) => [line, `line ${line}`] as const)],
    arrays: [{ name: "sdata", length: ELEMENTS }],
    steps,
    end: null,
  };
  const root = new Element("div");
  drawSteps(record, root, { createElement: (name) => new Element(name) } satisfies ViewDocument);
  const slider = root.all(({ className }) => className === "steps-slider")[0]!;
  const button = (label: string) => root.all(({ name, textContent }) => name === "button" && textContent === label)[0]!;
  return {
    go(to: number) {
      slider.value = String(to);
      slider.tell("input");
    },
    press: (label: string) => button(label).tell("click"),
    choose(value: string) {
      root.all(({ name }) => name === "select")[0]!.value = value;
    },
    at: () => Number(slider.value),
    values: () => root.all(({ className }) => className.startsWith("steps-value")).map((cell) => cell.textContent),
    words: () =>
      root.all(({ className }) => className.startsWith("steps-word")).map((cell) => cell.attributes.get("title")),
    /** Steps that `act` reads. */
    readsOf(act: () => void) {
      reads = 0;
      act();
      return reads;
    },
  };
}

/** The last step up to `at` that gives this element a value. */
const lastOf = (element: number, at: number): number => at - ((((at - element) % ELEMENTS) + ELEMENTS) % ELEMENTS);

test("has each step's values, however one comes to it", () => {
  const view = drawn();
  for (const at of [0, 4999, 4998, 63, 64, 65, 128, 127, 3000, 2, 4999, 2999, 0]) {
    view.go(at);
    expect(view.values()).toEqual(new Array(32).fill(String(at)));
    const words = Array.from({ length: ELEMENTS }, (_, element) => {
      const last = lastOf(element, at);
      return `sdata[${element}], bank ${element}: ${last < 0 ? "not written" : last}`;
    });
    expect(view.words()).toEqual(words);
  }
});

test("plays few steps again to go one step back or forward in a long record", () => {
  const view = drawn();
  view.go(COUNT - 1);
  expect(view.readsOf(() => view.press("Back"))).toBeLessThan(200);
  expect(view.readsOf(() => view.go(2500))).toBeLessThan(200);
  expect(view.readsOf(() => view.press("Forward"))).toBeLessThan(20);
});

test("goes to a line, and to where a value changes, forward and backward", () => {
  const view = drawn();
  view.choose("0:3");
  view.press("Forward to it");
  expect(view.at()).toBe(2);
  view.press("Forward to it");
  expect(view.at()).toBe(5);
  view.press("Back to it");
  expect(view.at()).toBe(2);
  view.choose("i");
  view.press("Forward to it");
  expect(view.at()).toBe(3);
});
