/** Lowers a kernel's IR to SSA: variables become values, device functions are inlined, pointers get roots. */
import type { KernelIr } from "../../ir/ir.js";
import { SsaFunction } from "../ssa/ssa.js";
import { buildCall } from "./build-call.js";
import { BuildContext } from "./build-context.js";
import { buildStatements } from "./build-statement.js";

export function build(ir: KernelIr): SsaFunction {
  const fn = new SsaFunction();
  const context = new BuildContext(ir, fn, { statements: buildStatements, call: buildCall });
  buildStatements(context, ir.body);
  if (!context.ended) fn.body.end = { kind: "yield", values: [] };
  return fn;
}
