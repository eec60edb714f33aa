/** A wrong sum as a lead: which block, how much is missing, and how to watch it. */
import { CudaKernel } from "../../core/frontend/cuda-cpp-kernel.js";
import type { Kernel } from "../../core/frontend/index.js";
import { counted } from "./source-line.js";
import { blockElements } from "./spec.js";
import type { PreparedTrial, WrongSum } from "./trial.js";

const KIND = {
  zeros: ", all zero,",
  negative: ", all negative,",
  words: ", some of them the text's own numbers,",
} as const;

/** Where in the tried launches something was found. */
export function trialPlace({ spec, gpu, tried, data, schedule }: PreparedTrial): string {
  const device = spec.devices[0]?.includes(gpu.device.id) === true ? "" : ` on ${gpu.device.name}`;
  const order = schedule === undefined ? "" : `, under the schedule of seed ${schedule}`;
  const kind = tried.data === undefined ? "" : KIND[typeof tried.data === "string" ? tried.data : "words"];
  const blocks = tried.grid === undefined ? "blocks" : counted(tried.grid, "block");
  return `With ${counted(data.length, "element")}${kind} and ${blocks} of ${counted(tried.block, "thread")}${device}${order}`;
}

export function wrongSentence(trial: PreparedTrial, wrong: WrongSum): string {
  const { block, index, elements, found, expected, before } = wrong;
  const place = trialPlace(trial);
  const { sums, bins } = trial.spec;
  const whose = index === null ? "the outputs' total" : `output[${index}]`;
  const zeros = trial.spec.outputBegins === "zeros";
  const still = zeros && found === 0 ? `; ${whose} is still 0, as before the launch` : "";
  if (found === before && !zeros) return `${place}: ${whose} is never written.`;
  if (((found - before) | 0) === expected) {
    return `${place}: the sum is added onto what ${whose} held; output begins as anything and is to be set.`;
  }
  if (sums === "histogram") {
    return `${place}: ${whose} is ${found}; the elements that are ${index} modulo ${bins} number ${expected}.`;
  }
  if (sums === "scan") {
    return `${place}: ${whose} is ${found}; the first ${counted(elements, "element")} of block ${block} add up to ${expected}.`;
  }
  const who = block === null ? "the grid" : `block ${block}`;
  if (trial.ones === true) {
    const counts = found >= 0 && found < elements;
    return counts
      ? `${place}: ${who} sums ${found} of its ${counted(elements, "one")}${still}.`
      : `${place}: ${who} gives ${found} for the sum of its ${elements} ones.`;
  }
  const ones = "of ones the sum is right";
  return `${place}: ${whose} is ${found}, a plain sum of ${who}'s ${counted(elements, "element")} gives ${expected}; ${ones}.`;
}

/** The begin of a recipe in a file of TypeScript, for an answer that stands in a .cu file. */
function loaded(kernel: Kernel): string {
  if (!CudaKernel.is(kernel)) return "";
  const { where } = kernel.ir.source;
  if (where?.endsWith(".cu") !== true) return "";
  return `import { loadCuda } from "warplab"; const { answer } = loadCuda(${JSON.stringify(where)}); `;
}

const isName = (text: string): boolean => /^[A-Za-z_$][\w$]*$/.test(text);

/** A stepper's variables of the first lanes, beside each line. */
const STEP =
  'do { console.log("warp", look.position?.warp, look.sourceLine, ...look.registers().map((each) => each.name + " " + each.values.slice(0, 4))); } while (look.stepLine());';

/** Makes the launch's values of random ints, as inputOf does. */
function mapping(data: PreparedTrial["tried"]["data"]): string {
  if (data === undefined || data === "zeros") return "";
  if (data === "negative") return ".map((value) => value | 0x80000000)";
  return `.map((value) => [${data.join(", ")}][(value >>> 0) % ${data.length}] ?? 0)`;
}

/** Prints the first outputs that are wrong, beside the right ones. */
function comparison({ spec, config }: PreparedTrial): string {
  const { bins } = spec;
  const right =
    bins === null
      ? `const right = []; data.forEach((value, i) => right.push(i % ${blockElements(spec, config.block)} === 0 ? value : (right[i - 1] + value) | 0));`
      : `const right = new Array(${bins}).fill(0); for (const value of data) right[value & ${bins - 1}] += 1;`;
  return `${right} const found = [...output.read()]; found.flatMap((value, i) => (value === right[i] ? [] : [i])).slice(0, 8).forEach((i) => console.log("output[" + i + "]", found[i], "right is", right[i]));`;
}

/**
 * TypeScript to paste behind the answer, in a file or a cell. It steps through the wrong block, each line with the variables' values, and
 * prints the sum beside the right one. A schedule, and a sum of several blocks, are repeated as a launch.
 */
export function howToLook(trial: PreparedTrial, block: number): string {
  const { spec, gpu, kernel, config, data, before, ones, tried, grid, schedule } = trial;
  const name = isName(kernel.name) ? kernel.name : "answer";
  const constants = [
    ...(spec.blockConstant === null ? [] : [`${spec.blockConstant}: ${config.block}`]),
    ...(spec.gridConstant === null ? [] : [`${spec.gridConstant}: ${grid}`]),
  ];
  const isInstance = constants.length > 0 || (CudaKernel.is(kernel) && !isName(kernel.name));
  const instance = isInstance ? `${name}.with({ ${constants.join(", ")} })` : name;
  const count = data.length;
  const random = tried.data === "zeros" ? `new Int32Array(${count})` : `randomInts(${count}, ${tried.dataSeed})`;
  const drawn = `${random}${mapping(tried.data)}`;
  const input = ones === true ? `new Int32Array(${count}).fill(1)` : drawn;
  const shared = config.sharedBytes ?? 0;
  const size = `grid: ${grid}, block: ${config.block}, sharedBytes: ${shared}`;
  const begin = `${loaded(kernel)}{ const { Gpu, randomInts } = await import("warplab"); const lab = new Gpu("${gpu.device.id}", { warpStepLimit: ${gpu.options.warpStepLimit} }); const data = ${input}; const output = lab.upload(new Int32Array(${before.length}));`;
  const args = `{ input: lab.upload(data), output${spec.guarded ? `, n: ${count}` : ""} }`;
  const sum = (values: string): string => `${values}.reduce((sum, value) => (sum + value) | 0, 0)`;
  const whole = blockElements(spec, config.block);
  const part = spec.sums === "block" ? `.slice(${block * whole}, ${(block + 1) * whole})` : "";
  const right = sum(`data${part}`);
  if (spec.sums === "block" && schedule === undefined) {
    return `${begin} const look = lab.step(${instance}, { ${size} }, ${args}, { block: ${block} }); ${STEP} console.log("output[${block}]", output.read()[${block}], "right is", ${right}); }`;
  }
  const order = schedule === undefined ? "" : `, schedule: { seed: ${schedule} }`;
  if (spec.sums === "scan" || spec.sums === "histogram") {
    return `${begin} lab.launch(${instance}, { ${size}${order} }, ${args}); ${comparison(trial)} }`;
  }
  const found =
    spec.sums === "first"
      ? "output.read()[0]"
      : spec.sums === "total"
        ? sum("output.read()")
        : `output.read()[${block}]`;
  return `${begin} lab.launch(${instance}, { ${size}${order} }, ${args}); console.log("output", output.read(), "sum", ${found}, "right is", ${right}); }`;
}
