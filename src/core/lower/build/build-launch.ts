/** A child grid's launch (dynamic parallelism). Sizes and arguments are the operands of one instruction. */
import type { LaunchStmt } from "../../ir/ir.js";
import type { RegisterType, Root } from "../program.js";
import type { Value } from "../ssa/ssa.js";
import type { BuildContext } from "./build-context.js";
import { buildPointer, buildScalar } from "./build-expression.js";

export function buildLaunch(context: BuildContext, stmt: LaunchStmt): void {
  const sizes = [...stmt.grid, ...stmt.block, stmt.sharedBytes].map((size) => buildScalar(context, size));
  const callee = stmt.kernel === "self" ? context.ir : context.ir.children?.[stmt.kernel];
  if (callee === undefined) throw context.error("this launches a kernel that is not there", stmt.span);
  const values: Value[] = [];
  const types: RegisterType[] = [];
  const roots: (Root | null)[] = [];
  stmt.args.forEach((arg, index) => {
    const param = callee.params[index];
    if (arg.kind === "pointer") {
      const pointer = buildPointer(context, arg);
      values.push(pointer.address);
      types.push("addr");
      roots.push(pointer.root);
    } else {
      const value = buildScalar(context, arg);
      values.push(value);
      types.push(param?.kind === "scalar" ? param.type : value.type);
      roots.push(null);
    }
  });
  context.emitMany("launch", "u32", [], [...sizes, ...values], stmt.span, {
    launch: { child: stmt.kernel, stream: stmt.stream, roots, types },
  });
}
