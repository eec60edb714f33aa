/**
 * Dynamic parallelism: `launch(child, { grid, block, shared }, arguments)` starts one child grid for each thread that
 * comes there; `launch(self, ...)` is the kernel itself (CUDA C++ Programming Guide, CUDA Dynamic Parallelism).
 */
import type { Expression } from "acorn";
import type { Span } from "../../../base/errors.js";
import type { Expr, LaunchStmt, LaunchStream } from "../../../ir/ir.js";
import { cudaName, isInteger } from "../../../ir/types.js";
import type { ChildKernel } from "../../declare/definition.js";
import { typeName } from "../../text/type-name.js";
import type { OwnParameter } from "../kernel-tables.js";
import { pointerValue } from "../memory.js";
import type { CallSite, Translator } from "../translator.js";
import { assign, convertTo, type ScalarExpr } from "../values/convert.js";
import { constant } from "../values/fold.js";
import { describe } from "../values/value.js";
import { argument, requireCount } from "./arguments.js";
import { orderedArguments } from "./device-call.js";

const form = "launch(child, { grid: 1, block: 128 }, { ...arguments })";

const STREAMS: readonly string[] = ["block", "fireAndForget", "tail"] satisfies readonly LaunchStream[];

/** Whose the memory is that a child grid cannot reach. */
const OWN_MEMORY: Readonly<Record<"shared" | "local", string>> = {
  shared: "Shared memory is its block's, and another block has other memory at that address.",
  local: "Local memory is its thread's, and another thread has other memory at that address.",
};

/** The name of a stream is a text, which no other part of a kernel has. */
function streamOf(t: Translator, node: Expression | undefined): LaunchStream {
  if (node === undefined) return "block";
  const name = node.type === "Literal" && typeof node.value === "string" ? node.value : "";
  if (STREAMS.includes(name)) return name as LaunchStream;
  return t.report.fail(
    t.span(node),
    "A child grid's stream is its block's, or one of CUDA's two named ones.",
    'Write stream: "tail" (cudaStreamTailLaunch) or stream: "fireAndForget" (cudaStreamFireAndForget), or leave it out.',
  );
}

function size(t: Translator, node: Expression, what: string): ScalarExpr {
  const value = t.scalar(node);
  if (!isInteger(value.type))
    t.report.fail(t.span(node), `The ${what} of a launch is an integer.`, "Convert it: u32(x).");
  return convertTo(value, "u32");
}

function dimensions(t: Translator, node: Expression, what: string): readonly [ScalarExpr, ScalarExpr, ScalarExpr] {
  const one = constant("u32", 1, t.span(node));
  const given = node.type === "ArrayExpression" ? node.elements : [node];
  const sizes = given.map((element) => {
    if (element === null || element.type === "SpreadElement")
      return t.report.fail(t.span(node), `A dimension of the ${what} is missing.`, "Write [x, y, z].");
    return size(t, element, what);
  });
  if (sizes.length === 0 || sizes.length > 3)
    t.report.fail(t.span(node), `The ${what} has one to three dimensions.`, "Write a number, [x, y] or [x, y, z].");
  return [sizes[0] ?? one, sizes[1] ?? one, sizes[2] ?? one];
}

function configuration(
  t: Translator,
  node: Expression,
  span: Span,
): Pick<LaunchStmt, "grid" | "block" | "sharedBytes" | "stream"> {
  if (node.type !== "ObjectExpression")
    return t.report.fail(t.span(node), "The second argument of launch is its configuration.", `Write ${form}.`);
  const parts = new Map<string, Expression>();
  for (const property of node.properties) {
    const key = property.type === "Property" && property.key.type === "Identifier" ? property.key.name : "";
    if (property.type !== "Property" || !["grid", "block", "shared", "stream"].includes(key)) {
      return t.report.fail(
        t.span(property),
        "A launch has a grid, a block, shared bytes and a stream.",
        `Write ${form}.`,
      );
    }
    parts.set(key, property.value);
  }
  const grid = parts.get("grid");
  const block = parts.get("block");
  if (grid === undefined || block === undefined)
    return t.report.fail(t.span(node), "A launch needs its grid and its block.", `Write ${form}.`);
  const shared = parts.get("shared");
  return {
    grid: dimensions(t, grid, "grid"),
    block: dimensions(t, block, "block"),
    sharedBytes: shared === undefined ? constant("u32", 0, span) : size(t, shared, "shared memory"),
    stream: streamOf(t, parts.get("stream")),
  };
}

function childIndex(t: Translator, kernel: ChildKernel): number {
  const known = t.tables.children.indexOf(kernel.ir);
  return known >= 0 ? known : t.tables.children.push(kernel.ir) - 1;
}

export function launchStatement(t: Translator, call: CallSite): LaunchStmt {
  requireCount(t, call, 2, 3, form);
  const target = t.value(argument(call, 0));
  if (target.kind !== "child") {
    return t.report.fail(
      call.span,
      `launch starts a kernel; this is ${describe(target)}.`,
      'Name a kernel: one made before by kernel("child", ...), or self.',
    );
  }
  const { kernel } = target;
  const configured = configuration(t, argument(call, 1), call.span);
  const params: readonly OwnParameter[] =
    kernel === "self"
      ? t.ownParameters
      : kernel.ir.params.map((param) => ({
          name: param.name,
          kind: param.kind,
          type: param.kind === "scalar" ? param.type : "i32",
          pointer: param.kind === "pointer" ? cudaName(param.type.pointer) : "",
        }));
  const name = kernel === "self" ? "self" : kernel.name;
  const given = call.args[2];
  const list =
    given === undefined
      ? []
      : given.type === "ArrayExpression"
        ? given.elements.filter(
            (element): element is Expression => element !== null && element.type !== "SpreadElement",
          )
        : [given];
  const ordered = orderedArguments(
    t,
    params.map((param) => param.name),
    list,
    { name, span: call.span },
  );
  const args = ordered.map((node, index): Expr => {
    const param = params[index];
    if (param === undefined) return t.expr(node);
    if (param.kind === "scalar") {
      return assign(t.expr(node), { name: `${param.name} of ${name}`, type: param.type }, t.span(node), t.report);
    }
    const { expr } = pointerValue(t, node);
    if (expr.type.space !== "global") {
      t.report.fail(
        t.span(node),
        `${param.name} of ${name} is given a ${expr.type.space} array; a child grid sees global memory only. ${OWN_MEMORY[expr.type.space]}`,
        "Pass a pointer parameter of this kernel.",
      );
    }
    if (cudaName(expr.type.pointer) !== param.pointer) {
      t.report.fail(
        t.span(node),
        `${param.name} of ${name} points to ${param.pointer}; this array holds ${cudaName(expr.type.pointer)}.`,
        `Give it an array of ${param.pointer}, or declare ${param.name} as ptr(${typeName(expr.type.pointer)}).`,
      );
    }
    return expr;
  });
  return {
    kind: "launch",
    kernel: kernel === "self" ? "self" : childIndex(t, kernel),
    ...configured,
    args,
    span: call.span,
  };
}
