/** A random kernel's tree as the text of the kernel language, and that text compiled. */

import type { Dim3 } from "../../src/core/engine/engine.js";
import type { DeviceDefinition } from "../../src/core/frontend/declare/definition.js";
import { f32, f64, i32, i64, type ScalarType, u32, u64 } from "../../src/core/frontend/declare/element.js";
import { type Parameter, ptr } from "../../src/core/frontend/declare/parameter.js";
import { compileKernel } from "../../src/core/frontend/index.js";
import { builtinNames } from "../../src/core/frontend/translate/calls/builtins.js";
import type { KernelIr } from "../../src/core/ir/ir.js";
import { deviceOfText } from "../core/frontend/device-of-text.js";
import type { DeviceFunctionTree, Expr, KernelTree, Numeric, ParamTree, Stmt, VectorScalar } from "./tree.js";

const TYPES: Readonly<Record<Numeric, ScalarType>> = { i32, u32, i64, u64, f32, f64 };

export function vectorName(t: VectorScalar, lanes: 2 | 4): string {
  return `${{ i32: "int", u32: "uint", f32: "float", f64: "double" }[t]}${lanes}`;
}

function floatText(v: number): string {
  if (Object.is(v, -0)) return "-0.0";
  const text = String(v);
  return /[.eNI]/.test(text) ? text : `${text}.0`;
}

function literalText(t: Expr["t"], v: number | bigint): string {
  switch (t) {
    case "bool":
      return v === 0 ? "false" : "true";
    case "i32":
      return String(v);
    case "u32":
      return `u32(${v})`;
    case "i64":
    case "u64":
      return `${t}(${v}n)`;
    case "f32":
    case "f64":
      return `${t}(${floatText(Number(v))})`;
  }
}

export function exprText(e: Expr): string {
  switch (e.k) {
    case "lit":
      return e.bare === true
        ? e.t === "f32" || e.t === "f64"
          ? floatText(Number(e.v))
          : String(e.v)
        : literalText(e.t, e.v);
    case "var":
      return e.name;
    case "special":
      return e.name;
    case "unary":
      return `${e.op}(${exprText(e.a)})`;
    case "binary":
      if (e.op === "idiv") return `idiv(${exprText(e.a)}, ${exprText(e.b)})`;
      return `(${exprText(e.a)} ${e.op} ${exprText(e.b)})`;
    case "compare":
    case "logical":
      return `(${exprText(e.a)} ${e.op} ${exprText(e.b)})`;
    case "select":
      return `(${exprText(e.c)} ? ${exprText(e.a)} : ${exprText(e.b)})`;
    case "cast":
      return `${e.t}(${exprText(e.a)})`;
    case "call":
      return `${e.name}(${e.args.map(exprText).join(", ")})`;
    case "load":
      return `${e.array}[${exprText(e.index)}]`;
    case "load2":
      return `${e.array}[${exprText(e.row)}][${exprText(e.index)}]`;
    case "device":
      return `${e.name}(${e.args.map((arg) => (typeof arg === "string" ? arg : exprText(arg))).join(", ")})`;
    case "component":
      return `${e.name}.${"xyzw"[e.component]}`;
  }
}

function assignment(place: string, op: string, value: Expr): string {
  if (op === "idiv") return `${place} = idiv(${place}, ${exprText(value)});`;
  return `${place} ${op}= ${exprText(value)};`;
}

function unrollText(unroll: number | null, pad: string): string {
  return unroll === null ? "" : `${pad}  unroll(${unroll === 0 ? "" : unroll});\n`;
}

function block(body: readonly Stmt[], pad: string): string {
  return `{\n${body.map((stmt) => stmtText(stmt, `${pad}  `)).join("")}${pad}}`;
}

export function stmtText(s: Stmt, pad: string): string {
  const line = (text: string): string => `${pad}${text}\n`;
  switch (s.k) {
    case "let":
      return line(`${s.mutable ? "let" : "const"} ${s.name} = ${exprText(s.init)};`);
    case "set":
      return line(assignment(s.name, s.op, s.value));
    case "step":
      return line(`${s.name}${s.by > 0 ? "++" : "--"};`);
    case "list": {
      const names = s.targets.map(({ name }) => name).join(", ");
      return line(`${s.declares === null ? "" : `${s.declares} `}[${names}] = [${s.values.map(exprText).join(", ")}];`);
    }
    case "block":
      return line(block(s.body, pad));
    case "store":
      return line(assignment(`${s.array}[${exprText(s.index)}]`, s.op, s.value));
    case "store2":
      return line(`${s.array}[${exprText(s.row)}][${exprText(s.index)}] = ${exprText(s.value)};`);
    case "if": {
      const other = s.else.length === 0 ? "" : ` else ${block(s.else, pad)}`;
      return line(`if (${exprText(s.c)}) ${block(s.then, pad)}${other}`);
    }
    case "for": {
      const from = s.t === "u32" ? `u32(${exprText(s.from)})` : `i32(${exprText(s.from)})`;
      const step = s.step === "++" || s.step === "--" ? `${s.name}${s.step}` : `${s.name} ${s.step} ${exprText(s.by)}`;
      const body = s.body.map((stmt) => stmtText(stmt, `${pad}  `)).join("");
      const test = `${s.name} ${s.test} ${exprText(s.to)}${s.and === null ? "" : ` && ${exprText(s.and)}`}`;
      return line(`for (let ${s.name} = ${from}; ${test}; ${step}) {\n${unrollText(s.unroll, pad)}${body}${pad}}`);
    }
    case "while": {
      const test = `${s.fuel} < ${s.most} && ${exprText(s.c)}`;
      const leave = s.form === "endless" ? `${pad}  if (!(${test})) break;\n` : "";
      const rest = s.body.map((stmt) => stmtText(stmt, `${pad}  `)).join("");
      const body = `{\n${unrollText(s.unroll, pad)}${leave}${pad}  ${s.fuel}++;\n${rest}${pad}}`;
      const head = line(`let ${s.fuel} = 0;`);
      if (s.form === "do") return head + line(`do ${body} while (${test});`);
      return head + line(s.form === "while" ? `while (${test}) ${body}` : `for (;;) ${body}`);
    }
    case "break":
    case "continue":
      return line(`${s.k};`);
    case "return":
      return line(s.value === null ? "return;" : `return ${exprText(s.value)};`);
    case "switch": {
      const arms = s.arms.map(
        (arm) =>
          `${pad}  case ${arm.v}: {\n${arm.body.map((stmt) => stmtText(stmt, `${pad}    `)).join("")}${arm.falls ? "" : `${pad}    break;\n`}${pad}  }\n`,
      );
      const otherwise = `${pad}  default: {\n${s.otherwise.map((stmt) => stmtText(stmt, `${pad}    `)).join("")}${pad}  }\n`;
      return line(`switch (${exprText(s.on)}) {\n${arms.join("")}${otherwise}${pad}}`);
    }
    case "local":
      return line(`const ${s.name} = local(${s.t}, ${s.length});`);
    case "pointer":
      return line(`const ${s.name} = ${s.array}.subarray(${exprText(s.offset)});`);
    case "vector":
      return line(`let ${s.name} = asVector(${s.array}, ${vectorName(s.t, s.lanes)})[${exprText(s.index)}];`);
    case "component":
      return line(`${s.name}.${"xyzw"[s.component]} = ${exprText(s.value)};`);
    case "vectorStore": {
      const name = vectorName(s.t, s.lanes);
      return line(
        `asVector(${s.array}, ${name})[${exprText(s.index)}] = make_${name}(${s.parts.map(exprText).join(", ")});`,
      );
    }
    case "warp": {
      if (s.op === "activemask") return line(`const ${s.name} = activemask();`);
      const call = `${s.op}(${[s.mask, ...s.args].map(exprText).join(", ")})`;
      return line(
        `const ${s.name} = ${call}${s.op === "match_all_sync" ? (s.t === "bool" ? ".predicate" : ".mask") : ""};`,
      );
    }
    case "tile": {
      const tile = `tiled_partition(this_thread_block(), ${s.size})`;
      return line(`const ${s.name} = ${s.op}(${tile}, ${exprText(s.value)}, ${s.operator});`);
    }
    case "blockVote":
      return line(`const ${s.name} = ${s.op}(${exprText(s.value)});`);
    case "atomic": {
      const call = `${s.op}(${[s.array, exprText(s.index), ...s.args.map(exprText)].join(", ")})`;
      return line(s.result === null ? `${call};` : `const ${s.result} = ${call};`);
    }
    case "syncthreads":
      return line("syncthreads();");
    case "syncwarp":
      return line(s.mask === null ? "syncwarp();" : `syncwarp(${exprText(s.mask)});`);
    case "fence":
      return line(s.block ? "threadfence_block();" : "threadfence();");
    case "group":
      return s.body.map((stmt) => stmtText(stmt, pad)).join("");
  }
}

/** The words of the language that the text uses. */
function wordsIn(text: string): readonly string[] {
  const used = new Set(text.match(/\w+/g));
  return WORDS.filter((word) => used.has(word));
}

const WORDS: readonly string[] = builtinNames();

function functionText(params: readonly string[], extra: readonly string[], body: string): string {
  return `({ ${params.join(", ")} }, { ${wordsIn(body).join(", ")} }, { ${extra.join(", ")} }) => {\n${body}}`;
}

export function kernelText(tree: KernelTree): string {
  const shared = tree.shared
    .map(({ name, t, dims }) => {
      if (dims === null) return `  const ${name} = externShared(${t});\n`;
      return `  const ${name} = shared(${t}, ${dims.length === 1 ? dims[0] : `[${dims.join(", ")}]`});\n`;
    })
    .join("");
  const body = shared + tree.body.map((stmt) => stmtText(stmt, "  ")).join("");
  const extra = [...Object.keys(tree.constants), ...tree.functions.map((fn) => fn.name)];
  return functionText(
    tree.params.map((param) => param.name),
    extra,
    body,
  );
}

/** A kernel as text with all that its launch needs: what a record of a GPU's results keeps. */
export interface KernelSource {
  readonly name: string;
  readonly text: string;
  readonly params: readonly ParamTree[];
  readonly constants: Readonly<Record<string, number>>;
  readonly functions: readonly {
    readonly name: string;
    readonly text: string;
    readonly params: DeviceFunctionTree["params"];
  }[];
  readonly grid: Dim3;
  readonly block: Dim3;
  readonly dynamicSharedBytes: number;
}

export function sourceOf(tree: KernelTree): KernelSource {
  const { name, params, constants, grid, block, dynamicSharedBytes } = tree;
  const functions = tree.functions.map((fn) => {
    const body = fn.body.map((stmt) => stmtText(stmt, "  ")).join("");
    const names = fn.params.map((param) => param.name);
    return { name: fn.name, text: functionText(names, [], body), params: fn.params };
  });
  return { name, text: kernelText(tree), params, constants, functions, grid, block, dynamicSharedBytes };
}

/** The whole text with its device functions, for a report. */
export function caseText(tree: KernelTree): string {
  const source = sourceOf(tree);
  const functions = source.functions.map((fn) => `device ${fn.name}: ${fn.text}\n`).join("");
  const values = tree.params.map((param) =>
    param.kind === "scalar"
      ? `${param.name}: ${param.t} = ${param.value}`
      : `${param.name}: ${param.t}[${param.length}] ${param.fill}`,
  );
  return `seed ${tree.seed}, grid [${tree.grid}], block [${tree.block}], constants ${JSON.stringify(tree.constants)}\n${values.join(", ")}\n${functions}${source.text}\n`;
}

/** The text through the front end. Throws CompileError. */
export function compileSource({ name, text, params, constants, functions }: KernelSource): KernelIr {
  const pointerOrScalar = (t: Numeric, pointer: boolean): Parameter => (pointer ? ptr(TYPES[t]) : TYPES[t]);
  const devices = functions.map((fn): [string, DeviceDefinition] => {
    const named = fn.params.map((param): [string, Parameter] => [param.name, pointerOrScalar(param.t, param.pointer)]);
    return [fn.name, deviceOfText(fn.name, Object.fromEntries(named), fn.text)];
  });
  const named = params.map((param): [string, Parameter] => [
    param.name,
    pointerOrScalar(param.t, param.kind === "array"),
  ]);
  return compileKernel({
    name,
    text,
    params: Object.fromEntries(named),
    constants,
    functions: Object.fromEntries(devices),
  });
}
