/**
 * Random kernels on memory of 8 and 16 bits, and the same text as a program of the host. Each thread has places of its own, so that
 * any order of threads gives the same memory.
 */
import { Choices } from "../../../random/prng.js";

export const GRID = 3;
export const BLOCK = 64;
const THREADS = GRID * BLOCK;
/** Elements of each array that a thread has. */
const OWN = 4;
export const LENGTH: number = THREADS * OWN;

/** The arrays in global memory by name, with their types. */
export const arrays: Readonly<Record<string, string>> = {
  a: "signed char",
  b: "unsigned char",
  c: "short",
  d: "unsigned short",
  e: "bool",
  f: "int",
};

const PRELUDE = "struct Part { char x; short y; unsigned char z[3]; bool w; };\n";
const CASTS = ["(signed char)", "(unsigned char)", "(short)", "(unsigned short)", "(bool)", "(unsigned)"];
const OPERATORS = ["+", "-", "*", "&", "|", "^", "<", ">=", "==", "!="];
const ASSIGNMENTS = ["=", "=", "=", "+=", "-=", "^=", "*=", "|="];

class Writer {
  /** How each array's elements are shared out among the threads. */
  readonly #layouts = new Map<string, string>();

  constructor(private readonly choices: Choices) {
    for (const name of [...Object.keys(arrays), "s", "h"]) {
      const [thread, threads] = name === "s" || name === "h" ? ["lane", BLOCK] : ["t", THREADS];
      const layouts = [
        `${OWN} * ${thread} + K`,
        `${thread} + ${threads} * K`,
        `(${thread} * 37) % ${threads} * ${OWN} + K`,
      ];
      this.#layouts.set(name, choices.pick(layouts));
    }
  }

  place(): string {
    const { choices } = this;
    const name = choices.pick([...Object.keys(arrays), "s", "h", "l", "m", "q", "p", "g"]);
    const k = choices.below(OWN);
    switch (name) {
      case "l":
        return choices.chance(0.5) ? `l[${k}]` : `l[(${this.value(1)}) & 7]`;
      case "m":
        return `m[${k}]`;
      case "q":
        return `q[${choices.chance(0.5) ? k : `(${this.value(1)}) & 3`}]`;
      case "p":
      case "g":
        return `${name === "p" ? "p" : "g[t]"}.${choices.pick(["x", "y", `z[${k % 3}]`, "w"])}`;
      default:
        return `${name}[${this.#layouts.get(name)!.replace("K", String(k))}]`;
    }
  }

  value(depth: number): string {
    const { choices } = this;
    if (depth <= 0 || choices.chance(0.2)) {
      return choices.chance(0.7) && depth >= 0 ? this.place() : String(choices.between(-300, 70_000));
    }
    switch (choices.below(6)) {
      case 0:
        return `${choices.pick(CASTS)}(${this.value(depth - 1)})`;
      case 1:
        return `((${this.value(depth - 1)}) ${choices.pick(["<<", ">>"])} ${choices.below(12)})`;
      case 2:
        return `(${choices.pick(["~", "-", "!"])}(${this.value(depth - 1)}))`;
      case 3:
        return `((${this.value(depth - 2)}) ? (${this.value(depth - 1)}) : (${this.value(depth - 1)}))`;
      default:
        return `((${this.value(depth - 1)}) ${choices.pick(OPERATORS)} (${this.value(depth - 1)}))`;
    }
  }

  statement(depth: number): string {
    const { choices } = this;
    if (depth > 0 && choices.chance(0.2)) {
      return `if ((${this.value(2)}) & ${choices.pick([1, 2, 4])}) { ${this.statements(depth - 1, 2)} }`;
    }
    if (depth > 0 && choices.chance(0.2)) {
      return `for (int i${depth} = 0; i${depth} < ${choices.between(2, 5)}; i${depth}++) { ${this.statements(depth - 1, 2)} }`;
    }
    const place = this.place();
    if (choices.chance(0.1) && !/^e|^q|\.w$/.test(place)) return `${place}++;`;
    return `${place} ${choices.pick(ASSIGNMENTS)} ${this.value(3)};`;
  }

  statements(depth: number, count: number): string {
    return Array.from({ length: count }, () => this.statement(depth)).join(" ");
  }

  body(): string {
    const { choices } = this;
    const guard = choices.chance(0.5) ? "" : `if (t % 3 == ${choices.below(3)}) return;`;
    return `${guard}
  signed char l[8] = {1, -2, 3, -4, 5, -6, 7, -8}; short m[4] = {300, -300, 2}; bool q[4] = {true}; Part p = {1, -2, {3, 4, 5}, true};
  for (int k = 0; k < ${OWN}; k++) { s[${this.#layouts.get("s")!.replace("K", "k")}] = k * 77 - 99; h[${this.#layouts.get("h")!.replace("K", "k")}] = t - k; }
  ${this.statements(2, choices.between(4, 9))}
  for (int k = 0; k < 8; k++) f[${this.#layouts.get("f")!.replace("K", "(k & 3)")}] += l[k] * (k + 1) + m[k & 3] - q[k & 3] + s[${this.#layouts.get("s")!.replace("K", "(k & 3)")}] + h[${this.#layouts.get("h")!.replace("K", "(k & 3)")}];
  f[${this.#layouts.get("f")!.replace("K", "0")}] += p.x + p.y * 3 + p.z[0] * 5 + p.z[1] * 7 + p.z[2] * 11 + p.w;`;
  }
}

const parameters = [...Object.entries(arrays).map(([name, type]) => `${type}* ${name}`), "Part* g"].join(", ");

export const bodyOf = (seed: number): string => new Writer(new Choices(seed)).body();

/** Kernels k0, k1 ... of one text. */
export function deviceText(bodies: readonly string[]): string {
  const kernels = bodies.map(
    (body, index) => `__global__ void k${index}(${parameters}) {
  __shared__ signed char s[${BLOCK * OWN}]; __shared__ unsigned short h[${BLOCK * OWN}];
  int lane = threadIdx.x, t = blockIdx.x * ${BLOCK} + lane;
  ${body}
}`,
  );
  return `${PRELUDE}${kernels.join("\n")}\n`;
}

/** A program that reads the arrays from the standard input for each kernel, one after the other, and writes them as it leaves them. */
export function hostText(bodies: readonly string[]): string {
  const functions = bodies.map(
    (body, index) =>
      `static void k${index}(${parameters}, int t, int lane, signed char* s, unsigned short* h) {\n${body}\n}`,
  );
  const names = Object.keys(arrays);
  const declared = names.map((name) => `static ${arrays[name]} ${name}[${LENGTH}];`).join(" ");
  const all = [...names, "g"];
  const runs = bodies.map(
    (_, index) => `
  for (auto& r : regions) if (fread(r.at, 1, r.bytes, stdin) != r.bytes) return 1;
  for (int t = 0; t < ${THREADS}; t++) k${index}(${all.join(", ")}, t, t % ${BLOCK}, s, h);
  for (auto& r : regions) fwrite(r.at, 1, r.bytes, stdout);`,
  );
  return `#include <cstdio>
#include <cstddef>
${PRELUDE}${functions.join("\n")}
${declared} static Part g[${THREADS}]; static signed char s[${BLOCK * OWN}]; static unsigned short h[${BLOCK * OWN}];
int main() {
  struct { void* at; size_t bytes; } regions[] = { ${all.map((name) => `{${name}, sizeof ${name}}`).join(", ")} };
${runs.join("")}
}
`;
}
