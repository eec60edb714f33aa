/**
 * The view of a recorded block: the text with each warp's line, the lanes, variables, shared memory by banks, and requests.
 * `drawSteps` runs where the reader is: on a page, or in a notebook's output, which carries its text. So it refers to nothing outside
 * of itself.
 */
import type { RecordedStep, StepRecord } from "../steps.js";

/** What the view takes of a browser's elements. */
export interface ViewElement {
  textContent: string | null;
  className: string;
  value: string;
  disabled: boolean;
  readonly style: { setProperty(name: string, value: string): void };
  append(...parts: readonly (ViewElement | string)[]): void;
  replaceChildren(...parts: readonly (ViewElement | string)[]): void;
  setAttribute(name: string, value: string): void;
  addEventListener(event: string, listener: () => void): void;
}

export interface ViewDocument {
  createElement(name: string): ViewElement;
}

/** Draws the record into `root`. Buttons, the slider and its keys step; the sentence above the text says each step in words. */
export function drawSteps(record: StepRecord, root: ViewElement, document: ViewDocument): void {
  const { steps, sources, arrays } = record;
  const BANKS = 32;
  const make = (name: string, className: string, ...parts: readonly (ViewElement | string)[]): ViewElement => {
    const element = document.createElement(name);
    element.className = className;
    element.append(...parts);
    return element;
  };
  const has = (mask: number, lane: number): boolean => ((mask >>> lane) & 1) === 1;
  const countOf = (mask: number): number => {
    let count = 0;
    for (let lane = 0; lane < 32; lane++) if (has(mask, lane)) count++;
    return count;
  };

  /** What is behind a step: each warp's variables, shared arrays (an element without text is not written), each warp's last step. */
  interface Played {
    at: number;
    readonly variables: Map<string, readonly string[]>[];
    readonly arrays: Map<string, string[]>;
    readonly last: (number | undefined)[];
  }
  const STEPS_BETWEEN = 64;
  const begin: Played = {
    at: -1,
    variables: Array.from({ length: record.warps }, () => new Map()),
    arrays: new Map(arrays.map(({ name, length }) => [name, new Array<string>(length).fill("")])),
    last: [],
  };
  const copied = ({ at: of, variables: some, arrays: all, last }: Played): Played => ({
    at: of,
    variables: some.map((each) => new Map(each)),
    arrays: new Map([...all].map(([name, values]) => [name, values.slice()])),
    last: last.slice(),
  });
  // A view goes back by the copy before, and never plays more than this many steps twice.
  const checkpoints: Played[] = [copied(begin)];
  let played = begin;
  const playTo = (to: number): Played => {
    const nearest = checkpoints[Math.min(checkpoints.length - 1, Math.floor((to + 1) / STEPS_BETWEEN))]!;
    if (played.at > to || played.at < nearest.at) played = copied(nearest);
    while (played.at < to) {
      const step = steps[++played.at]!;
      const own = played.variables[step.warp]!;
      for (const name of Object.keys(step.variables)) own.set(name, step.variables[name]!);
      for (const name of Object.keys(step.shared)) {
        const values = played.arrays.get(name)!;
        for (const [element, value] of step.shared[name]!) values[element] = value;
      }
      played.last[step.warp] = played.at;
      if ((played.at + 1) % STEPS_BETWEEN === 0 && (played.at + 1) / STEPS_BETWEEN === checkpoints.length) {
        checkpoints.push(copied(played));
      }
    }
    return played;
  };
  const firstOf: (number | undefined)[] = [];
  for (const [index, { warp }] of steps.entries()) firstOf[warp] ??= index;

  const requestText = ({ kind, space, array, elements, cost }: RecordedStep["accesses"][number]): string => {
    const touched = elements.filter((element) => element !== null);
    const unit = space === "shared" ? "wavefront" : "sector";
    const of =
      array === ""
        ? `${space} memory`
        : `${array}[${touched.slice(0, 4).join(", ")}${touched.length > 4 ? ", ..." : ""}]`;
    return `${kind} of ${of} by ${touched.length} lanes: ${cost} ${unit}${cost === 1 ? "" : "s"}`;
  };

  const slider = make("input", "steps-slider");
  slider.setAttribute("type", "range");
  slider.setAttribute("min", "0");
  slider.setAttribute("max", String(steps.length - 1));
  slider.setAttribute("aria-label", "Step");
  slider.value = "0";
  const sentence = make("p", "steps-sentence");
  sentence.setAttribute("aria-live", "polite");
  const text = make("ol", "steps-text");
  text.setAttribute("tabindex", "0");
  text.setAttribute("aria-label", "The kernel's text");
  const lanes = make("div", "steps-lanes");
  const requests = make("p", "steps-requests");
  const variables = make("div", "steps-variables");
  const shared = make("div", "steps-shared");
  let at = 0;

  const drawText = (step: RecordedStep): void => {
    // Where each warp stands: its last step so far, or its first one to come.
    const standing = new Map<string, number[]>();
    for (let warp = 0; warp < record.warps; warp++) {
      const last = played.last[warp] ?? firstOf[warp];
      if (last === undefined) continue;
      const key = `${steps[last]!.source}:${steps[last]!.line}`;
      standing.set(key, [...(standing.get(key) ?? []), warp]);
    }
    const rows = (sources[step.source] ?? []).map(([line, code]) => {
      const here = step.line === line;
      const split = step.elsewhere.some((each) => each.line === line);
      const row = make("li", here ? "steps-here" : split ? "steps-split" : "", code === "" ? " " : code);
      row.addEventListener("click", () => go(nextOf((each) => each.source === step.source && each.line === line)));
      row.setAttribute("value", String(line));
      if (here) row.setAttribute("aria-current", "step");
      const warps = standing.get(`${step.source}:${line}`) ?? [];
      if (record.warps > 1 && warps.length > 0) {
        const names = warps.length > 4 ? `${warps.length} warps` : warps.map((warp) => `w${warp}`).join(" ");
        row.append(make("span", "steps-warps", names));
      }
      return row;
    });
    text.replaceChildren(...rows);
  };

  const stateOf = (step: RecordedStep, lane: number): string => {
    if (!has(step.live, lane)) return "ended";
    if (has(step.active, lane)) return "active";
    const other = step.elsewhere.find(({ mask }) => has(mask, lane));
    return other === undefined ? "masked" : other.waits === "no" ? "elsewhere" : "waiting";
  };

  const drawLanes = (step: RecordedStep): void => {
    const cells = Array.from({ length: 32 }, (_, lane) => {
      const state = stateOf(step, lane);
      const cell = make("span", `steps-cell steps-${state}`, String(lane));
      cell.setAttribute("title", `lane ${lane}: ${state}`);
      return cell;
    });
    lanes.replaceChildren(...cells);
    lanes.setAttribute("role", "group");
    lanes.setAttribute("aria-label", "Lanes 0 to 31");
  };

  const drawVariables = (step: RecordedStep): void => {
    const rows = [...played.variables[step.warp]!].flatMap(([name, values]) => {
      const changed = step.variables[name] !== undefined;
      const grid = make("div", "steps-grid");
      grid.append(
        ...values.map((value, lane) => {
          const cell = make("span", `steps-value${changed && has(step.active, lane) ? " steps-changed" : ""}`, value);
          cell.setAttribute("title", `${name} in lane ${lane}: ${value === "" ? "not written" : value}`);
          return cell;
        }),
      );
      grid.setAttribute("role", "group");
      grid.setAttribute("aria-label", `${name} in lanes 0 to 31`);
      return [make("p", "steps-name", changed ? `${name} (changed)` : name), grid];
    });
    variables.replaceChildren(...rows);
  };

  const drawShared = (step: RecordedStep): void => {
    const parts = arrays.flatMap(({ name }) => {
      const values = played.arrays.get(name)!;
      const touched = new Set<number>();
      for (const access of step.accesses) {
        if (access.space === "shared" && access.array === name) {
          for (const element of access.elements) if (element !== null) touched.add(element);
        }
      }
      const written = new Set((step.shared[name] ?? []).map(([element]) => element));
      const grid = make("div", "steps-banks");
      grid.append(
        ...values.map((value, element) => {
          const how = written.has(element)
            ? "written"
            : touched.has(element)
              ? "read"
              : value === ""
                ? "unwritten"
                : "kept";
          const cell = make("span", `steps-word steps-${how}`);
          cell.setAttribute(
            "title",
            `${name}[${element}], bank ${element % BANKS}: ${value === "" ? "not written" : value}`,
          );
          return cell;
        }),
      );
      const known = values.filter((value) => value !== "").length;
      const now = [...written].slice(0, 8).map((element) => `element ${element} is ${values[element]}`);
      grid.setAttribute("role", "img");
      grid.setAttribute(
        "aria-label",
        `${name}: ${known} of ${values.length} elements are written${now.length === 0 ? "" : `; this step: ${now.join(", ")}${written.size > 8 ? " ..." : ""}`}`,
      );
      return [make("p", "steps-name", `${name}: a column is a bank`), grid];
    });
    shared.replaceChildren(...parts);
  };

  const draw = (): void => {
    const step = steps[at]!;
    playTo(at);
    const active = countOf(step.active);
    const split = step.elsewhere.filter(({ waits }) => waits === "no").map(({ line }) => `line ${line}`);
    sentence.textContent = `Step ${at + 1} of ${steps.length}: warp ${step.warp}, line ${step.line}, ${active} of ${countOf(step.live)} lanes active${split.length > 0 ? `; the warp is divided, others are at ${split.join(" and ")}` : ""}.${at === steps.length - 1 && record.end !== null ? ` ${record.end}` : ""}`;
    requests.textContent = step.accesses.map(requestText).join("; ");
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", sentence.textContent);
    drawText(step);
    drawLanes(step);
    drawVariables(step);
    drawShared(step);
  };
  const go = (to: number): void => {
    at = Math.max(0, Math.min(steps.length - 1, to));
    draw();
  };
  slider.addEventListener("input", () => go(Number(slider.value)));

  const button = (label: string, to: () => number): ViewElement => {
    const element = make("button", "steps-button", label);
    element.setAttribute("type", "button");
    element.addEventListener("click", () => go(to()));
    return element;
  };
  const search = (forward: boolean, wanted: (step: RecordedStep) => boolean): number => {
    for (let index = at + (forward ? 1 : -1); index >= 0 && index < steps.length; index += forward ? 1 : -1) {
      if (wanted(steps[index]!)) return index;
    }
    return at;
  };
  /** The next step of this kind, or the first one where none comes. */
  const nextOf = (wanted: (step: RecordedStep) => boolean): number => {
    const next = search(true, wanted);
    if (next !== at) return next;
    const first = steps.findIndex(wanted);
    return first < 0 ? at : first;
  };
  const sameWarp = (step: RecordedStep): boolean => step.warp === steps[at]!.warp;
  const chosen = make("select", "steps-choice");
  chosen.setAttribute("aria-label", "Line, or variable or array that changes");
  const names = new Set<string>();
  const lines = new Set<string>();
  for (const step of steps) {
    for (const name of [...Object.keys(step.variables), ...Object.keys(step.shared)]) names.add(name);
    lines.add(`${step.source}:${step.line}`);
  }
  const choice = (value: string, words: string): void => {
    const option = make("option", "", words);
    option.value = value;
    chosen.append(option);
  };
  for (const name of names) choice(name, `${name} changes`);
  for (const [source, written] of sources.entries()) {
    for (const [line] of written) if (lines.has(`${source}:${line}`)) choice(`${source}:${line}`, `line ${line}`);
  }
  const isChosen = (step: RecordedStep): boolean =>
    step.variables[chosen.value] !== undefined ||
    step.shared[chosen.value] !== undefined ||
    `${step.source}:${step.line}` === chosen.value;
  const controls = make(
    "div",
    "steps-controls",
    button("First", () => 0),
    button("Back", () => at - 1),
    button("Forward", () => at + 1),
    button("Last", () => steps.length - 1),
    ...(record.warps > 1
      ? [
          button("Same warp back", () => search(false, sameWarp)),
          button("Same warp forward", () => search(true, sameWarp)),
        ]
      : []),
    chosen,
    button("Back to it", () => search(false, isChosen)),
    button("Forward to it", () => search(true, isChosen)),
  );
  const legend = make("p", "steps-legend");
  for (const [state, words] of [
    ["active", "active"],
    ["masked", "masked"],
    ["elsewhere", "at another line"],
    ["waiting", "waiting"],
    ["ended", "ended"],
  ] as const) {
    legend.append(make("span", `steps-key steps-${state}`), `${words} `);
  }
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", record.title);
  root.append(
    make("p", "steps-title", record.title),
    controls,
    slider,
    sentence,
    make(
      "div",
      "steps-sides",
      make("div", "steps-side", text),
      make("div", "steps-side", make("p", "steps-name", "Lanes"), lanes, legend, requests, variables, shared),
    ),
  );
  draw();
}

/** The view's look: it reads on a light and a dark page, and at a phone's width. */
export const STEPS_STYLE: string = `.steps{font:14px/1.45 system-ui,sans-serif;max-width:70rem;--line:#8886;--on:#0072b2;--soft:#0072b226;--wait:#d55e00}
.steps-title{margin:.2em 0 .5em;font-weight:600}.steps-name{margin:.7em 0 .2em;font-size:.9em;font-weight:600}
.steps-controls{display:flex;flex-wrap:wrap;gap:.3em}.steps-button,.steps-choice{font:inherit;padding:.25em .6em}
.steps-slider{width:100%;box-sizing:border-box;margin:.5em 0}.steps-sentence{margin:.2em 0 .6em;min-height:1.45em}
.steps-sides{display:flex;flex-wrap:wrap;gap:1em}.steps-side{flex:1 1 20rem;min-width:0}
.steps-text{margin:0;padding:.4em 0 .4em 3.2em;border:1px solid var(--line);border-radius:4px;overflow-x:auto;font:12px/1.5 ui-monospace,monospace;white-space:pre}
.steps-text li{margin:0}.steps-here{background:var(--soft);outline:1px solid var(--on)}.steps-split{background:#d55e0026}
.steps-warps{float:right;margin:0 .5em;padding:0 .4em;border-radius:3px;background:var(--on);color:#fff}
.steps-lanes,.steps-grid{display:grid;grid-template-columns:repeat(8,minmax(0,1fr));gap:2px}
.steps-cell,.steps-value{border:1px solid var(--line);border-radius:3px;text-align:center;font:11px/1.7 ui-monospace,monospace;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;min-height:1.7em}
.steps-key{display:inline-block;width:1em;height:1em;border:1px solid var(--line);border-radius:3px;margin:0 .3em;vertical-align:-.15em}
.steps-active{background:var(--on);color:#fff}.steps-masked{background:none}.steps-elsewhere{background:#d55e0033;border-color:var(--wait)}
.steps-waiting{border:1px dashed var(--wait)}.steps-ended{opacity:.35;text-decoration:line-through}
.steps-changed{background:var(--soft);border-color:var(--on);font-weight:600}
.steps-legend,.steps-requests{margin:.3em 0;font-size:.85em}.steps-requests{min-height:1.3em}
.steps-banks{display:grid;grid-template-columns:repeat(32,minmax(0,1fr));gap:1px}
.steps-word{height:.8em;border:1px solid var(--line)}.steps-kept{background:#8884}.steps-written{background:var(--on)}.steps-read{background:#e69f00}
@media (min-width:900px){.steps-lanes,.steps-grid{grid-template-columns:repeat(16,minmax(0,1fr))}}`;

/** HTML that a notebook shows by itself, with the record and the view in it. */
export function stepsHtml(record: StepRecord): string {
  const data = JSON.stringify(record).replaceAll("<", "\\u003c");
  return `<style>${STEPS_STYLE}</style><div class="steps"></div><script>(${drawSteps.toString()})(${data}, document.currentScript.previousElementSibling, document);</script>`;
}
